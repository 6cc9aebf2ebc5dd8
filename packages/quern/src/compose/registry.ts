import type { Operation } from '#engine/call/operation.ts';
import { presetMonitors } from '#features/monitors/monitor-sets.ts';
import { operations } from '#features/operations.ts';
import { answerEngine, assistantPrompt, chatAssistantPrompt } from '#features/search/answers/operations.ts';
import { fastSearch } from '#features/search/fast/operation.ts';
import { serpSearch } from '#features/search/serp/operation.ts';
import { websearchSearch } from '#features/search/web/operation.ts';
import type { WatchedEndpoint } from '#features/sites/health-operation.ts';
import { hotelRates } from '#features/sites/hotels/rates-operation.ts';
import { endpoints, enginePages, isProven, listCrawls } from './endpoints.ts';

/** These are answered by backends or models of the operator, so no recorded page can verify them. */
const BACKEND_ENDPOINTS = [fastSearch, answerEngine, assistantPrompt, chatAssistantPrompt].map(
  ({ id }) => [id, null] as const,
);

/** These parse result pages of engines. The endpoint for several engines is verified if all of them are. */
const ENGINE_PAGE_ENDPOINTS = [
  [websearchSearch.id, isProven(enginePages.websearch.operation.id)],
  [serpSearch.id, Object.values(enginePages).every(({ operation }) => isProven(operation.id))],
] as const;

/** All endpoints by the name of their site or search: site endpoints, list crawls, searches and answers. */
export const watchedEndpoints: readonly WatchedEndpoint[] = [
  ...[...BACKEND_ENDPOINTS, ...ENGINE_PAGE_ENDPOINTS].map(([id, verified]) => ({
    id,
    site: getSiteName(id),
    domains: [],
    verified,
    counted: id,
  })),
  ...endpoints.map(({ operation: { id, site } }) => {
    const domains = site?.domains ?? [];
    return { id, site: getSiteName(id), domains, verified: isProven(id), counted: id };
  }),
  ...listCrawls.map(({ operation: { id, site }, endpoint }) => {
    const counted = endpoint.operation.id;
    const domains = site?.domains ?? [];
    return { id, site: getSiteName(id), domains, verified: isProven(counted), counted };
  }),
].toSorted((one, other) => (one.site < other.site ? -1 : one.site > other.site ? 1 : 0));

function getSiteName(id: string): string {
  return id.split('.')[0] ?? id;
}

/** All operations: the general ones, searches of single engines, then the endpoints and monitors of sites, in the order of the docs. */
export const allOperations: readonly Operation[] = [
  ...operations,
  websearchSearch,
  serpSearch,
  ...[...endpoints, ...listCrawls].map(({ operation }) => operation),
  ...presetMonitors.flatMap((preset) => Object.values(preset.operations)),
  hotelRates,
];

/** The operations with a route: all except those that only jobs and monitors run. */
export const routedOperations: readonly Operation[] = allOperations.filter(({ route }) => route !== null);

/** The operations that only jobs and monitors run. */
export const unroutedOperations: readonly Operation[] = allOperations.filter(({ route }) => route === null);
