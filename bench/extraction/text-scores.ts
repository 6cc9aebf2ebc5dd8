/** Splits text into runs of letters, digits and underscores. */
export function splitWords(text: string): readonly string[] {
  return text.match(/[\p{L}\p{N}_]+/gu) ?? [];
}

/** Replaces runs of white space by one space. */
export function collapseSpace(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

export function computeMean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Size of the intersection of two multisets. */
export function countOverlap(a: readonly string[], b: readonly string[]): number {
  const counts = new Map<string, number>();
  for (const item of a) counts.set(item, (counts.get(item) ?? 0) + 1);
  let shared = 0;
  for (const item of b) {
    const left = counts.get(item) ?? 0;
    if (left === 0) continue;
    counts.set(item, left - 1);
    shared++;
  }
  return shared;
}

/** F1 of two multisets; 1 if both are empty. */
export function computeBagF1(gold: readonly string[], found: readonly string[]): number {
  if (gold.length + found.length === 0) return 1;
  return (2 * countOverlap(gold, found)) / (gold.length + found.length);
}

/** F1 of the words of two texts, ignoring case and order. */
export function computeWordF1(gold: string, found: string): number {
  return computeBagF1(splitWords(gold.toLowerCase()), splitWords(found.toLowerCase()));
}

export type WordScore = { readonly precision: number; readonly recall: number; readonly f1: number };

/** Precision, recall and F1 of the words of two texts, ignoring case and order. */
export function computeWordScore(wanted: string, found: string): WordScore {
  const gold = splitWords(wanted.toLowerCase());
  const given = splitWords(found.toLowerCase());
  const hit = countOverlap(gold, given);
  const precision = hit / Math.max(1, given.length);
  const recall = hit / Math.max(1, gold.length);
  return { precision, recall, f1: hit === 0 ? 0 : (2 * precision * recall) / (precision + recall) };
}

/** F1 of character bigrams, for texts without spaces between words. */
export function computeCharacterF1(gold: string, found: string): number {
  return computeBagF1(listCharacterPairs(gold), listCharacterPairs(found));
}

function listCharacterPairs(text: string): readonly string[] {
  const bare = text.replace(/[\s\p{P}\p{S}]+/gu, '');
  return Array.from({ length: Math.max(0, bare.length - 1) }, (_, at) => bare.slice(at, at + 2));
}

/** Shares of the four-word shingles of a page that are correct, extra and missing. */
export type ShingleShares = { readonly hit: number; readonly extra: number; readonly missed: number };

export function computeShingles(gold: string, found: string): ShingleShares {
  const wanted = listShingles(gold);
  const given = listShingles(found);
  const hit = countOverlap(wanted, given);
  const extra = given.length - hit;
  const missed = wanted.length - hit;
  const sum = hit + extra + missed;
  return sum === 0 ? { hit, extra, missed } : { hit: hit / sum, extra: extra / sum, missed: missed / sum };
}

function listShingles(text: string): readonly string[] {
  const words = splitWords(text);
  if (words.length === 0) return [];
  return Array.from({ length: Math.max(1, words.length - 3) }, (_, at) => words.slice(at, at + 4).join('\u0001'));
}

/** F1 of mean precision and mean recall over pages, as in the Zyte article benchmark. */
export function computeShingleF1(pages: readonly ShingleShares[]): number {
  const precision = computeMean(pages.filter((p) => p.hit + p.extra > 0).map((p) => p.hit / (p.hit + p.extra)));
  const recall = computeMean(pages.filter((p) => p.hit + p.missed > 0).map((p) => p.hit / (p.hit + p.missed)));
  return precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall);
}

/** Number of wanted and unwanted text segments found, and of wanted ones missing. */
export type SegmentCounts = { readonly hit: number; readonly extra: number; readonly missed: number };

export function countSegments(wanted: readonly string[], unwanted: readonly string[], found: string): SegmentCounts {
  const text = collapseSpace(found);
  const hit = wanted.filter((piece) => text.includes(collapseSpace(piece))).length;
  const extra = unwanted.filter((piece) => text.includes(collapseSpace(piece))).length;
  return { hit, extra, missed: wanted.length - hit };
}

export function computeSegmentF1(pages: readonly SegmentCounts[]): number {
  const sum = (of: (page: SegmentCounts) => number) => pages.reduce((total, page) => total + of(page), 0);
  const hit = sum((page) => page.hit);
  return (2 * hit) / Math.max(1, 2 * hit + sum((page) => page.extra) + sum((page) => page.missed));
}

/** Labelled and extracted value of one field. */
export type FactPair = { readonly gold: string | null; readonly found: string | null };
export type IsSameFact = (gold: string, found: string) => boolean;

/** F1 over pages: a wrong value lowers precision and recall, a missing one recall, an extra one precision. */
export function computeFieldF1(pairs: readonly FactPair[], same: IsSameFact): number {
  const stated = pairs.filter(({ gold }) => gold !== null && gold !== '');
  const given = pairs.filter(({ found }) => found !== null && found !== '');
  const right = stated.filter(
    ({ gold, found }) => gold !== null && found !== null && found !== '' && same(gold, found),
  );
  const both = stated.length + given.length;
  return both === 0 ? 0 : (2 * right.length) / both;
}

function normalizeText(text: string): string {
  return collapseSpace(text)
    .normalize('NFKC')
    .replace(/[“”„«»]/g, '"')
    .replace(/[‘’‚`´]/g, "'")
    .replace(/[–—−]/g, '-')
    .toLowerCase();
}

/** Whether at least four of five words agree. */
export function isSimilar(gold: string, found: string): boolean {
  const a = splitWords(normalizeText(gold));
  const b = splitWords(normalizeText(found));
  return a.length > 0 && b.length > 0 && (2 * countOverlap(a, b)) / (a.length + b.length) >= 0.8;
}

/** Whether two bylines name the same people, ignoring order and surrounding words. */
export function isSameAuthors(gold: string, found: string): boolean {
  const a = listNames(gold);
  const b = listNames(found);
  if (a.size === 0 || b.size === 0) return false;
  return a.symmetricDifference(b).size === 0 || isSimilar(removeByline(gold), removeByline(found));
}

function removeByline(text: string): string {
  return normalizeText(text)
    .replace(/^(?:by|von|par|por|di|door|av|af)\s+/, '')
    .replace(/\s*\b(?:updated|published|posted)\b.*$/, '');
}

function listNames(text: string): ReadonlySet<string> {
  const parts = removeByline(text).split(/\s*(?:,|;|\||&|\band\b|\bund\b|\bet\b)\s*/);
  return new Set(parts.filter((part) => part !== ''));
}

/** Whether two dates are the same day. */
export function isSameDay(gold: string, found: string): boolean {
  const day = parseDay(gold);
  return day !== null && day === parseDay(found);
}

function parseDay(text: string): string | null {
  const written = /\d{4}-\d{2}-\d{2}/.exec(text);
  if (written !== null) return written[0];
  const parsed = new Date(text);
  return Number.isNaN(parsed.getTime()) ? null : parsed.toISOString().slice(0, 10);
}
