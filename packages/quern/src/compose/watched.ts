import { answerEngine, assistantPrompt, chatAssistantPrompt } from '#features/search/answers/operations.ts';
import { fastSearch } from '#features/search/fast/operation.ts';
import { serpSearch } from '#features/search/serp/operation.ts';
import { websearchSearch } from '#features/search/web/operation.ts';
import type { WatchedEndpoint } from '#features/sites/health-list.ts';
import { endpoints, enginePages, isProven, listCrawls } from './endpoints.ts';

/** What answers is a backend or a model of the operator, and no page that could prove it. */
const backed = [fastSearch, answerEngine, assistantPrompt, chatAssistantPrompt].map(({ id }) => [id, null] as const);

/** These read the pages of engines; the one of several is proven where all of them are. */
const paged = [
  [websearchSearch.id, isProven(enginePages.websearch.operation.id)],
  [serpSearch.id, Object.values(enginePages).every(({ operation }) => isProven(operation.id))],
] as const;

/** Every endpoint below the name of a site or a search, by that name: those of sites, the crawls of their lists, searches and answers. */
export const watchedEndpoints: readonly WatchedEndpoint[] = [
  ...[...backed, ...paged].map(([id, verified]) => ({ id, site: siteOf(id), domains: [], verified, counted: id })),
  ...endpoints.map(({ operation: { id, site } }) => {
    const domains = site?.domains ?? [];
    return { id, site: siteOf(id), domains, verified: isProven(id), counted: id };
  }),
  ...listCrawls.map(({ operation: { id, site }, endpoint }) => {
    const counted = endpoint.operation.id;
    const domains = site?.domains ?? [];
    return { id, site: siteOf(id), domains, verified: isProven(counted), counted };
  }),
].toSorted((one, other) => (one.site < other.site ? -1 : one.site > other.site ? 1 : 0));

function siteOf(id: string): string {
  return id.split('.')[0] ?? id;
}
