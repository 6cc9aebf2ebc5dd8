import { collapsedText } from '#extract/html/element-text.ts';
import { ATTRIBUTE, TAG } from '#extract/html/tag-names.ts';
import { knownAttribute, parentOf, subtreeEndOf, tagOf, type Tree } from '#extract/html/tree.ts';
import { isHeading } from '#extract/content/features/block-order.ts';
import type { BlockVerdict, ScoredPage } from './scored-page.ts';

/** Characters of the longest name of a language. */
const MAX_NAME_LENGTH = 30;
/** Elements around a label in which its code is looked for. */
const LEVELS = 3;
const CALLED = /(?:^|[\s_-])(?:lang|language)(?:$|\s)/i;

/** Leaves out the name of a language that stands in a box with a block of code and nothing else: Markdown says it with the code. */
export function dropCodeLabels({ tree, blocks, containers }: ScoredPage, verdicts: BlockVerdict[]): void {
  for (let at = 0; at + 1 < blocks.length; at++) {
    const label = blocks[at];
    const code = blocks[at + 1];
    if (label === undefined || code === undefined || verdicts[at] !== 'kept' || verdicts[at + 1] !== 'kept') continue;
    if (label.text.characters > MAX_NAME_LENGTH || isHeading(tree, label.node)) continue;
    const pre = preAround(tree, code.node);
    if (pre === 0 || label.from >= pre) continue;
    const words = label.text.words + (containers.words[pre] ?? 0);
    let box = parentOf(tree, label.from);
    for (let level = 0; level < LEVELS && subtreeEndOf(tree, box) <= pre; level++) box = parentOf(tree, box);
    if (subtreeEndOf(tree, box) <= pre || containers.words[box] !== words) continue;
    if (isNamed(tree, { label: label.from, box, pre })) verdicts[at] = 'chrome';
  }
}

/** The `pre` that a block is, or that is around it; 0 for none. */
function preAround(tree: Tree, node: number): number {
  for (let around = node, level = 0; around !== 0 && level < LEVELS; around = parentOf(tree, around), level++) {
    if (tagOf(tree, around) === TAG.pre) return around;
  }
  return 0;
}

type Labelled = { readonly label: number; readonly box: number; readonly pre: number };

/** Whether what a label says is the language that its box or code has in its names, or the label is called one. */
function isNamed(tree: Tree, { label, box, pre }: Labelled): boolean {
  const own = parentOf(tree, label);
  if (CALLED.test(knownAttribute(tree, own, ATTRIBUTE.class) ?? '')) return true;
  const name = collapsedText(tree, own, MAX_NAME_LENGTH).toLowerCase();
  if (name === '') return false;
  const namesOf = (node: number) =>
    [ATTRIBUTE.class, ATTRIBUTE.dataLang, ATTRIBUTE.dataLanguage].flatMap((one) =>
      (knownAttribute(tree, node, one) ?? '').toLowerCase().split(/\s+/),
    );
  const ofCode = [pre, pre + 1].flatMap(namesOf);
  return (
    ofCode.includes(name) ||
    [...ofCode, ...namesOf(box)].some((one) => /^lang(?:uage)?-/.test(one) && one.endsWith(`-${name}`))
  );
}
