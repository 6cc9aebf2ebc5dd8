/** Runs of letters, digits and underscores. */
export function wordsOf(text: string): readonly string[] {
  return text.match(/[\p{L}\p{N}_]+/gu) ?? [];
}

/** Text with runs of white space as one space. */
export function collapse(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

export function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** How many of the items two bags share. */
export function overlap(a: readonly string[], b: readonly string[]): number {
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

/** F1 of two bags; 1 when both are empty. */
export function bagF1(gold: readonly string[], found: readonly string[]): number {
  if (gold.length + found.length === 0) return 1;
  return (2 * overlap(gold, found)) / (gold.length + found.length);
}

/** F1 of the words of two texts, whatever their case and order. */
export function wordF1(gold: string, found: string): number {
  return bagF1(wordsOf(gold.toLowerCase()), wordsOf(found.toLowerCase()));
}

export type WordScore = { readonly precision: number; readonly recall: number; readonly f1: number };

/** Precision, recall and F1 of the words of a text, whatever their case and order. */
export function wordScore(wanted: string, found: string): WordScore {
  const gold = wordsOf(wanted.toLowerCase());
  const given = wordsOf(found.toLowerCase());
  const hit = overlap(gold, given);
  const precision = hit / Math.max(1, given.length);
  const recall = hit / Math.max(1, gold.length);
  return { precision, recall, f1: hit === 0 ? 0 : (2 * precision * recall) / (precision + recall) };
}

/** F1 of pairs of neighbouring characters, for texts without spaces between words. */
export function characterF1(gold: string, found: string): number {
  return bagF1(pairsOf(gold), pairsOf(found));
}

function pairsOf(text: string): readonly string[] {
  const bare = text.replace(/[\s\p{P}\p{S}]+/gu, '');
  return Array.from({ length: Math.max(0, bare.length - 1) }, (_, at) => bare.slice(at, at + 2));
}

/** Shares of one page's runs of four words that are right, too much, and missing. */
export type Shingles = { readonly hit: number; readonly extra: number; readonly missed: number };

export function shinglesOf(gold: string, found: string): Shingles {
  const wanted = runsOfFour(gold);
  const given = runsOfFour(found);
  const hit = overlap(wanted, given);
  const extra = given.length - hit;
  const missed = wanted.length - hit;
  const sum = hit + extra + missed;
  return sum === 0 ? { hit, extra, missed } : { hit: hit / sum, extra: extra / sum, missed: missed / sum };
}

function runsOfFour(text: string): readonly string[] {
  const words = wordsOf(text);
  if (words.length === 0) return [];
  return Array.from({ length: Math.max(1, words.length - 3) }, (_, at) => words.slice(at, at + 4).join('\u0001'));
}

/** F1 of mean precision and mean recall over pages, as the article benchmark of Zyte counts it. */
export function shingleF1(pages: readonly Shingles[]): number {
  const precision = mean(pages.filter((p) => p.hit + p.extra > 0).map((p) => p.hit / (p.hit + p.extra)));
  const recall = mean(pages.filter((p) => p.hit + p.missed > 0).map((p) => p.hit / (p.hit + p.missed)));
  return precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall);
}

/** How many wanted and unwanted pieces of text a reading holds. */
export type Segments = { readonly hit: number; readonly extra: number; readonly missed: number };

export function segmentsOf(wanted: readonly string[], unwanted: readonly string[], found: string): Segments {
  const text = collapse(found);
  const hit = wanted.filter((piece) => text.includes(collapse(piece))).length;
  const extra = unwanted.filter((piece) => text.includes(collapse(piece))).length;
  return { hit, extra, missed: wanted.length - hit };
}

export function segmentF1(pages: readonly Segments[]): number {
  const sum = (of: (page: Segments) => number) => pages.reduce((total, page) => total + of(page), 0);
  const hit = sum((page) => page.hit);
  return (2 * hit) / Math.max(1, 2 * hit + sum((page) => page.extra) + sum((page) => page.missed));
}
