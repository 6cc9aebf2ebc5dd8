import { type ServedEndpoint, toServed } from '#features/sites/endpoint.ts';
import { type ServedListCrawl, toServedCrawl } from '#features/sites/list-crawl.ts';
import { enginePages as declaredPages, endpoints as declared, listCrawls as declaredCrawls } from '#sites/index.ts';
import { PROOFS } from '#sites/proofs.ts';

/** Every endpoint of every site as an operation, in the order of the docs. */
export const endpoints: readonly ServedEndpoint[] = declared.map((endpoint) =>
  toServed(endpoint, isProven(endpoint.id)),
);

/** The crawls of the lists of endpoints as operations. */
export const listCrawls: readonly ServedListCrawl[] = declaredCrawls.map((crawl) =>
  toServedCrawl(crawl, isProven(crawl.endpoint.id)),
);

/** The pages of results that searches read, by engine, and that of `/v1/websearch`. */
export const enginePages = {
  duckduckgo: toServed(declaredPages.duckduckgo),
  bing: toServed(declaredPages.bing),
  brave: toServed(declaredPages.brave),
  mojeek: toServed(declaredPages.mojeek),
  'google-news': toServed(declaredPages['google-news']),
  'bing-news': toServed(declaredPages['bing-news']),
  yandex: toServed(declaredPages.yandex),
  baidu: toServed(declaredPages.baidu),
  ecosia: toServed(declaredPages.ecosia),
  websearch: toServed(declaredPages.websearch),
};

/** Whether the parser of an endpoint was verified on a page of its site. */
export function isProven(id: string): boolean {
  return Object.hasOwn(PROOFS, id);
}
