import { type ServedEndpoint, toServedEndpoint } from '#features/sites/endpoint.ts';
import { type ServedListCrawl, toServedCrawl } from '#features/sites/list-crawl.ts';
import { enginePages as declaredPages, endpoints as declared, listCrawls as declaredCrawls } from '#sites/index.ts';
import { PROOFS } from '#sites/proofs.ts';

/** Every endpoint of every site as an operation, in the order of the docs. */
export const endpoints: readonly ServedEndpoint[] = declared.map((endpoint) =>
  toServedEndpoint(endpoint, isProven(endpoint.id)),
);

/** The crawls of the lists of endpoints as operations. */
export const listCrawls: readonly ServedListCrawl[] = declaredCrawls.map((crawl) =>
  toServedCrawl(crawl, isProven(crawl.endpoint.id)),
);

/** The endpoints for result pages of search engines, by engine, and that of `/v1/websearch`. */
export const enginePages = {
  duckduckgo: toServedEndpoint(declaredPages.duckduckgo),
  bing: toServedEndpoint(declaredPages.bing),
  brave: toServedEndpoint(declaredPages.brave),
  mojeek: toServedEndpoint(declaredPages.mojeek),
  'google-news': toServedEndpoint(declaredPages['google-news']),
  'bing-news': toServedEndpoint(declaredPages['bing-news']),
  yandex: toServedEndpoint(declaredPages.yandex),
  baidu: toServedEndpoint(declaredPages.baidu),
  ecosia: toServedEndpoint(declaredPages.ecosia),
  websearch: toServedEndpoint(declaredPages.websearch),
};

/** Whether the parser of an endpoint was verified on a page of its site. */
export function isProven(id: string): boolean {
  return Object.hasOwn(PROOFS, id);
}
