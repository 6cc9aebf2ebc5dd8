import { TAG } from '#extract/html/tag-names.ts';
import { readCharacters, isText, getTag, type Tree } from '#extract/html/tree.ts';
import { isDistinctiveName } from '#extract/values/distinctive-name.ts';
import type { Block } from '#extract/content/features/blocks.ts';
import { HIDDEN } from '#extract/view/hidden-elements.ts';
import { isHomeHeading } from '#extract/content/features/links.ts';
import { getContextMask, type NodeSurroundings } from '#extract/content/features/node-surroundings.ts';

type HeadlineContext = {
  /** The titles in the head of the page. */
  readonly titles: readonly string[];
  readonly surroundings: Pick<NodeSurroundings, 'context' | 'hidden'>;
  readonly url: string;
};

/** Maximum characters of a title and of a heading that are compared. */
const MAX_LENGTH = 500;
/** Minimum share of a title that its heading has, or of a heading that the title has. */
const MIN_TITLE_SHARE = 0.4;

/**
 * The block with the page's headline: the h1 that matches the titles of the page, or an h2 if no h1 does. If several
 * match, the longest, so that the site name in the header is not taken. Headings that link to the home page, or are
 * outside the main text, do not count. -1 if there is none.
 */
export function findHeadline(
  tree: Tree,
  blocks: readonly Block[],
  { titles, surroundings, url }: HeadlineContext,
): number {
  const { context, hidden } = surroundings;
  const declared = titles.map((title) => parseTitle(title.slice(0, MAX_LENGTH))).filter(({ whole }) => whole !== '');
  for (const tag of [TAG.h1, TAG.h2]) {
    let found = -1;
    let longest = 0;
    for (const block of blocks) {
      if (getTag(tree, block.node) !== tag || hidden[block.node] === HIDDEN) continue;
      if (((context[block.node] ?? 0) & OUTSIDE_CONTEXTS) !== 0) continue;
      const heading = foldText(readBlockStart(tree, block));
      if (heading.length <= longest) continue;
      if (!isDistinctiveName(heading) && !declared.some((title) => isFirstPiece(title, heading))) continue;
      if (!declared.some((title) => isConfirmedBy(title, heading))) continue;
      if (isHomeHeading(tree, block.node, url)) continue;
      found = block.at;
      longest = heading.length;
    }
    if (found >= 0) return found;
  }
  return -1;
}

/** Contexts outside the main text. */
const OUTSIDE_CONTEXTS = getContextMask('nav') | getContextMask('aside') | getContextMask('footer');

type PageTitle = { readonly whole: string; readonly pieces: readonly string[] };

const SEPARATORS = /\s[|–—·•»«:\-~/]{1,2}\s|\s?[|»•]\s?/u;

function parseTitle(title: string): PageTitle {
  return { whole: foldText(title), pieces: title.split(SEPARATORS).map(foldText) };
}

/**
 * Whether a heading matches most of a title, or one of its pieces other than the last, which is usually the site name.
 */
function isConfirmedBy({ whole, pieces }: PageTitle, heading: string): boolean {
  if (pieces.length > 1 && pieces.at(-1) === heading) return false;
  if (whole.includes(heading) && heading.length >= MIN_TITLE_SHARE * whole.length) return true;
  const titlePieces = pieces.length > 1 ? pieces.slice(0, -1) : pieces;
  return titlePieces.some(
    (piece) => piece === heading || (piece.length >= MIN_TITLE_SHARE * heading.length && heading.includes(piece)),
  );
}

/** Whether a heading is the first of several pieces of a title. It may be as short as the name of a package. */
function isFirstPiece({ pieces }: PageTitle, heading: string): boolean {
  return pieces.length > 1 && heading !== '' && pieces[0] === heading;
}

function readBlockStart(tree: Tree, { from, to }: Block): string {
  let text = '';
  for (let node = from; node < to && text.length < MAX_LENGTH; node++)
    if (isText(tree, node)) text += readCharacters(tree, node);
  return text.slice(0, MAX_LENGTH);
}

/** Keeps letters and digits in lower case, so that punctuation and spacing do not matter. */
function foldText(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '');
}
