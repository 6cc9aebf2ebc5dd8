import { InvariantError } from '#extract/invariant-error.ts';
import type { SiteEndpoint } from './endpoint.ts';

/** The parameter that limits a list crawl: by elements, or by pages of the site. */
export type CrawlLimit = { readonly name: 'max_results' | 'max_pages'; readonly default: number; readonly max: number };

type ListCrawlDeclaration = {
  readonly method: 'GET' | 'POST';
  readonly summary: string;
  /** The field that identifies an element. Elements with the same value are stored once. */
  readonly by: string;
  readonly bound: CrawlLimit;
};

/** A job that collects the whole list of a paginated endpoint. */
export type ListCrawl = ListCrawlDeclaration & { readonly endpoint: SiteEndpoint; readonly list: string };

/** Declares the crawl of an endpoint's list. The crawl uses the parser of the endpoint. */
export function declareListCrawl(endpoint: SiteEndpoint, declaration: ListCrawlDeclaration): ListCrawl {
  const { id, list } = endpoint;
  if (list === null) throw new InvariantError(`${id}: only a paginated list can be crawled`);
  return { ...declaration, endpoint, list };
}
