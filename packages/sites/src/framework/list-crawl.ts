import { InvariantError } from '#extract/invariant-error.ts';
import type { SiteEndpoint } from './endpoint.ts';

/** The bound of a crawl of a list: elements, or pages of the site. */
export type ListBound = { readonly name: 'max_results' | 'max_pages'; readonly default: number; readonly most: number };

type ListCrawlDeclaration = {
  readonly method: 'GET' | 'POST';
  readonly summary: string;
  /** The member by which an element of the list is one; each is kept once. */
  readonly by: string;
  readonly bound: ListBound;
};

/** A crawl of the whole list that an endpoint gives page by page. */
export type ListCrawl = ListCrawlDeclaration & { readonly endpoint: SiteEndpoint; readonly list: string };

/** Declares the crawl of the list of an endpoint; it has no parsing of its own. */
export function declareListCrawl(endpoint: SiteEndpoint, declaration: ListCrawlDeclaration): ListCrawl {
  const { id, list } = endpoint;
  if (list === null) throw new InvariantError(`${id}: only a list that pages can be crawled`);
  return { ...declaration, endpoint, list };
}
