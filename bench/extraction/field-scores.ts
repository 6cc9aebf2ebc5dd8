import { collapse, overlap, wordsOf } from './text-scores.ts';

/** What a page says and what was read, of one fact. */
export type Pair = { readonly gold: string | null; readonly found: string | null };
export type Same = (gold: string, found: string) => boolean;

/** F1 over pages: a wrong value costs precision and recall, a missing one recall, one where gold has none precision. */
export function fieldF1(pairs: readonly Pair[], same: Same): number {
  const stated = pairs.filter(({ gold }) => gold !== null && gold !== '');
  const given = pairs.filter(({ found }) => found !== null && found !== '');
  const right = stated.filter(
    ({ gold, found }) => gold !== null && found !== null && found !== '' && same(gold, found),
  );
  const both = stated.length + given.length;
  return both === 0 ? 0 : (2 * right.length) / both;
}

function plain(text: string): string {
  return collapse(text)
    .normalize('NFKC')
    .replace(/[“”„«»]/g, '"')
    .replace(/[‘’‚`´]/g, "'")
    .replace(/[–—−]/g, '-')
    .toLowerCase();
}

/** Whether four of five words agree. */
export function similar(gold: string, found: string): boolean {
  const a = wordsOf(plain(gold));
  const b = wordsOf(plain(found));
  return a.length > 0 && b.length > 0 && (2 * overlap(a, b)) / (a.length + b.length) >= 0.8;
}

/** Whether the same people are named, in whatever order and with whatever words around. */
export function sameAuthors(gold: string, found: string): boolean {
  const a = namesOf(gold);
  const b = namesOf(found);
  if (a.size === 0 || b.size === 0) return false;
  return a.symmetricDifference(b).size === 0 || similar(bare(gold), bare(found));
}

function bare(text: string): string {
  return plain(text)
    .replace(/^(?:by|von|par|por|di|door|av|af)\s+/, '')
    .replace(/\s*\b(?:updated|published|posted)\b.*$/, '');
}

function namesOf(text: string): ReadonlySet<string> {
  const parts = bare(text).split(/\s*(?:,|;|\||&|\band\b|\bund\b|\bet\b)\s*/);
  return new Set(parts.filter((part) => part !== ''));
}

/** Whether two texts name the same calendar day. */
export function sameDay(gold: string, found: string): boolean {
  const day = dayOf(gold);
  return day !== null && day === dayOf(found);
}

function dayOf(text: string): string | null {
  const written = /\d{4}-\d{2}-\d{2}/.exec(text);
  if (written !== null) return written[0];
  const parsed = new Date(text);
  return Number.isNaN(parsed.getTime()) ? null : parsed.toISOString().slice(0, 10);
}
