import { findName, toNameTable } from '#extract/html/name-table.ts';
import { isText, parentOf } from '#extract/html/tree.ts';
import type { Tree } from '#extract/html/tree.ts';
import { visitNameWords } from './name-words.ts';
import { TAG } from '#extract/html/tag-names.ts';
import { tagOf } from '#extract/html/tree.ts';

/** What a part of a page says that it is, by the words of its class and id, as bits. */
export const COMMENTS = 1;
export const RELATED = 2;
export const CONSENT = 4;

const NAMES: readonly (readonly [number, string])[] = [
  [
    COMMENTS,
    'comments comment commentlist commentary disqus respond replies livefyre coral spotim commento kommentare kommentar commentaires comentarios',
  ],
  [
    RELATED,
    'related recommend recommended recommendations trending popular outbrain taboola similar suggested upsell recirc recirculation',
  ],
  [CONSENT, 'onetrust cookie cookies cookiebar consent gdpr didomi truste cybot usercentrics cookiebot'],
];
/** Names of what only counts or opens comments. */
const NOT_COMMENTS = toNameTable([
  'count',
  'counter',
  'number',
  'link',
  'status',
  'closed',
  'open',
  'toggle',
  'button',
  'no',
]);
const WORDS = toNameTable(NAMES.flatMap(([, words]) => words.split(' ')));
const WORD_BITS = NAMES.flatMap(([bit, words]) => words.split(' ').map(() => bit));

/** The markers of every node, those of the elements around it included; those of the whole page do not count. */
export function markersOf(tree: Tree): Uint8Array {
  const markers = new Uint8Array(tree.count);
  for (let node = 1; node < tree.count; node++) {
    const around = markers[parentOf(tree, node)] ?? 0;
    markers[node] = around;
    const tag = tagOf(tree, node);
    if (isText(tree, node) || tag === TAG.body || tag === TAG.html || (tree.attributeCount[node] ?? 0) === 0) continue;
    let bits = 0;
    let excused = false;
    visitNameWords(tree, node, (start, end, hash) => {
      const word = findName(WORDS, tree.source, start, end, hash);
      if (word >= 0) bits |= WORD_BITS[word] ?? 0;
      else if (findName(NOT_COMMENTS, tree.source, start, end, hash) >= 0) excused = true;
    });
    markers[node] = around | (excused ? bits & ~COMMENTS : bits);
  }
  return markers;
}
