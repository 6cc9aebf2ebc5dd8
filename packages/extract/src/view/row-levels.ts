import { ATTRIBUTE, TAG } from '#extract/html/tag-names.ts';
import { buildTagSet } from '#extract/html/tags.ts';
import {
  getAttribute,
  getFirstChild,
  isText,
  getKnownAttribute,
  getNextSibling,
  findNextTag,
  getSubtreeEnd,
  getTag,
  type Tree,
  WHITESPACE,
} from '#extract/html/tree.ts';

/** Maximum nodes of a cell that only indents a row. */
const MAX_SPACER_NODES = 8;
/** Deeper replies are shown at this depth. */
const MAX_DEPTH = 12;
/** Maximum elements between a row and the one that indents it. */
const MAX_LEVELS = 5;
const LAYOUT_TAGS = buildTagSet('table tbody tr td div');
const INDENT_STYLE = /(?:^|[;\s])(?:margin|padding)-left\s{0,9}:\s{0,9}(\d{1,5})/i;
const WIDTH = /^\s{0,9}(\d{1,5})(?:px)?\s{0,9}$/i;

/**
 * The reply depth of each table row in a discussion. Rows are indented by an empty first cell, by a spacer image in it,
 * or by a style. Null if no row is indented, or all equally.
 */
export function computeRowLevels(tree: Tree, firstCells: readonly number[]): readonly number[] | null {
  if (firstCells.length < 2) return null;
  const distances = firstCells.map((cell) => (cell === 0 ? null : readIndent(tree, cell)));
  const steps = [...new Set(distances.filter((distance) => distance !== null))].toSorted((one, other) => one - other);
  if (steps.length < 2) return null;
  const levels = new Map(steps.map((step, level) => [step, Math.min(level, MAX_DEPTH)]));
  return distances.map((distance) => (distance === null ? 0 : (levels.get(distance) ?? 0)));
}

/** Whether a table of the page indents its rows like a discussion. */
export function hasThread(tree: Tree): boolean {
  for (let table = findNextTag(tree, TAG.table, 1); table !== 0; table = findNextTag(tree, TAG.table, table + 1)) {
    if (computeRowLevels(tree, listFirstCells(tree, table)) !== null) return true;
  }
  return false;
}

function listFirstCells(tree: Tree, table: number): readonly number[] {
  const cells: number[] = [];
  for (let part = getFirstChild(tree, table); part !== 0; part = getNextSibling(tree, part)) {
    const row = getTag(tree, part) === TAG.tbody ? getFirstChild(tree, part) : part;
    for (let at = row; at !== 0; at = row === part ? 0 : getNextSibling(tree, at))
      if (getTag(tree, at) === TAG.tr) cells.push(findFirstElement(tree, at));
  }
  return cells;
}

/** The indent of a row, from its first cell or from a table that fills that cell. Null if it has none. */
function readIndent(tree: Tree, cell: number): number | null {
  let node = cell;
  for (let level = 0; level < MAX_LEVELS && LAYOUT_TAGS[getTag(tree, node)] === 1; level++) {
    const styled = INDENT_STYLE.exec(getKnownAttribute(tree, node, ATTRIBUTE.style) ?? '')?.[1];
    if (styled !== undefined) return Number(styled);
    if (getTag(tree, node) === TAG.td) {
      const spacer = readSpacerWidth(tree, node, level > 0);
      if (spacer !== null) return spacer;
    }
    node = findFirstElement(tree, node);
  }
  return null;
}

/** The width of an empty cell, from its attributes or from the image in it. Null for any other cell. */
function readSpacerWidth(tree: Tree, cell: number, isNested: boolean): number | null {
  const end = getSubtreeEnd(tree, cell);
  if (end - cell > MAX_SPACER_NODES) return null;
  const widths = [getAttribute(tree, cell, 'indent')];
  for (let node = cell + 1; node < end; node++) {
    if (isText(tree, node) && ((tree.flags[node] ?? 0) & WHITESPACE) === 0) return null;
    if (getTag(tree, node) === TAG.img) widths.push(getKnownAttribute(tree, node, ATTRIBUTE.width));
  }
  // In an outer table all cells of a column are as wide as the widest one.
  if (isNested) widths.push(getKnownAttribute(tree, cell, ATTRIBUTE.width));
  for (const width of widths) {
    const found = WIDTH.exec(width ?? '')?.[1];
    if (found !== undefined) return Number(found);
  }
  return null;
}

function findFirstElement(tree: Tree, node: number): number {
  let child = getFirstChild(tree, node);
  while (child !== 0 && isText(tree, child) && ((tree.flags[child] ?? 0) & WHITESPACE) !== 0)
    child = getNextSibling(tree, child);
  return child;
}
