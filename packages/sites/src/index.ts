import { createRequire } from 'node:module';
import { InvariantError } from '#extract/invariant-error.ts';
import { CATALOGUE } from './catalogue.ts';
import type { EngineName, OptionalEngine } from './engines/shared.ts';
import type { ListCrawl, SiteEndpoint } from './framework/endpoint.ts';
import { createLazyEndpoint, type EndpointEntry } from './framework/lazy-endpoint.ts';
import type { Site } from './framework/site.ts';

/** Loads a module at once. Most endpoints are never called, and those that are called cannot wait for an import. */
const require = createRequire(import.meta.url);

function loadEndpoint({ module, name }: EndpointEntry): SiteEndpoint {
  const exports: Readonly<Record<string, SiteEndpoint | undefined>> = require(module);
  const endpoint = exports[name];
  if (endpoint === undefined) throw new InvariantError(`${module} has no ${name}: run npm run build:sites`);
  return endpoint;
}

/** All endpoints including those without a route: lists that only a crawl requests, and result pages of engines. */
export const allEndpoints: readonly SiteEndpoint[] = CATALOGUE.endpoints.map((entry) =>
  createLazyEndpoint(entry, () => loadEndpoint(entry)),
);

const byId = new Map(allEndpoints.map((endpoint) => [endpoint.id, endpoint]));

function getEndpoint(id = ''): SiteEndpoint {
  const endpoint = byId.get(id);
  if (endpoint === undefined) throw new InvariantError(`the catalogue has no endpoint ${id}: run npm run build:sites`);
  return endpoint;
}

/** Every endpoint of every site, in the order of the docs. Its parser is loaded at the first use. */
export const endpoints: readonly SiteEndpoint[] = CATALOGUE.documented.map((id) => getEndpoint(id));

/** The crawls that collect the whole list of an endpoint. */
export const listCrawls: readonly ListCrawl[] = CATALOGUE.listCrawls.map(({ endpoint, ...crawl }) => ({
  ...crawl,
  endpoint: getEndpoint(endpoint),
}));

/** The result pages of search engines by engine, and that of `/v1/websearch`. */
export const enginePages: Readonly<Record<EngineName | OptionalEngine | 'websearch', SiteEndpoint>> = {
  duckduckgo: getEndpoint(CATALOGUE.enginePages['duckduckgo']),
  bing: getEndpoint(CATALOGUE.enginePages['bing']),
  brave: getEndpoint(CATALOGUE.enginePages['brave']),
  mojeek: getEndpoint(CATALOGUE.enginePages['mojeek']),
  'google-news': getEndpoint(CATALOGUE.enginePages['google-news']),
  'bing-news': getEndpoint(CATALOGUE.enginePages['bing-news']),
  yandex: getEndpoint(CATALOGUE.enginePages['yandex']),
  baidu: getEndpoint(CATALOGUE.enginePages['baidu']),
  ecosia: getEndpoint(CATALOGUE.enginePages['ecosia']),
  websearch: getEndpoint(CATALOGUE.enginePages['websearch']),
};

/** The sites that an operator can configure. Loads all of them. */
export function listSites(): readonly Site[] {
  return [...new Set([...endpoints, enginePages.websearch].map(({ site }) => site))];
}
