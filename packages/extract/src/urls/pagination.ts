import { parseUrl } from '#extract/values/parse-url.ts';
import { ATTRIBUTE, TAG } from '#extract/html/tag-names.ts';
import { getKnownAttribute, getSubtreeEnd, getTag, type Tree } from '#extract/html/tree.ts';
import type { OtherViews } from '#extract/reading.ts';
import type { FindTarget } from '#extract/view/resolve-reference.ts';
import { removeWww, toUrlParts, type UrlParts } from './url-parts.ts';

/** Query parameters whose number selects the page of a listing. */
const PAGE_PARAMETER =
  /^(?:page|pg|paged|pagina|pagenum|page_num|page_no|pageno|pagenumber|page_number|seite|offset|start|from|skip|first|begin|cpage|pageindex|page_index|currentpage|current_page|page\[number\]|page%5bnumber%5d|page\[offset\]|page%5boffset%5d)$/i;
/** Last path segments that select the page of a listing: `/page/2`, `/seite-2`, `/p2`. `/p/2` may be a product. */
const PAGE_SUFFIX = /\/(?:(?:page|pagina|p%C3%A1gina|seite|strona|sivu|sida)[/\-_]?\d{1,7}|pg?\d{1,4})\/?$/i;
const NUMBER = /^\d{1,9}$/;
/** `p` selects a page if it is small and the path names a listing; `/?p=959` is a post ID. */
const SHORT_PARAMETER = /^p=\d{1,3}$/i;

/**
 * Whether a link leads to another page of the same listing, so that following it does not increase the depth. The URLs
 * must differ only in the page number, in a parameter or at the end of the path. With `rel=next` or `prev` the query,
 * or the number at the end of the path, may differ in any way.
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

/** A URL prepared for comparison as a page of a listing. */
export type ListingPage = {
  readonly address: UrlParts;
  /** Path and query without the page number. */
  readonly listing: string;
  readonly isNumbered: boolean;
};

/** Prepares a URL for {@link isSameListing}. */
export function toListingPage(address: UrlParts): ListingPage {
  return { address, listing: getListingKey(address), isNumbered: isNumbered(address) };
}

/** Whether a query parameter selects the page of a listing. */
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

/** Prefilter: most links with a relation have a different one, and need no resolving. */
const VIEW_RELATION = /next|prev|amphtml|alternate/;

type ViewDraft = { -readonly [view in keyof OtherViews]: OtherViews[view] };

/**
 * Finds the other views of a page: the previous and next page of the same document, its AMP page and its print version.
 * Ignores links to the next article of a series and to the page itself.
 */
export function findOtherViews(tree: Tree, url: string, targetOf: FindTarget): OtherViews {
  const views: ViewDraft = {};
  for (let node = 1; node < tree.count; node++) {
    const tag = getTag(tree, node);
    if (tag === TAG.template) node = getSubtreeEnd(tree, node) - 1;
    if (tag !== TAG.link && tag !== TAG.a) continue;
    const rel = getKnownAttribute(tree, node, ATTRIBUTE.rel)?.toLowerCase();
    if (rel === undefined || !VIEW_RELATION.test(rel)) continue;
    const target = targetOf(node);
    if (target === null || !/^https?:/.test(target) || target === url) continue;
    const rels = new Set(rel.split(/\s+/));
    if (rels.has('next') && isContinuation(url, target, 'next')) views.next_url ??= target;
    if ((rels.has('prev') || rels.has('previous')) && isContinuation(url, target, 'prev')) views.prev_url ??= target;
    if (tag !== TAG.link) continue;
    if (rels.has('amphtml')) views.amp_url ??= target;
    if (rels.has('alternate') && isPrintView(tree, node)) views.print_url ??= target;
  }
  return views;
}

function isContinuation(url: string, target: string, rel: 'next' | 'prev'): boolean {
  const own = toUrlParts(parseUrl(url)?.href ?? '');
  const other = toUrlParts(target);
  return own !== null && other !== null && isSameListing(toListingPage(own), toListingPage(other), rel);
}

function isPrintView(tree: Tree, node: number): boolean {
  return getKnownAttribute(tree, node, ATTRIBUTE.media)?.trim().toLowerCase() === 'print';
}
