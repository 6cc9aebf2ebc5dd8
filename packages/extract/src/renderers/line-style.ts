import { ATTRIBUTE } from '#extract/html/tag-names.ts';
import { knownAttribute, type Tree } from '#extract/html/tree.ts';

const OWN_LINE_STYLE = /(?:^|[;\s])display\s{0,9}:\s{0,9}(?:block|flex|grid|table|list-item)\b/i;
/** Classes of common style sheets that say the same. */
const OWN_LINE_CLASS = /(?:^|\s)(?:d-block|block)(?:\s|$)/;
const WHITE_SPACE_STYLE = /(?:^|[;\s])white-space\s{0,9}:\s{0,9}([a-z-]+)/i;
const WHITE_SPACE_CLASS = /(?:^|\s)(?:whitespace|text)-(pre-line|pre-wrap|pre|break-spaces)(?:\s|$)/;
const KEEPS_LINES = /^(?:pre|pre-line|pre-wrap|break-spaces)$/i;

/** Whether the style of an element sets it on lines of its own. */
export function hasOwnLine(tree: Tree, node: number): boolean {
  const style = knownAttribute(tree, node, ATTRIBUTE.style);
  if (style !== null && OWN_LINE_STYLE.test(style)) return true;
  const names = knownAttribute(tree, node, ATTRIBUTE.class);
  return names !== null && OWN_LINE_CLASS.test(names);
}

/** Whether the style of an element shows the line breaks of its source; null where it says nothing of them. */
export function keepsLines(tree: Tree, node: number): boolean | null {
  if (tree.attributeCount[node] === 0) return null;
  const style = knownAttribute(tree, node, ATTRIBUTE.style);
  const styled = style === null ? undefined : WHITE_SPACE_STYLE.exec(style)?.[1];
  if (styled !== undefined) return KEEPS_LINES.test(styled);
  const names = knownAttribute(tree, node, ATTRIBUTE.class);
  return names !== null && WHITE_SPACE_CLASS.test(names) ? true : null;
}
