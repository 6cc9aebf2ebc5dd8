import { TAG } from '#extract/html/tag-names.ts';
import { buildTagTable } from '#extract/html/tags.ts';
import { findWord, hashWord, createWordTable, addWord, type WordTable } from './hash-tables.ts';

/** Bits for words in names that hint at formulas or players. Only pages with the hint are searched for them. */
export const FORMULA_HINT = 1;
export const PLAYER_HINT = 2;

/** Names are split at case changes: `MathJax` and `YouTube` are two words each. */
const HINT_WORDS: readonly (readonly [number, string])[] = [
  [FORMULA_HINT, 'katex latex math tex'],
  [PLAYER_HINT, 'tube vimeo youtube'],
];

/** The bits of a word, by its hash. 0 for all other words. */
export function findNameHint(hash: number): number {
  const slot = findWord(HINT_TABLE, hash);
  return slot < 0 ? 0 : (HINT_TABLE.bits[slot] ?? 0);
}

const HINT_TABLE = buildHintTable();

function buildHintTable(): WordTable {
  // The table is far larger than needed, so that most lookups of other words end at an empty slot at once.
  const table = createWordTable(64);
  for (const [bit, words] of HINT_WORDS)
    for (const word of words.split(' ')) table.bits[addWord(table, hashWord(word))] = bit;
  return table;
}

/**
 * Evidence about an element's content from its tag, role, class and id, as bits. FURNITURE: navigation, advertisements
 * and the like.
 */
export const FURNITURE = 1;
/** Reader comments. */
export const COMMENTS = 2;
/** Hidden, or hidden from screen readers. */
export const NOT_SHOWN = 4;
/** Declared as the main content. */
export const MAIN = 8;
/** Declared as page structure around the content: navigation, footer, dialog. */
export const LANDMARK = 16;
/** A header element of the page or of a section. */
export const HEADER = 32;
/** Links to similar pages. */
export const RELATED = 64;
/** Part of a cookie or consent notice. */
export const CONSENT = 128;
/** Shows the number of comments or opens them. Clears COMMENTS. */
export const COUNTS_COMMENTS = 256;

/** Words in class and id names, with the bit that they set. */
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

/** The bits of a tag by itself. */
export const TAG_EVIDENCE: readonly number[] = buildTagTable(0, [
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

/** The bits of an ARIA role, 0 for other roles. */
export function getRoleEvidence(role: string): number {
  return ROLE_EVIDENCE.get(role.trim().toLowerCase()) ?? 0;
}

/** The bits of an `itemprop` value, 0 for other values. */
export function getPropertyEvidence(property: string): number {
  return property === 'articleBody' || property === 'mainContentOfPage' ? MAIN : 0;
}

/**
 * The final bits of an element. Names on `html` and `body` describe the whole page, so most of their bits are ignored.
 */
export function combineEvidence(bits: number, tag: number): number {
  const known = (bits & COUNTS_COMMENTS) === 0 ? bits : bits & ~COMMENTS;
  return tag === TAG.body || tag === TAG.html ? known & (MAIN | NOT_SHOWN) : known & 255;
}
