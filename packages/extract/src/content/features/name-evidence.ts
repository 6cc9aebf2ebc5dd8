import { TAG } from '#extract/html/tag-names.ts';
import { byTag } from '#extract/html/tags.ts';
import { findWord, hashOf, createWordTable, addWord, type WordTable } from './word-table.ts';

/** What words of names say that a page may hold, as bits: it is looked for only where they do. */
export const FORMULA_SIGN = 1;
export const PLAYER_SIGN = 2;

/** Names are split at case changes: `MathJax` is two words, and so is `YouTube`. */
const SIGN_WORDS: readonly (readonly [number, string])[] = [
  [FORMULA_SIGN, 'katex latex math tex'],
  [PLAYER_SIGN, 'tube vimeo youtube'],
];

/** The bits of a word of a name by its hash, 0 for all others. */
export function findNameSign(hash: number): number {
  const slot = findWord(SIGN_TABLE, hash);
  return slot < 0 ? 0 : (SIGN_TABLE.bits[slot] ?? 0);
}

const SIGN_TABLE = buildSignTable();

function buildSignTable(): WordTable {
  // Far more room than words, so that most of those that are not in it meet an empty slot at once.
  const table = createWordTable(64);
  for (const [bit, words] of SIGN_WORDS)
    for (const word of words.split(' ')) table.bits[addWord(table, hashOf(word))] = bit;
  return table;
}

/** Evidence about an element's content from its tag, role, class and id, as bits. */
export const FURNITURE = 1;
/** Comments of readers. */
export const COMMENTS = 2;
/** Not shown, or not read out. */
export const NOT_SHOWN = 4;
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
export const EVIDENCE_WORDS: readonly (readonly [number, string])[] = [
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

const ROLE_EVIDENCE: ReadonlyMap<string, number> = new Map([
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

export function getRoleEvidence(role: string): number {
  return ROLE_EVIDENCE.get(role.trim().toLowerCase()) ?? 0;
}

export function getPropertyEvidence(property: string): number {
  return property === 'articleBody' || property === 'mainContentOfPage' ? MAIN : 0;
}

/** The evidence of all names of an element together; names of the whole page are no evidence about its parts. */
export function combineEvidence(bits: number, tag: number): number {
  const known = (bits & COUNTS_COMMENTS) === 0 ? bits : bits & ~COMMENTS;
  return tag === TAG.body || tag === TAG.html ? known & (MAIN | NOT_SHOWN) : known & 255;
}
