import { ATTRIBUTE, TAG } from '#extract/html/tag-names.ts';
import { findName, hashStep, lower, toNameTable } from '#extract/html/name-table.ts';
import { tagSet } from '#extract/html/tags.ts';
import { tagOf } from '#extract/html/tree.ts';
import type { Tree } from '#extract/html/tree.ts';

/** What an element's tag, role, class and id say about its content, as bits. */
export const FURNITURE = 1;
/** Comments of readers. */
export const COMMENTS = 2;
export const HIDDEN = 4;
/** Stated to be the main content. */
export const MAIN = 8;
/** Stated to be page structure around the content: navigation, footer, dialog. */
export const LANDMARK = 16;
export const HEADER = 32;

const NAMES: readonly (readonly [number, readonly string[]])[] = [
  [
    FURNITURE,
    'ad ads advert advertisement advertising addtoany backtotop banner breadcrumb breadcrumbs colophon consent cookie cookies cookiebar copyright flyout footer gdpr hamburger login masthead megamenu menu modal nav navbar navigation newsletter offcanvas onetrust outbrain overlay pager pagination paging popover popup promo promos recirc recommend recommendations recommended related share sharebar sharedaddy sharing sidebar signin signup skip skiplink social socials sponsor sponsored subscribe subscription taboola tagcloud toast toolbar tooltip topbar widget widgets'.split(
      ' ',
    ),
  ],
  [COMMENTS, 'comments commentlist commentary disqus respond commentform livefyre'.split(' ')],
];
const WORDS = toNameTable(NAMES.flatMap(([, words]) => words));
const WORD_BITS = NAMES.flatMap(([bit, words]) => words.map(() => bit));

const LANDMARK_TAGS = tagSet('nav footer aside dialog menu');
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

const LONGEST_NAMES = 300;

/** Reads the evidence of each element of a page. */
export function evidenceOf(tree: Tree): Uint8Array {
  const evidence = new Uint8Array(tree.count);
  for (let node = 1; node < tree.count; node++) {
    const tag = tagOf(tree, node);
    if (tag === TAG.text) continue;
    let bits = LANDMARK_TAGS[tag] === 1 ? LANDMARK : 0;
    if (tag === TAG.header) bits = HEADER;
    if (tag === TAG.main || tag === TAG.article) bits = MAIN;
    const first = tree.attributeStart[node] ?? 0;
    const end = first + Math.min(tree.attributeCount[node] ?? 0, 50);
    for (let at = first; at < end; at++) bits |= attributeEvidence(tree, at);
    evidence[node] = bits;
  }
  return evidence;
}

function attributeEvidence(tree: Tree, at: number): number {
  switch (tree.attributeId[at]) {
    case ATTRIBUTE.class:
    case ATTRIBUTE.id:
      return namesEvidence(tree, at);
    case ATTRIBUTE.hidden:
      return valueOf(tree, at) === 'until-found' ? 0 : HIDDEN;
    case ATTRIBUTE.ariaHidden:
      return valueOf(tree, at) === 'true' ? HIDDEN : 0;
    case ATTRIBUTE.style:
      return /(?:display\s{0,9}:\s{0,9}none|visibility\s{0,9}:\s{0,9}hidden)/i.test(valueOf(tree, at)) ? HIDDEN : 0;
    case ATTRIBUTE.role:
      return ROLES.get(valueOf(tree, at).trim().toLowerCase()) ?? 0;
    case ATTRIBUTE.itemprop:
      return /^(?:articleBody|mainContentOfPage)$/.test(valueOf(tree, at)) ? MAIN : 0;
    default:
      return 0;
  }
}

function valueOf(tree: Tree, at: number): string {
  const start = tree.valueStart[at] ?? 0;
  return tree.source.slice(start, Math.min(tree.valueEnd[at] ?? 0, start + LONGEST_NAMES));
}

/** Words of class and id names, split at case changes and at all that is no letter. */
function namesEvidence({ source, valueStart, valueEnd }: Tree, at: number): number {
  const first = valueStart[at] ?? 0;
  const end = Math.min(valueEnd[at] ?? 0, first + LONGEST_NAMES);
  let bits = 0;
  let start = first;
  while (start < end) {
    const code = source.charCodeAt(start);
    let next = start + 1;
    let hash = hashStep(0, lower(code));
    if (isSmall(code) || (isCapital(code) && next < end && isSmall(source.charCodeAt(next)))) {
      for (; next < end && isSmall(source.charCodeAt(next)); next++) hash = hashStep(hash, source.charCodeAt(next));
    } else if (isCapital(code)) {
      for (; next < end && isCapital(source.charCodeAt(next)); next++)
        hash = hashStep(hash, lower(source.charCodeAt(next)));
    }
    const word = findName(WORDS, source, start, next, hash);
    if (word >= 0) bits |= WORD_BITS[word] ?? 0;
    start = next;
  }
  return bits;
}

function isSmall(code: number): boolean {
  return code >= 97 && code <= 122;
}

function isCapital(code: number): boolean {
  return code >= 65 && code <= 90;
}
