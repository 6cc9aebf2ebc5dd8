import { uint8s } from '#extract/html/scratch.ts';
import { TAG } from '#extract/html/tag-names.ts';
import { BLOCK, flagsOf, tagSet } from '#extract/html/tags.ts';
import { isText, parentOf, tagOf, type Tree } from '#extract/html/tree.ts';
import { saysText } from './button-text.ts';
import { type ResolveReference, type TargetOf, targetsOf } from './resolve-reference.ts';

/** The part of a page that is read, and the facts about its nodes that renderers need. */
export type View = {
  readonly tree: Tree;
  /** 1 for every node that is read: the content and the elements around it. */
  readonly kept: Uint8Array;
  /** 1 for every element with a block anywhere inside it. */
  readonly holdsBlock: Uint8Array;
  readonly resolve: ResolveReference;
  readonly targetOf: TargetOf;
};

/** Elements whose content no reader of the page sees as text. */
const UNSEEN = tagSet(
  'head script style template title noframes datalist object applet canvas select textarea button frameset area map param source track',
);

export function viewOf(tree: Tree, kept: Uint8Array, resolve: ResolveReference): View {
  return { tree, kept, holdsBlock: blockHolders(tree), resolve, targetOf: targetsOf(tree, resolve) };
}

/** Whether a node and its content are left out of every reading; of buttons, those that only ask for a click. */
export function isUnseen(tree: Tree, node: number): boolean {
  const tag = tagOf(tree, node);
  return UNSEEN[tag] === 1 && (tag !== TAG.button || !saysText(tree, node));
}

export function isBlock(tree: Tree, node: number): boolean {
  return (flagsOf(tagOf(tree, node)) & BLOCK) !== 0;
}

function blockHolders(tree: Tree): Uint8Array {
  const holders = uint8s(tree.count);
  for (let node = tree.count - 1; node > 0; node--) {
    if (isText(tree, node) || (holders[node] === 0 && !isBlock(tree, node))) continue;
    if (isUnseen(tree, node) || tagOf(tree, node) === TAG.svg) continue;
    holders[parentOf(tree, node)] = 1;
  }
  return holders;
}
