import { isElement, getFirstChild, getNextSibling, getParent, getSubtreeEnd } from '#extract/html/tree.ts';
import { selectAll, readSingleLine } from './elements.ts';
import type { ParsedPage } from './parsed-page.ts';

const MAX_BOX_LEVELS = 6;
const MAX_HEADINGS = 200;
const MAX_LABELS = 200;
const MAX_LABEL_LENGTH = 2000;

/**
 * The short texts after the first heading that matches, such as badges or list items. They end at the next heading, at
 * the end of the box around the heading, or at node `end`. Empty if no heading matches.
 */
export function listLabelsUnder(page: ParsedPage, heading: RegExp, end = page.tree.count): readonly string[] {
  const { tree } = page;
  const headings = selectAll(page, 'h2, h3, h4')
    .slice(0, MAX_HEADINGS)
    .filter((node) => node < end);
  const found = headings.find((node) => heading.test(readSingleLine(page, node) ?? ''));
  if (found === undefined) return [];
  const next = headings.find((node) => node > found) ?? end;
  const last = Math.min(getSubtreeEnd(tree, findBox(page, found)), next);
  const labels: string[] = [];
  for (let node = getSubtreeEnd(tree, found); node < last && labels.length < MAX_LABELS; node++) {
    const label = isLeaf(page, node) ? readSingleLine(page, node) : null;
    if (label !== null && label.length <= MAX_LABEL_LENGTH) labels.push(label);
  }
  return labels;
}

/** The closest ancestor of a heading with more text than the heading. */
function findBox(page: ParsedPage, heading: number): number {
  const own = readSingleLine(page, heading);
  let box = heading;
  for (let step = 0; step < MAX_BOX_LEVELS && readSingleLine(page, box) === own; step++)
    box = getParent(page.tree, box);
  return box;
}

function isLeaf({ tree }: ParsedPage, node: number): boolean {
  if (!isElement(tree, node)) return false;
  for (let child = getFirstChild(tree, node); child !== 0; child = getNextSibling(tree, child))
    if (isElement(tree, child)) return false;
  return true;
}
