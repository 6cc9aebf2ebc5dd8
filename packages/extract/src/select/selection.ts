import { selectCss } from './css.ts';
import { SelectionTooCostly } from './cpu-time.ts';
import { NodePage } from './nodes.ts';
import { parentOf, subtreeEndOf, type Tree } from '#extract/html/tree.ts';

/** Steps that each selector of a page may take, and nodes that it may find. */
const MAX_STEPS = 20_000_000;
const MAX_FOUND = 20_000;

export type Selectors = { readonly include: readonly string[]; readonly exclude: readonly string[] };

/**
 * The nodes kept after selectors are applied: included elements replace the choice made for the page, excluded ones are
 * taken out of it. Also tells whether the selectors used up their share of work, which leaves later ones without effect.
 */
export function selectKept(
  tree: Tree,
  chosen: Uint8Array,
  selectors: Selectors,
): { kept: Uint8Array; cutShort: boolean } {
  const page = new NodePage(tree, MAX_STEPS);
  const kept = selectors.include.length > 0 ? new Uint8Array(tree.count) : chosen.slice();
  try {
    for (const selector of selectors.include) includeAll(tree, kept, selectCss(page, selector, 0, MAX_FOUND));
    for (const selector of selectors.exclude) {
      for (const node of selectCss(page, selector, 0, MAX_FOUND)) kept.fill(0, node, subtreeEndOf(tree, node));
    }
  } catch (error) {
    if (!(error instanceof SelectionTooCostly)) throw error;
    return { kept, cutShort: true };
  }
  return { kept, cutShort: false };
}

/** Keeps elements whole and what stands around them; in document order, so each node is filled once. */
function includeAll(tree: Tree, kept: Uint8Array, nodes: readonly number[]): void {
  let done = 0;
  for (const node of nodes) {
    const end = subtreeEndOf(tree, node);
    if (end > done) kept.fill(1, node, end);
    done = Math.max(done, end);
    for (let around = parentOf(tree, node); around !== 0 && kept[around] !== 1; around = parentOf(tree, around)) {
      kept[around] = 1;
    }
    kept[0] = 1;
  }
}
