import { toCanonicalKey } from '#extract/urls/canonical-key.ts';
import type { SearchResult } from './backend.ts';

/** The results of one engine, best first. */
export type RankedList = { readonly engine: string; readonly results: readonly SearchResult[] };

export type FusedResult = SearchResult & { readonly engines: readonly string[] };

/**
 * The constant of reciprocal rank fusion (Cormack, Clarke and Büttcher, SIGIR 2009). It prevents a first place at one engine
 * from outweighing agreement between several.
 */
const RANK_CONSTANT = 60;

/** Merges ranked lists by reciprocal rank. Results with the same URL are merged, with the longest description. */
export function fuseRankedLists(lists: readonly RankedList[]): readonly FusedResult[] {
  const byKey = new Map<string, { result: FusedResult; score: number }>();
  for (const { engine, results } of lists) {
    for (const [at, result] of results.entries()) {
      const key = toUrlKey(result.url);
      const known = byKey.get(key);
      const score = 1 / (RANK_CONSTANT + at + 1);
      if (known === undefined) byKey.set(key, { result: { ...result, engines: [engine] }, score });
      // A repeated result of the same engine does not count.
      else if (!known.result.engines.includes(engine)) {
        byKey.set(key, { result: mergeResult(known.result, result, engine), score: known.score + score });
      }
    }
  }
  return [...byKey.values()].toSorted((one, other) => other.score - one.score).map(({ result }) => result);
}

/** The key of a URL, without scheme, `www.` and trailing slash, which differ between engines. */
function toUrlKey(url: string): string {
  return toCanonicalKey(url)
    .replace(/^https?:\/\/(?:www\.)?/, '')
    .replace(/\/$/, '');
}

function mergeResult(known: FusedResult, other: SearchResult, engine: string): FusedResult {
  return {
    ...known,
    title: known.title === '' ? other.title : known.title,
    description: known.description.length >= other.description.length ? known.description : other.description,
    publishedAt: known.publishedAt ?? other.publishedAt,
    language: known.language ?? other.language,
    imageUrl: known.imageUrl ?? other.imageUrl,
    text: known.text ?? other.text,
    engines: [...known.engines, engine],
  };
}
