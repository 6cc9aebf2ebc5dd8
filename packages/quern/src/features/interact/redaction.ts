import { MIN_CHARS, writingsOf } from './secrets.ts';

/** The length of a piece that betrays a value: pages and snapshots show cut texts. */
const PIECE = 12;

/** The pieces of one length with the variable that each is of. */
type Pieces = { readonly length: number; readonly owners: ReadonlyMap<string, string> };

/**
 * Hides the values of variables from a text that a page wrote, which may say them in other letters, backwards, spaced out,
 * encoded or in pieces; each becomes `{{name}}`. Takes time in proportion to the text.
 */
export function buildHiding(variables: Readonly<Record<string, string>>): (text: string) => string {
  const byLength = new Map<number, Map<string, string>>();
  for (const [name, value] of Object.entries(variables)) {
    for (const writing of disguisesOf(value)) {
      const length = Math.min(writing.length, PIECE);
      const owners = byLength.get(length) ?? new Map<string, string>();
      for (let at = 0; at + length <= writing.length; at++) owners.set(writing.slice(at, at + length), name);
      byLength.set(length, owners);
    }
  }
  const all = [...byLength].map(([length, owners]) => ({ length, owners }));
  return (text) => all.reduce(hide, text);
}

function hide(text: string, { length, owners }: Pieces): string {
  const folded = fold(text);
  let hidden = '';
  let kept = 0;
  let at = 0;
  while (at + length <= folded.length) {
    const name = owners.get(folded.slice(at, at + length));
    if (name === undefined) {
      at += 1;
      continue;
    }
    hidden += `${text.slice(kept, at)}{{${name}}}`;
    at += length;
    // Of a longer value the next piece begins within the one before.
    while (at + 1 <= folded.length && owners.has(folded.slice(at + 1 - length, at + 1))) at += 1;
    kept = at;
  }
  return hidden + text.slice(kept);
}

/** In lower case where that keeps every letter in its place. */
function fold(text: string): string {
  const lower = text.toLowerCase();
  return lower.length === text.length ? lower : text;
}

/** The ways in which a page may write a value. */
function disguisesOf(value: string): ReadonlySet<string> {
  const line = value.replaceAll(/\s+/g, ' ').trim();
  const bytes = Buffer.from(value);
  const spaced = Array.from(line).join(' ').replaceAll(/ {2,}/g, ' ');
  const coded = [bytes.toString('base64'), bytes.toString('base64url'), bytes.toString('hex')];
  const all = [...writingsOf(value), line, spaced, ...coded, withEntities(value)].flatMap((text) => [
    text,
    Array.from(text).toReversed().join(''),
  ]);
  return new Set(all.map(fold).filter((text) => text.length >= MIN_CHARS));
}

function withEntities(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
