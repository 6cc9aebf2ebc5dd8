import { ATTRIBUTE, TAG } from '#extract/html/tag-names.ts';
import { tagSet } from '#extract/html/tags.ts';
import { charactersOf, elementsStating, isText, knownAttribute, subtreeEndOf, tagOf } from '#extract/html/tree.ts';
import type { Tree } from '#extract/html/tree.ts';
import { HIDDEN, hidingOf, knownHidings } from './hiding.ts';
import { isBlock } from './view.ts';
import type { View } from './view.ts';

/** Elements in which a page names the picture of an icon font. */
const ICONS = tagSet('span i em b');
const ICON_CLASS = /(?:^|\s)(?:material-(?:icons|symbols)(?:-[a-z]+)*|google-symbols|mat-icon)(?:\s|$)/;
/** The name of one picture: a word or several, put together with underscores. */
const ICON_NAME = /^\s*[a-z\d]+(?:_[a-z\d]+)*\s*$/;
const MAX_ICON_NAME = 80;
/** Nodes of a hidden element in which a formula is looked for. */
const MAX_FORMULA_NODES = 40;

/**
 * The view without the text in its blocks that no reader sees: elements of a line that are hidden, and the names that icon
 * fonts draw as pictures. Blocks that are hidden are judged with the content; what a control of the page opens is kept, and
 * so is everything where the page hides most of its text until a script has run.
 */
export function withoutHidden(view: View): View {
  const { tree, kept, holdsBlock } = view;
  const hidings = knownHidings(tree);
  const dropped: number[] = [];
  let controlled: ReadonlySet<string> | null = null;
  for (let node = 1; node < tree.count; node++) {
    if (tree.attributeCount[node] === 0 || kept[node] !== 1 || isText(tree, node)) continue;
    const isHidden = (hidings[node] === 0 ? hidingOf(tree, node) : (hidings[node] ?? 0) - 1) === HIDDEN;
    if (!isHidden && !isIcon(tree, node)) continue;
    if (isBlock(tree, node) || holdsBlock[node] === 1) continue;
    if (isHidden && holdsFormula(tree, node)) continue;
    const id = isHidden ? knownAttribute(tree, node, ATTRIBUTE.id) : null;
    if (id !== null && (controlled ??= controlledIds(tree)).has(id)) continue;
    dropped.push(node);
    node = subtreeEndOf(tree, node) - 1;
  }
  if (dropped.length === 0 || hidesMost(view, dropped)) return view;
  const shown = kept.slice();
  for (const node of dropped) shown.fill(0, node, subtreeEndOf(tree, node));
  return { ...view, kept: shown };
}

function isIcon(tree: Tree, node: number): boolean {
  if (ICONS[tagOf(tree, node)] !== 1 || subtreeEndOf(tree, node) !== node + 2 || !isText(tree, node + 1)) return false;
  if ((tree.end[node + 1] ?? 0) - (tree.start[node + 1] ?? 0) > MAX_ICON_NAME) return false;
  if (!ICON_NAME.test(charactersOf(tree, node + 1))) return false;
  const names = knownAttribute(tree, node, ATTRIBUTE.class);
  return names !== null && ICON_CLASS.test(names);
}

/** Whether a hidden element holds the source of a formula that the page draws beside it. */
function holdsFormula(tree: Tree, node: number): boolean {
  const end = Math.min(subtreeEndOf(tree, node), node + MAX_FORMULA_NODES);
  for (let at = node; at < end; at++) {
    const tag = tagOf(tree, at);
    if (tag === TAG.math || tag === TAG.script) return true;
  }
  return false;
}

/** The ids of the elements that some control of the page opens. */
function controlledIds(tree: Tree): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const control of elementsStating(tree, 'aria-controls')) {
    const controls = knownAttribute(tree, control, ATTRIBUTE.ariaControls) ?? '';
    for (const id of controls.split(/\s+/)) if (id !== '') ids.add(id);
  }
  return ids;
}

/** Whether the hidden elements hold more of the text than the others. */
function hidesMost({ tree, kept }: View, hidden: readonly number[]): boolean {
  let unseen = 0;
  for (const node of hidden) unseen += lengthOf(tree, kept, node, subtreeEndOf(tree, node));
  return unseen * 2 > lengthOf(tree, kept, 0, tree.count);
}

function lengthOf(tree: Tree, kept: Uint8Array, from: number, to: number): number {
  let length = 0;
  for (let node = from; node < to; node++) {
    if (kept[node] === 1 && isText(tree, node)) length += (tree.end[node] ?? 0) - (tree.start[node] ?? 0);
  }
  return length;
}
