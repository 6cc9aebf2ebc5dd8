import { type UrlParts, removeWww } from './address.ts';

/** Parameters whose number says which part of one listing is shown. */
const PAGE_PARAMETER =
  /^(?:page|pg|paged|pagina|pagenum|page_num|page_no|pageno|pagenumber|page_number|seite|offset|start|from|skip|first|begin|cpage|pageindex|page_index|currentpage|current_page|page\[number\]|page%5bnumber%5d|page\[offset\]|page%5boffset%5d)$/i;
/** The last segments of a path that say the same: `/page/2`, `/seite-2`, `/p2`; `/p/2` may be a product. */
const PAGE_SUFFIX = /\/(?:(?:page|pagina|p%C3%A1gina|seite|strona|sivu|sida)[/\-_]?\d{1,7}|pg?\d{1,4})\/?$/i;
const NUMBER = /^\d{1,9}$/;
/** `p` is a page where it is small and a path says of what; else it numbers posts, as `/?p=959` does. */
const SHORT_PARAMETER = /^p=\d{1,3}$/i;

/**
 * Whether a link leads to another page of the listing that it stands on, so that following it goes no deeper: the same
 * path with another number of a page parameter or of a `/page/2` at its end; where the link is marked `rel=next` or
 * `prev`, also the same path with any other query, or a path that differs in the number at its end.
 */
export function isSameListing(from: ListingPage, to: ListingPage, rel: 'next' | 'prev' | null): boolean {
  if (from.listing !== to.listing && rel === null) return false;
  const here = from.address;
  const there = to.address;
  if (here.path === there.path && here.query === there.query) return false;
  if (removeWww(here.authority) !== removeWww(there.authority)) return false;
  if (from.listing === to.listing) return from.isNumbered || to.isNumbered;
  return here.path === there.path || removeLastNumber(here) === removeLastNumber(there);
}

/** An address as a page of a listing; many links are compared with one page. */
export type ListingPage = {
  readonly address: UrlParts;
  /** Path and query without what says which page it is. */
  readonly listing: string;
  readonly isNumbered: boolean;
};

export function toListingPage(address: UrlParts): ListingPage {
  return { address, listing: getListingKey(address), isNumbered: isNumbered(address) };
}

/** Whether a query parameter only says which part of a listing is shown. */
export function isPageParameter(name: string): boolean {
  return PAGE_PARAMETER.test(name);
}

function getListingKey({ path, query }: UrlParts): string {
  if (query === '') return `${removeFinalSlash(path.replace(PAGE_SUFFIX, ''))}?`;
  const kept = query.split('&').filter((parameter) => !isPageNumber(parameter, path));
  return `${removeFinalSlash(path.replace(PAGE_SUFFIX, ''))}?${kept.join('&')}`;
}

function isNumbered({ path, query }: UrlParts): boolean {
  return (
    PAGE_SUFFIX.test(path) || (query !== '' && query.split('&').some((parameter) => isPageNumber(parameter, path)))
  );
}

function isPageNumber(parameter: string, path: string): boolean {
  if (SHORT_PARAMETER.test(parameter)) return path !== '/' && !path.endsWith('.php');
  const equals = parameter.indexOf('=');
  return equals > 0 && NUMBER.test(parameter.slice(equals + 1)) && isPageParameter(parameter.slice(0, equals));
}

function removeLastNumber({ path, query }: UrlParts): string {
  return `${removeFinalSlash(path).replace(/[-_/]?\d{1,9}(\.\w{1,5})?$/, '$1')}?${query}`;
}

function removeFinalSlash(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : path;
}
