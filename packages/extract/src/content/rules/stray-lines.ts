import { TAG } from '#extract/html/tag-names.ts';
import { tagSet } from '#extract/html/tags.ts';
import { charactersOf, HAS_REFERENCE, isText, parentOf, subtreeEndOf, tagOf, type Tree } from '#extract/html/tree.ts';
import type { Block } from '#extract/content/features/blocks.ts';
import { endsSentence } from '#extract/content/features/text-counts.ts';

/** Words of a line that leads to another text. */
const LEAD_WORDS = 40;

/**
 * "Read also: …" and its like within an article: a short line that is mostly a link, or nothing but one. "See the map of
 * the harbour." is a sentence of the text, whatever it leads to.
 */
export function leadsElsewhere(tree: Tree, block: Block): boolean {
  const { node, text, linked } = block;
  if (text.words > LEAD_WORDS) return false;
  if (text.leadsOn && linked > 0.4 * text.characters) return !isSentence(tree, block);
  const onlyLinks = linked > 0.95 * text.characters && text.words >= 4;
  return onlyLinks && tagOf(tree, node) === TAG.p && !endsSentence(text) && !hasLines(tree, block);
}

/** Whether line breaks part a block, as verses; the title of another text is one line. */
function hasLines(tree: Tree, { from, to }: Block): boolean {
  for (let node = from; node < to; node++) if (tagOf(tree, node) === TAG.br) return true;
  return false;
}

/** A full stop, also that of East Asian scripts and of Hindi. */
const STOPS = [0x2e, 0x3002, 0xff0e, 0x0964];
const COLONS = /[:：]\s{0,9}$/u;

/** Whether a block ends with a full stop outside of its links, and no colon stands before its first link. */
function isSentence(tree: Tree, { from, to, text }: Block): boolean {
  if (!STOPS.includes(text.last) || isInLink(tree, to - 1)) return false;
  let before = '';
  for (let node = from; node < to && !isInLink(tree, node); node++)
    if (isText(tree, node)) before = charactersOf(tree, node);
  return before.trim() !== '' && !COLONS.test(before);
}

/** Whether the nearest elements around a text are a link. */
function isInLink(tree: Tree, text: number): boolean {
  const around = parentOf(tree, text);
  return tagOf(tree, around) === TAG.a || tagOf(tree, parentOf(tree, around)) === TAG.a;
}

const MARKUP = /^\s{0,99}<(?:a|div|iframe|img|link|script|span|style)\s[^>]{0,300}=/i;
const MAX_START_LENGTH = 500;
const CODE = tagSet('code pre samp kbd tt');

/** Whether a block is markup that the page shows as text by mistake, such as a counting pixel that was escaped twice. */
export function isMarkup(tree: Tree, { from }: Block): boolean {
  if (((tree.flags[from] ?? 0) & HAS_REFERENCE) === 0 || CODE[tagOf(tree, parentOf(tree, from))] === 1) return false;
  return MARKUP.test(charactersOf(tree, from).slice(0, MAX_START_LENGTH));
}

const SCRIPTS = /\bjava\s?script\b/i;
/** Longest `noscript` text that is no content. */
const MAX_NOTICE_LENGTH = 2_000;

/** Whether a block stands in a `noscript` that asks its reader to switch scripts on. */
export function asksForScripts(tree: Tree, { node }: Block): boolean {
  let around = node;
  while (around !== 0 && tagOf(tree, around) !== TAG.noscript) around = parentOf(tree, around);
  if (around === 0) return false;
  const start = tree.start[around] ?? 0;
  const end = tree.end[subtreeEndOf(tree, around) - 1] ?? 0;
  return end - start <= MAX_NOTICE_LENGTH && SCRIPTS.test(tree.source.slice(start, end));
}

/** How the sign that a text goes on elsewhere is written. */
const SIGNS = ['…', '...', '&hellip;', '&#8230;'];
/** Text that may follow it. */
const BEHIND = ' \n\t\r\u00A0)]”"»';

/** Whether a block begins with a link and breaks off, as the first words of another page do that the link leads to. */
export function breaksOff(tree: Tree, { from, to }: Block): boolean {
  const around = parentOf(tree, from);
  if (tagOf(tree, around) !== TAG.a && tagOf(tree, parentOf(tree, around)) !== TAG.a) return false;
  const { source, start, end } = tree;
  const first = start[to - 1] ?? 0;
  let last = end[to - 1] ?? 0;
  while (last > first && BEHIND.includes(source.charAt(last - 1))) last--;
  return SIGNS.some((sign) => source.endsWith(sign, last));
}
