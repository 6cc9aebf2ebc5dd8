/** Fills in and masks the values of a session's variables. */
export type Secrets = {
  /** Replaces `{{name}}` by the value of the variable; unknown names stay unchanged. */
  readonly fill: (text: string) => string;
  /** Replaces values, also in URL-encoded form, by `{{name}}`. */
  readonly mask: (text: string) => string;
};

/** Shorter values are not masked, because they occur in too many unrelated texts. */
export const MIN_SECRET_CHARS = 3;
const PLACEHOLDER = /\{\{\s*([A-Za-z_]\w{0,63})\s*\}\}/g;

/** Creates the functions that keep values of variables out of responses and logs. */
export function buildSecrets(variables: Readonly<Record<string, string>>): Secrets {
  const masks = Object.entries(variables)
    .filter(([, value]) => value.length >= MIN_SECRET_CHARS)
    .flatMap(([name, value]) => [...listEncodings(value)].map((text) => ({ text, name })))
    .toSorted((one, other) => other.text.length - one.text.length);
  return {
    fill: (text) =>
      text.replace(PLACEHOLDER, (whole, name: string) =>
        Object.hasOwn(variables, name) ? (variables[name] ?? '') : whole,
      ),
    mask: (text) => masks.reduce((masked, one) => masked.replaceAll(one.text, `{{${one.name}}}`), text),
  };
}

/** The names of the placeholders in a text. */
export function listPlaceholders(text: string): readonly string[] {
  return [...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name);
}

/** A value verbatim and in the encodings of forms, JSON and URLs. */
export function listEncodings(value: string): ReadonlySet<string> {
  const inForm = new URLSearchParams({ v: value }).toString().slice(2);
  const inPath = URL.parse(`http://host/${value}`)?.pathname.slice(1) ?? '';
  const inFragment = URL.parse(`http://host/#${value}`)?.hash.slice(1) ?? '';
  // encodeURI throws for lone surrogates.
  const whole = value.toWellFormed();
  const inAddresses = [encodeURIComponent(whole), encodeURI(whole), inForm, inPath, inFragment];
  const all = [value, ...inAddresses, JSON.stringify(value).slice(1, -1)];
  return new Set(all.filter((text) => text.length >= MIN_SECRET_CHARS));
}

/** Length of a fragment that is redacted, because pages and snapshots truncate texts. */
const PIECE_CHARS = 12;

/** Fragments of one length, each with the name of its variable. */
type Pieces = { readonly length: number; readonly owners: ReadonlyMap<string, string> };

/**
 * Builds a function that replaces values of variables in page text by `{{name}}`. A hostile page may write them in other case,
 * reversed, spaced out, encoded or in fragments. Takes time linear in the length of the text.
 */
export function buildRedactor(variables: Readonly<Record<string, string>>): (text: string) => string {
  const byLength = new Map<number, Map<string, string>>();
  for (const [name, value] of Object.entries(variables)) {
    for (const writing of listDisguises(value)) {
      const length = Math.min(writing.length, PIECE_CHARS);
      const owners = byLength.get(length) ?? new Map<string, string>();
      for (let at = 0; at + length <= writing.length; at++) owners.set(writing.slice(at, at + length), name);
      byLength.set(length, owners);
    }
  }
  const all = [...byLength].map(([length, owners]) => ({ length, owners }));
  return (text) => all.reduce(redactPieces, text);
}

function redactPieces(text: string, { length, owners }: Pieces): string {
  const folded = foldCase(text);
  let hidden = '';
  let copiedTo = 0;
  let at = 0;
  while (at + length <= folded.length) {
    const name = owners.get(folded.slice(at, at + length));
    if (name === undefined) {
      at += 1;
      continue;
    }
    hidden += `${text.slice(copiedTo, at)}{{${name}}}`;
    at += length;
    // Fragments of a longer value overlap.
    while (at + 1 <= folded.length && owners.has(folded.slice(at + 1 - length, at + 1))) at += 1;
    copiedTo = at;
  }
  return hidden + text.slice(copiedTo);
}

/** Lower case, unless that would change the length and so the offsets. */
function foldCase(text: string): string {
  const lower = text.toLowerCase();
  return lower.length === text.length ? lower : text;
}

/** Forms in which a page may write a value. */
function listDisguises(value: string): ReadonlySet<string> {
  const line = value.replaceAll(/\s+/g, ' ').trim();
  const bytes = Buffer.from(value);
  const spaced = Array.from(line).join(' ').replaceAll(/ {2,}/g, ' ');
  const coded = [bytes.toString('base64'), bytes.toString('base64url'), bytes.toString('hex')];
  const all = [...listEncodings(value), line, spaced, ...coded, escapeEntities(value)].flatMap((text) => [
    text,
    Array.from(text).toReversed().join(''),
  ]);
  return new Set(all.map(foldCase).filter((text) => text.length >= MIN_SECRET_CHARS));
}

function escapeEntities(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
