import { ATTRIBUTE, TAG } from '#extract/html/tag-names.ts';
import { tagSet } from '#extract/html/tags.ts';
import {
  attributeOf,
  firstChildOf,
  isText,
  knownAttribute,
  nextOf,
  nextTagged,
  subtreeEndOf,
  tagOf,
  type Tree,
  WHITESPACE,
} from '#extract/html/tree.ts';

/** Maximum nodes of a cell that only indents a row. */
const MAX_SPACER_NODES = 8;
/** Deeper replies are shown at this depth. */
const MAX_DEPTH = 12;
/** Maximum elements between a row and the one that indents it. */
const MAX_LEVELS = 5;
const LAYOUT_TAGS = tagSet('table tbody tr td div');
const INDENT_STYLE = /(?:^|[;\s])(?:margin|padding)-left\s{0,9}:\s{0,9}(\d{1,5})/i;
const WIDTH = /^\s{0,9}(\d{1,5})(?:px)?\s{0,9}$/i;

/**
 * The reply depth of each table row in a discussion. Rows are indented by an empty first cell, by a spacer image in it,
 * or by a style. Null if no row is indented, or all equally.
 */
export function rowLevels(tree: Tree, firstCells: readonly number[]): readonly number[] | null {
  if (firstCells.length < 2) return null;
  const distances = firstCells.map((cell) => (cell === 0 ? null : readIndent(tree, cell)));
  const steps = [...new Set(distances.filter((distance) => distance !== null))].toSorted((one, other) => one - other);
  if (steps.length < 2) return null;
  const levels = new Map(steps.map((step, level) => [step, Math.min(level, MAX_DEPTH)]));
  return distances.map((distance) => (distance === null ? 0 : (levels.get(distance) ?? 0)));
}

/** Whether a table of the page indents its rows like a discussion. */
export function hasThread(tree: Tree): boolean {
  for (let table = nextTagged(tree, TAG.table, 1); table !== 0; table = nextTagged(tree, TAG.table, table + 1)) {
    if (rowLevels(tree, listFirstCells(tree, table)) !== null) return true;
  }
  return false;
}

function listFirstCells(tree: Tree, table: number): readonly number[] {
  const cells: number[] = [];
  for (let part = firstChildOf(tree, table); part !== 0; part = nextOf(tree, part)) {
    const row = tagOf(tree, part) === TAG.tbody ? firstChildOf(tree, part) : part;
    for (let at = row; at !== 0; at = row === part ? 0 : nextOf(tree, at))
      if (tagOf(tree, at) === TAG.tr) cells.push(findFirstElement(tree, at));
  }
  return cells;
}

/** The indent of a row, from its first cell or from a table that fills that cell. Null if it has none. */
function readIndent(tree: Tree, cell: number): number | null {
  let node = cell;
  for (let level = 0; level < MAX_LEVELS && LAYOUT_TAGS[tagOf(tree, node)] === 1; level++) {
    const styled = INDENT_STYLE.exec(knownAttribute(tree, node, ATTRIBUTE.style) ?? '')?.[1];
    if (styled !== undefined) return Number(styled);
    if (tagOf(tree, node) === TAG.td) {
      const spacer = readSpacerWidth(tree, node, level > 0);
      if (spacer !== null) return spacer;
    }
    node = findFirstElement(tree, node);
  }
  return null;
}

/** The width of an empty cell, from its attributes or from the image in it. Null for any other cell. */
function readSpacerWidth(tree: Tree, cell: number, isNested: boolean): number | null {
  const end = subtreeEndOf(tree, cell);
  if (end - cell > MAX_SPACER_NODES) return null;
  const widths = [attributeOf(tree, cell, 'indent')];
  for (let node = cell + 1; node < end; node++) {
    if (isText(tree, node) && ((tree.flags[node] ?? 0) & WHITESPACE) === 0) return null;
    if (tagOf(tree, node) === TAG.img) widths.push(knownAttribute(tree, node, ATTRIBUTE.width));
  }
  // In an outer table all cells of a column are as wide as the widest one.
  if (isNested) widths.push(knownAttribute(tree, cell, ATTRIBUTE.width));
  for (const width of widths) {
    const found = WIDTH.exec(width ?? '')?.[1];
    if (found !== undefined) return Number(found);
  }
  return null;
}

function findFirstElement(tree: Tree, node: number): number {
  let child = firstChildOf(tree, node);
  while (child !== 0 && isText(tree, child) && ((tree.flags[child] ?? 0) & WHITESPACE) !== 0)
    child = nextOf(tree, child);
  return child;
}
