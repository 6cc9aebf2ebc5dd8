import { allocateUint8s } from '#extract/html/scratch.ts';
import { TAG } from '#extract/html/tag-names.ts';
import { BLOCK, getTagFlags, buildTagSet } from '#extract/html/tags.ts';
import { isText, getParent, getSubtreeEnd, getTag, type Tree, WHITESPACE } from '#extract/html/tree.ts';
import { isPanelButton } from './opened-panels.ts';
import { type ResolveReference, type FindTarget, createTargetFinder } from './resolve-reference.ts';

const METHODS: ReadonlySet<string> = new Set(
  'GET PUT POST PATCH DELETE HEAD OPTIONS get put post patch delete head options'.split(' '),
);
/** Length of the shortest and of the longest method name. */
const MIN_METHOD_LENGTH = 3;
const MAX_METHOD_LENGTH = 7;

/** The HTTP method that is the whole text of a node, in capitals. Null for any other text. */
export function readHttpMethod(tree: Tree, node: number): string | null {
  if (!isText(tree, node)) return null;
  const { source } = tree;
  let start = tree.start[node] ?? 0;
  let end = tree.end[node] ?? 0;
  while (start < end && source.charCodeAt(start) <= 32) start++;
  while (end > start && source.charCodeAt(end - 1) <= 32) end--;
  if (end - start < MIN_METHOD_LENGTH || end - start > MAX_METHOD_LENGTH) return null;
  const text = source.slice(start, end);
  return METHODS.has(text) ? text.toUpperCase() : null;
}

const HEADING_TAGS = buildTagSet('h1 h2 h3 h4 h5 h6 dt');
const TEXT_TAGS = buildTagSet('h1 h2 h3 h4 h5 h6 p li a');
/** Maximum elements between a heading and its button, and nodes of the heading. */
const MAX_LEVELS_BETWEEN = 3;
const MAX_HEADING_NODES = 100;

/**
 * Whether a button has text to read rather than only a label: it is all of a heading or term (an ARIA accordion), or
 * the heading of the panel after it; it contains a paragraph, heading or link next to other text; or it names an API
 * operation (`GET /sacks`).
 */
function isContentButton(tree: Tree, button: number): boolean {
  const end = getSubtreeEnd(tree, button);
  let texts = 0;
  let hasContent = false;
  for (let node = button + 1; node < end; node++) {
    if (!isText(tree, node)) hasContent ||= TEXT_TAGS[getTag(tree, node)] === 1;
    else if (!isWhitespaceText(tree, node)) {
      if (texts === 0 && readHttpMethod(tree, node) !== null) hasContent = true;
      texts++;
    }
    if (texts > 1 && hasContent) return true;
  }
  return texts > 0 && (isWholeHeading(tree, button) || isPanelButton(tree, button));
}

/** Whether a button is all of the text of its heading. */
function isWholeHeading(tree: Tree, button: number): boolean {
  let heading = getParent(tree, button);
  for (let up = 0; up < MAX_LEVELS_BETWEEN && HEADING_TAGS[getTag(tree, heading)] !== 1; up++)
    heading = getParent(tree, heading);
  if (HEADING_TAGS[getTag(tree, heading)] !== 1) return false;
  const end = getSubtreeEnd(tree, heading);
  if (end - heading > MAX_HEADING_NODES) return false;
  for (let node = heading + 1; node < end; node++) {
    if (node === button) node = getSubtreeEnd(tree, node) - 1;
    else if (getTag(tree, node) === TAG.button) return false;
    else if (isText(tree, node) && !isWhitespaceText(tree, node)) return false;
  }
  return true;
}

function isWhitespaceText(tree: Tree, text: number): boolean {
  return ((tree.flags[text] ?? 0) & WHITESPACE) !== 0;
}

/** The nodes of a page that are read, with facts that the renderers need. */
export type View = {
  readonly tree: Tree;
  /** 1 for every node that is read, including the ancestors of the content. */
  readonly kept: Uint8Array;
  /** 1 for every element that contains a block. */
  readonly hasBlock: Uint8Array;
  readonly resolve: ResolveReference;
  readonly findTarget: FindTarget;
};

/** Elements whose content is never text for readers. */
const UNSEEN_TAGS = buildTagSet(
  'head script style template title noframes datalist object applet canvas select textarea button frameset area map param source track',
);

/** Builds the view of a page on the nodes with 1 in `kept`. */
export function buildView(tree: Tree, kept: Uint8Array, resolve: ResolveReference): View {
  return { tree, kept, hasBlock: markBlockHolders(tree), resolve, findTarget: createTargetFinder(tree, resolve) };
}

/** Whether a node and its content are left out of every output. Of buttons, only those with a mere label are. */
export function isUnseen(tree: Tree, node: number): boolean {
  const tag = getTag(tree, node);
  return UNSEEN_TAGS[tag] === 1 && (tag !== TAG.button || !isContentButton(tree, node));
}

/** Whether an element is a block rather than inline. */
export function isBlock(tree: Tree, node: number): boolean {
  return (getTagFlags(getTag(tree, node)) & BLOCK) !== 0;
}

/** 1 for every element that contains a block. */
function markBlockHolders(tree: Tree): Uint8Array {
  const holders = allocateUint8s(tree.count);
  for (let node = tree.count - 1; node > 0; node--) {
    if (isText(tree, node) || (holders[node] === 0 && !isBlock(tree, node))) continue;
    if (isUnseen(tree, node) || getTag(tree, node) === TAG.svg) continue;
    holders[getParent(tree, node)] = 1;
  }
  return holders;
}
