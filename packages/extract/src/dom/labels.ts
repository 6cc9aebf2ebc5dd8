import { isElement, firstChildOf, nextOf, parentOf, subtreeEndOf } from '#extract/html/tree.ts';
import { all, lineOf } from './elements.ts';
import type { ParsedPage } from './parsed-page.ts';

const MAX_BOX_LEVELS = 6;
const MAX_HEADINGS = 200;
const MAX_LABELS = 200;
const MAX_LABEL_LENGTH = 2000;

/**
 * The short texts after the first heading that matches, such as badges or list items. They end at the next heading, at
 * the end of the box around the heading, or at node `end`. Empty if no heading matches.
 */
export function labelsUnder(page: ParsedPage, heading: RegExp, end = page.tree.count): readonly string[] {
  const { tree } = page;
  const headings = all(page, 'h2, h3, h4')
    .slice(0, MAX_HEADINGS)
    .filter((node) => node < end);
  const found = headings.find((node) => heading.test(lineOf(page, node) ?? ''));
  if (found === undefined) return [];
  const next = headings.find((node) => node > found) ?? end;
  const last = Math.min(subtreeEndOf(tree, findBox(page, found)), next);
  const labels: string[] = [];
  for (let node = subtreeEndOf(tree, found); node < last && labels.length < MAX_LABELS; node++) {
    const label = isLeaf(page, node) ? lineOf(page, node) : null;
    if (label !== null && label.length <= MAX_LABEL_LENGTH) labels.push(label);
  }
  return labels;
}

/** The closest ancestor of a heading with more text than the heading. */
function findBox(page: ParsedPage, heading: number): number {
  const own = lineOf(page, heading);
  let box = heading;
  for (let step = 0; step < MAX_BOX_LEVELS && lineOf(page, box) === own; step++) box = parentOf(page.tree, box);
  return box;
}

function isLeaf({ tree }: ParsedPage, node: number): boolean {
  if (!isElement(tree, node)) return false;
  for (let child = firstChildOf(tree, node); child !== 0; child = nextOf(tree, child))
    if (isElement(tree, child)) return false;
  return true;
}
