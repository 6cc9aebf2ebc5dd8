import { ATTRIBUTE, TAG } from '#extract/html/tag-names.ts';
import { buildTagSet } from '#extract/html/tags.ts';
import { getFirstChild, isText, getKnownAttribute, getNextSibling, getTag, type Tree } from '#extract/html/tree.ts';

/** A slot of a table: the cell that covers it, and whether only by a span. */
export type GridSlot = { readonly cell: number; readonly spanned: boolean };
export type Grid = {
  readonly rows: readonly (readonly GridSlot[])[];
  readonly width: number;
  readonly caption: number;
};

/** The most slots that spans may fill in one table, since a hostile page could exhaust memory. */
const MAX_SPANNED_SLOTS = 20_000;
const MAX_SPAN = 100;
const SECTIONS = buildTagSet('thead tbody tfoot');

/** Builds the grid of a table with spans expanded; nested tables stay inside their cells. `caption` is 0 if there is none. */
export function buildGrid(tree: Tree, table: number): Grid {
  const rowNodes: number[] = [];
  let caption = 0;
  for (let node = getFirstChild(tree, table); node !== 0; node = getNextSibling(tree, node)) {
    const tag = getTag(tree, node);
    if (tag === TAG.caption && caption === 0) caption = node;
    else if (tag === TAG.tr) rowNodes.push(node);
    else if (SECTIONS[tag] === 1) addRows(tree, node, rowNodes);
  }
  const rows = placeCells(tree, rowNodes);
  return { rows, width: rows.reduce((most, row) => Math.max(most, row.length), 0), caption };
}

function addRows(tree: Tree, section: number, rows: number[]): void {
  for (let node = getFirstChild(tree, section); node !== 0; node = getNextSibling(tree, node)) {
    if (getTag(tree, node) === TAG.tr) rows.push(node);
  }
}

/** A cell that extends into further rows, and how many rows remain. */
type RowSpan = { readonly cell: number; rows: number };

function placeCells(tree: Tree, rowNodes: readonly number[]): readonly (readonly GridSlot[])[] {
  const reaching = new Map<number, RowSpan>();
  let spare = MAX_SPANNED_SLOTS;
  return rowNodes.map((row) => {
    const places: GridSlot[] = [];
    const takeReaching = () => {
      for (let found = reaching.get(places.length); found !== undefined; found = reaching.get(places.length)) {
        const column = places.length;
        places.push({ cell: found.cell, spanned: true });
        if (--found.rows === 0) reaching.delete(column);
        if (--spare <= 0) reaching.clear();
      }
    };
    for (let node = getFirstChild(tree, row); node !== 0; node = getNextSibling(tree, node)) {
      const tag = getTag(tree, node);
      if (tag !== TAG.td && tag !== TAG.th) continue;
      takeReaching();
      const down = parseSpan(tree, node, ATTRIBUTE.rowspan) - 1;
      const across = Math.max(1, Math.min(parseSpan(tree, node, ATTRIBUTE.colspan), spare));
      for (let column = 0; column < across; column++) {
        if (down > 0 && spare > 0) reaching.set(places.length, { cell: node, rows: down });
        places.push({ cell: node, spanned: column > 0 });
      }
      spare -= across - 1;
    }
    takeReaching();
    return places;
  });
}

function parseSpan(tree: Tree, cell: number, attribute: number): number {
  const span = Number.parseInt(getKnownAttribute(tree, cell, attribute) ?? '1', 10);
  return span >= 1 ? Math.min(span, MAX_SPAN) : 1;
}

/** Whether an element contains an element with the tag. */
export function hasTag(tree: Tree, node: number, tag: number): boolean {
  const end = tree.subtreeEnd[node] ?? 0;
  for (let at = node + 1; at < end; at++) if (!isText(tree, at) && getTag(tree, at) === tag) return true;
  return false;
}
