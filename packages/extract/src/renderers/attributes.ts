import { getAttribute, type Tree } from '#extract/html/tree.ts';
import type { AttributeQuery, AttributeValues } from '#extract/reading.ts';
import { selectCss } from '#extract/select/css.ts';
import { PageNodes, SelectionTooCostly } from '#extract/select/nodes.ts';
import { formatNameList, type ReadWarning } from '#extract/warnings.ts';

/** Maximum values of all queries of one page. */
export const MAX_ATTRIBUTE_VALUES = 10_000;
/** Maximum steps of each selector, and maximum elements that it may select. */
const MAX_STEPS = 20_000_000;
const MAX_SELECTED = 20_000;

/**
 * Reads attributes of the selected elements of the whole page, in document order. Values are as written in the page.
 * Elements without the attribute are skipped. Warns if values are left out, or if a selector is too costly; its values
 * are then empty.
 */
export function readAttributes(
  tree: Tree,
  queries: readonly AttributeQuery[],
): { readonly attributes: readonly AttributeValues[]; readonly warnings: readonly ReadWarning[] } {
  const page = new PageNodes(tree, MAX_STEPS);
  const costly: string[] = [];
  let left = MAX_ATTRIBUTE_VALUES;
  let isCut = false;
  const attributes = queries.map(({ selector, attribute }) => {
    const nodes = trySelect(page, selector);
    if (nodes === null) costly.push(selector);
    if (nodes?.length === MAX_SELECTED) isCut = true;
    const found = (nodes ?? []).flatMap((node) => getAttribute(tree, node, attribute.toLowerCase()) ?? []);
    if (found.length > left) isCut = true;
    const values = found.slice(0, left);
    left -= values.length;
    return { selector, attribute, values };
  });
  const warnings: ReadWarning[] = [];
  if (isCut)
    warnings.push({ code: 'truncated', message: `attributes end after ${MAX_ATTRIBUTE_VALUES} values of a page` });
  if (costly.length > 0)
    warnings.push({ code: 'selectors_ignored', message: `too costly for this page: ${formatNameList(costly)}` });
  return { attributes, warnings };
}

/** The selected elements; null if the selector is too costly for the page. */
function trySelect(page: PageNodes, selector: string): readonly number[] | null {
  try {
    return selectCss(page, selector, 0, MAX_SELECTED);
  } catch (error) {
    if (!(error instanceof SelectionTooCostly)) throw error;
    return null;
  }
}
