import { TAG } from '#extract/html/tag-names.ts';
import { byTag } from '#extract/html/tags.ts';

/** Evidence about an element's content from its tag, role, class and id, as bits. */
export const FURNITURE = 1;
/** Comments of readers. */
export const COMMENTS = 2;
/** Not shown, or not read out. */
export const UNSHOWN = 4;
/** Stated to be the main content. */
export const MAIN = 8;
/** Stated to be page structure around the content: navigation, footer, dialog. */
export const LANDMARK = 16;
export const HEADER = 32;
/** Leads to other pages like this one. */
export const RELATED = 64;
export const CONSENT = 128;
/** Only counts comments, or opens them: takes COMMENTS back. */
export const COUNTS_COMMENTS = 256;

/** Words of class and id by what they say. */
export const TELLING_NAMES: readonly (readonly [number, string])[] = [
  [
    FURNITURE,
    'ads advert advertisement advertising addtoany backtotop banner breadcrumb breadcrumbs colophon consent cookie cookies cookiebar copyright flyout footer gdpr hamburger login masthead megamenu menu modal nav navbar navigation newsletter offcanvas onetrust outbrain overlay pager pagination paging popover popup promo promos recirc recommend recommendations recommended related share sharebar sharedaddy sharing sidebar signin signup skip skiplink social socials sponsor sponsored subscribe subscription taboola tagcloud toast toolbar tooltip topbar widget widgets',
  ],
  [
    COMMENTS,
    'comments comment commentlist commentary commentform disqus respond replies livefyre coral spotim commento kommentare kommentar commentaires comentarios',
  ],
  [
    RELATED,
    'related recommend recommended recommendations trending popular outbrain taboola similar suggested upsell recirc recirculation',
  ],
  [CONSENT, 'onetrust cookie cookies cookiebar consent gdpr didomi truste cybot usercentrics cookiebot'],
  [COUNTS_COMMENTS, 'count counter number link status closed open toggle button'],
];

/** The evidence of a tag alone. */
export const TAG_EVIDENCE: readonly number[] = byTag(0, [
  ['nav footer aside dialog menu', LANDMARK],
  ['header', HEADER],
  ['main article', MAIN],
]);

const ROLES: ReadonlyMap<string, number> = new Map([
  ['main', MAIN],
  ['article', MAIN],
  ['navigation', LANDMARK],
  ['banner', HEADER],
  ['contentinfo', LANDMARK],
  ['complementary', LANDMARK],
  ['search', LANDMARK],
  ['dialog', LANDMARK],
  ['alertdialog', LANDMARK],
  ['menu', LANDMARK],
  ['menubar', LANDMARK],
  ['toolbar', LANDMARK],
  ['tablist', LANDMARK],
]);

export function roleEvidence(role: string): number {
  return ROLES.get(role.trim().toLowerCase()) ?? 0;
}

export function propertyEvidence(property: string): number {
  return property === 'articleBody' || property === 'mainContentOfPage' ? MAIN : 0;
}

/** The evidence of all names of an element together; names of the whole page are no evidence about its parts. */
export function settled(bits: number, tag: number): number {
  const known = (bits & COUNTS_COMMENTS) === 0 ? bits : bits & ~COMMENTS;
  return tag === TAG.body || tag === TAG.html ? known & (MAIN | UNSHOWN) : known & 255;
}
