import { TAG } from '#extract/html/tag-names.ts';
import { charactersOf, isText, tagOf, type Tree } from '#extract/html/tree.ts';
import { isTellingName } from '#extract/values/telling-name.ts';
import type { Block } from '#extract/content/features/blocks.ts';
import { HIDDEN } from '#extract/view/hiding.ts';
import { leadsHome } from '#extract/content/features/home-link.ts';
import { getContextMask, type NodeSurroundings } from '#extract/content/features/node-surroundings.ts';

type HeadlineContext = {
  /** The titles that the page states. */
  readonly titles: readonly string[];
  readonly surroundings: Pick<NodeSurroundings, 'context' | 'hidden'>;
  readonly url: string;
};

/** Characters of a title, and of a heading, that are compared. */
const MAX_LENGTH = 500;
/** The share of a title that its heading makes up at least, or the other way round. */
const MIN_TITLE_SHARE = 0.4;

/**
 * The block that is the headline of the page: the h1, or on a page without a fitting one the h2, that its titles
 * confirm; the longest where there are several, so that the name of the site in the header is not taken, and none that
 * leads to its first page or stands beside the text. -1 for none.
 */
export function findHeadline(
  tree: Tree,
  blocks: readonly Block[],
  { titles, surroundings, url }: HeadlineContext,
): number {
  const { context, hidden } = surroundings;
  const stated = titles.map((title) => parseTitle(title.slice(0, MAX_LENGTH))).filter(({ whole }) => whole !== '');
  for (const tag of [TAG.h1, TAG.h2]) {
    let found = -1;
    let longest = 0;
    for (const block of blocks) {
      if (tagOf(tree, block.node) !== tag || hidden[block.node] === HIDDEN) continue;
      if (((context[block.node] ?? 0) & OUTSIDE_CONTEXTS) !== 0) continue;
      const heading = foldText(readBlockStart(tree, block));
      if (heading.length <= longest) continue;
      if (!isTellingName(heading) && !stated.some((title) => isFirstPiece(title, heading))) continue;
      if (!stated.some((title) => isConfirmedBy(title, heading))) continue;
      if (leadsHome(tree, block.node, url)) continue;
      found = block.at;
      longest = heading.length;
    }
    if (found >= 0) return found;
  }
  return -1;
}

/** Contexts that are outside the main text. */
const OUTSIDE_CONTEXTS = getContextMask('nav') | getContextMask('aside') | getContextMask('footer');

type PageTitle = { readonly whole: string; readonly pieces: readonly string[] };

const SEPARATORS = /\s[|–—·•»«:\-~/]{1,2}\s|\s?[|»•]\s?/u;

function parseTitle(title: string): PageTitle {
  return { whole: foldText(title), pieces: title.split(SEPARATORS).map(foldText) };
}

/** Whether a heading is most of a title or most of it is one, or a piece of one: not the last, which names the site. */
function isConfirmedBy({ whole, pieces }: PageTitle, heading: string): boolean {
  if (pieces.length > 1 && pieces.at(-1) === heading) return false;
  if (whole.includes(heading) && heading.length >= MIN_TITLE_SHARE * whole.length) return true;
  const telling = pieces.length > 1 ? pieces.slice(0, -1) : pieces;
  return telling.some(
    (piece) => piece === heading || (piece.length >= MIN_TITLE_SHARE * heading.length && heading.includes(piece)),
  );
}

/** Whether a heading is the first of several pieces of a title, which may be as short as the name of a package. */
function isFirstPiece({ pieces }: PageTitle, heading: string): boolean {
  return pieces.length > 1 && heading !== '' && pieces[0] === heading;
}

function readBlockStart(tree: Tree, { from, to }: Block): string {
  let text = '';
  for (let node = from; node < to && text.length < MAX_LENGTH; node++)
    if (isText(tree, node)) text += charactersOf(tree, node);
  return text.slice(0, MAX_LENGTH);
}

/** Letters and digits only, without case, so that punctuation and spacing do not matter. */
function foldText(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '');
}
