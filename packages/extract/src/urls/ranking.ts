import { decodeUrlPart } from '#extract/values/web-urls.ts';

/** A URL to rank for a search, and its title if known. */
export type UrlCandidate = { readonly url: string; readonly title: string | null };

/** BM25's term saturation and length normalization (Robertson and Zaragoza 2009). */
const BM25_SATURATION = 1.2;
const BM25_LENGTH_WEIGHT = 0.75;
/** Titles are written for readers, so they count more than URLs. */
const TITLE_WEIGHT = 2;
/** The weight of a word that only starts with the search term. */
const PREFIX_WEIGHT = 0.4;
const MIN_PREFIX_LENGTH = 3;
const MAX_TERMS = 32;
const MAX_LENGTH = 2_000;

/**
 * Finds the URLs whose path, query or title has a word of a search, and ranks them (BM25 with double weight for
 * titles). Returns the best first; ties keep their order.
 */
export function rankBySearch<One extends UrlCandidate>(search: string, candidates: readonly One[]): readonly One[] {
  const terms = [...new Set(tokenize(search))].slice(0, MAX_TERMS);
  if (terms.length === 0) return [];
  const rows = candidates.map((candidate) => countTerms(candidate, terms));
  const average = rows.reduce((sum, row) => sum + row.length, 0) / Math.max(1, rows.length);
  const rarities = terms.map((_, term) => computeRarity(rows, term));
  const scores = rows.map(({ counts, length }) => {
    const damping = BM25_SATURATION * (1 - BM25_LENGTH_WEIGHT + (BM25_LENGTH_WEIGHT * length) / average);
    return counts.reduce(
      (sum, count, term) => sum + ((rarities[term] ?? 0) * count * (BM25_SATURATION + 1)) / (count + damping),
      0,
    );
  });
  const matching = candidates.flatMap((_, at) => ((scores[at] ?? 0) > 0 ? [at] : []));
  const order = matching.toSorted((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
  return order.flatMap((at) => candidates[at] ?? []);
}

type TermCounts = { readonly counts: readonly number[]; readonly length: number };

function countTerms({ url, title }: UrlCandidate, terms: readonly string[]): TermCounts {
  const counts = terms.map(() => 0);
  const titleTokens = tokenize(title ?? '');
  const urlTokens = tokenize(toReadablePath(url));
  for (const [tokens, weight] of [
    [titleTokens, TITLE_WEIGHT],
    [urlTokens, 1],
  ] as const)
    for (const token of tokens)
      for (const [term, searched] of terms.entries())
        counts[term] = (counts[term] ?? 0) + weight * matchTerm(token, searched);
  return { counts, length: 1 + titleTokens.length * TITLE_WEIGHT + urlTokens.length };
}

function matchTerm(token: string, searched: string): number {
  if (token === searched) return 1;
  return searched.length >= MIN_PREFIX_LENGTH && token.startsWith(searched) ? PREFIX_WEIGHT : 0;
}

/** The inverse document frequency, never negative. */
function computeRarity(rows: readonly TermCounts[], term: number): number {
  const holding = rows.filter(({ counts }) => (counts[term] ?? 0) > 0).length;
  return Math.log(1 + (rows.length - holding + 0.5) / (holding + 0.5));
}

/** The decoded path and query of a URL. The host is left out because all candidates share it. */
function toReadablePath(url: string): string {
  return decodeUrlPart(url.slice(0, MAX_LENGTH).replace(/^[a-z]+:\/\/[^/?#]*/i, ''));
}

/** Splits a text into words without case, diacritics and plural s; in Chinese and Japanese each character is a word. */
function tokenize(text: string): readonly string[] {
  const plain = text
    .slice(0, MAX_LENGTH)
    .replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 ')
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();
  const words = plain.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}]+/gu) ?? [];
  return words.map((word) => (word.length > 3 && /[^s]s$/.test(word) ? word.slice(0, -1) : word));
}
