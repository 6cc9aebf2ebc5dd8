import type { ServedTier } from '#engine/credits/prices.ts';
import type { EngineFeatures, EngineResult } from '#sites/engines/engine-record.ts';
import { shownUrlOf } from '#features/search/searching.ts';
import { readFoundResults } from '#features/search/backend/results.ts';

/** One page of results: organic and paid in the order in which they are shown. */
export type WebPage = {
  readonly url: string;
  readonly results: readonly WebResult[];
  readonly tier: ServedTier;
  /** What stands beside them; null where the way does not tell. */
  readonly features: EngineFeatures | null;
};

export type WebResult = Pick<EngineResult, 'title' | 'description' | 'url' | 'url_shown' | 'is_paid'>;

/** The results of an engine's page that anybody may visit; the others are left out and counted. */
export function toWebResults(
  given: readonly EngineResult[],
  mayVisit: (url: string) => boolean,
): { readonly results: readonly WebResult[]; readonly dropped: number } {
  const results = given.flatMap(({ title, description, url, url_shown: shown, is_paid }) =>
    readFoundResults([{ title, description, url }], mayVisit).results.map((found) => ({
      title: found.title,
      description: found.description,
      url: found.url,
      url_shown: shown === '' ? shownUrlOf(found) : shown,
      is_paid,
    })),
  );
  return { results, dropped: given.length - results.length };
}

type Positioned = Omit<WebResult, 'is_paid'> & { readonly position: number; readonly position_overall: number };

/** The two lists of all pages, each result with its place in its list and among all. */
export function toLists(pages: readonly WebPage[]): {
  readonly organic: readonly Positioned[];
  readonly paid: readonly Positioned[];
} {
  const organic: Positioned[] = [];
  const paid: Positioned[] = [];
  for (const [at, { is_paid: isPaid, ...result }] of pages.flatMap(({ results }) => results).entries()) {
    const list = isPaid ? paid : organic;
    list.push({ position: list.length + 1, position_overall: at + 1, ...result });
  }
  return { organic, paid };
}
