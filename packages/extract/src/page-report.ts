import { explainTree } from './explain-page.ts';
import type { FieldMatches, PageReport, PickableElement } from './explained.ts';
import type { FieldMap } from './grammar.ts';
import { readCharacters, isText, getTagName, getParent, readText, type Tree } from '#extract/html/tree.ts';
import { selectCss } from '#extract/select/css.ts';
import { SelectionTooCostly } from './select/nodes.ts';
import { PageNodes } from '#extract/select/nodes.ts';
import { selectXPath } from '#extract/select/xpath.ts';
import { collapseSpace } from '#extract/values/space.ts';
import { ElementSelectors } from '#extract/view/selectors.ts';
import { markVisibleNodes } from '#extract/view/visible.ts';
import type { ReadRequest } from './reading.ts';

const MAX_ELEMENTS = 2000;
const MAX_TEXT_LENGTH = 200;
const MAX_MATCHES = 1000;
const MAX_VALUES = 20;
/** Maximum steps of the selectors of all fields. */
const MAX_STEPS = 20_000_000;

/** Builds the report on a parsed page. */
export function buildPageReport(tree: Tree, { url, fetchedAt, extract }: ReadRequest): PageReport {
  const selectors = new ElementSelectors(tree);
  return {
    explanation: explainTree(tree, { url, fetchedAt, selectors }),
    elements: listElements(tree, selectors),
    fields: matchFields(tree, extract?.fields ?? {}),
  };
}

/** The visible elements with their own text, in document order. */
function listElements(tree: Tree, selectors: ElementSelectors): readonly PickableElement[] {
  const visible = markVisibleNodes(tree);
  const found = new Set<number>();
  for (let node = 1; node < tree.count && found.size < MAX_ELEMENTS; node += 1) {
    const isShown = visible[node] === 1 && isText(tree, node) && readCharacters(tree, node).trim() !== '';
    if (isShown && getParent(tree, node) !== 0) found.add(getParent(tree, node));
  }
  return [...found].map((node) => {
    const similar = selectors.findSimilar(node);
    return {
      selector: selectors.findUnique(node),
      similar: similar?.selector ?? null,
      matches: similar?.matches ?? 1,
      tag: getTagName(tree, node),
      text: shorten(readText(tree, node)),
      depth: measureDepth(tree, node),
    };
  });
}

function matchFields(tree: Tree, fields: FieldMap): Readonly<Record<string, FieldMatches>> {
  const page = new PageNodes(tree, MAX_STEPS);
  return Object.fromEntries(
    Object.entries(fields).map(([name, { selector, xpath, attribute }]) => {
      const texts = selectTexts(page, { selector, xpath, attribute });
      return [name, { matches: texts?.length ?? null, values: (texts ?? []).slice(0, MAX_VALUES).map(shorten) }];
    }),
  );
}

type FieldSource = {
  readonly selector: string | undefined;
  readonly xpath: string | undefined;
  readonly attribute: string | undefined;
};

/** The texts that a field selects. Null for a field without a selector, or if selecting is too costly. */
function selectTexts(page: PageNodes, { selector, xpath, attribute }: FieldSource): readonly string[] | null {
  try {
    if (selector !== undefined) {
      return selectCss(page, selector, 0, MAX_MATCHES).map((node) => readTextAt(page, node, attribute));
    }
    if (xpath === undefined) return null;
    return selectXPath(page, xpath, 0, MAX_MATCHES).map((one) =>
      'text' in one ? one.text : readText(page.tree, one.node),
    );
  } catch (error) {
    if (error instanceof SelectionTooCostly) return null;
    throw error;
  }
}

function readTextAt(page: PageNodes, node: number, attribute: string | undefined): string {
  if (attribute === undefined) return readText(page.tree, node);
  return page.attribute(page.node(node), attribute) ?? '';
}

function shorten(text: string): string {
  return collapseSpace(text).slice(0, MAX_TEXT_LENGTH).toWellFormed();
}

function measureDepth(tree: Tree, node: number): number {
  let depth = 0;
  for (let at = getParent(tree, node); at !== 0; at = getParent(tree, at)) depth += 1;
  return depth;
}
