import type { FindTarget } from '#extract/view/resolve-reference.ts';
import { ATTRIBUTE, TAG } from '#extract/html/tag-names.ts';
import { getKnownAttribute, getSubtreeEnd, getTag, type Tree } from '#extract/html/tree.ts';
import type { OtherViews } from '#extract/reading.ts';
import { toUrlParts } from './address.ts';
import { isSameListing, toListingPage } from './pagination.ts';

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
  const own = toUrlParts(URL.parse(url)?.href ?? '');
  const other = toUrlParts(target);
  return own !== null && other !== null && isSameListing(toListingPage(own), toListingPage(other), rel);
}

function isPrintView(tree: Tree, node: number): boolean {
  return getKnownAttribute(tree, node, ATTRIBUTE.media)?.trim().toLowerCase() === 'print';
}
