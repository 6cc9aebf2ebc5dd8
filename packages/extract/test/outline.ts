import { type DefaultTreeAdapterTypes, html, parse } from 'parse5';
import {
  listAttributes,
  readCharacters,
  listChildren,
  HTML_NAMESPACE,
  isText,
  MATHML_NAMESPACE,
  getTagName,
  SVG_NAMESPACE,
  type Tree,
} from '#extract/html/tree.ts';

/** The standard and parse5 differ in the content of noscript in the head and of select. */
export const DISPUTED = /<\/?(noscript|select|option|optgroup)\b[^>]*>/gi;

/** One line of an outline: depth and content. Adjacent texts are joined. */
type Line = { readonly depth: number; readonly label: string; readonly text: boolean };

/** The tree in the notation of the html5lib tests, names in lower case, without comments and doctypes. */
export function formatOutline(tree: Tree): string {
  const lines: Line[] = [];
  addNodes(tree, 0, 0, lines);
  return toText(lines);
}

function addNodes(tree: Tree, parent: number, depth: number, lines: Line[]): void {
  for (const node of listChildren(tree, parent)) {
    if (isText(tree, node)) {
      lines.push({ depth, label: readCharacters(tree, node), text: true });
      continue;
    }
    const space = tree.namespace[node] ?? HTML_NAMESPACE;
    const prefix = space === SVG_NAMESPACE ? 'svg ' : space === MATHML_NAMESPACE ? 'math ' : '';
    lines.push({ depth, label: `<${prefix}${getTagName(tree, node)}>`, text: false });
    addAttributes(listAttributes(tree, node), depth + 1, lines);
    const template = getTagName(tree, node) === 'template' && space === HTML_NAMESPACE;
    if (template) lines.push({ depth: depth + 1, label: 'content', text: false });
    addNodes(tree, node, depth + (template ? 2 : 1), lines);
  }
}

function addAttributes(attributes: readonly { name: string; value: string }[], depth: number, lines: Line[]): void {
  const labels = attributes.map(
    ({ name, value }) => `${name.replace(/^(xlink|xml|xmlns) /, '$1:').toLowerCase()}="${value}"`,
  );
  for (const label of labels.toSorted()) lines.push({ depth, label, text: false });
}

function toText(lines: readonly Line[]): string {
  let out = '';
  let open: Line | null = null;
  for (const line of lines) {
    if (line.text && line.label === '') continue;
    if (line.text && open !== null && open.depth === line.depth) out += line.label;
    else out += `${open === null ? '' : '"'}\n| ${'  '.repeat(line.depth)}${line.text ? '"' : ''}${line.label}`;
    open = line.text ? line : null;
  }
  return (open === null ? out : `${out}"`).slice(1);
}

/** The same outline of parse5's tree of the source, scripting off. */
export function oracleOutline(source: string): string {
  const lines: Line[] = [];
  addOracleNodes(parse(source, { scriptingEnabled: false }).childNodes, 0, lines);
  return toText(lines);
}

function addOracleNodes(nodes: readonly DefaultTreeAdapterTypes.ChildNode[], depth: number, lines: Line[]): void {
  for (const node of nodes) {
    if ('value' in node) lines.push({ depth, label: node.value, text: true });
    if (!('tagName' in node)) continue;
    const prefix = node.namespaceURI === html.NS.SVG ? 'svg ' : node.namespaceURI === html.NS.MATHML ? 'math ' : '';
    lines.push({ depth, label: `<${prefix}${node.tagName.toLowerCase()}>`, text: false });
    const attributes = node.attrs.map((attr) => ({
      name: attr.prefix ? `${attr.prefix}:${attr.name}` : attr.name,
      value: attr.value,
    }));
    addAttributes(attributes, depth + 1, lines);
    if ('content' in node) {
      lines.push({ depth: depth + 1, label: 'content', text: false });
      addOracleNodes(node.content.childNodes, depth + 2, lines);
    }
    addOracleNodes(node.childNodes, depth + 1, lines);
  }
}
