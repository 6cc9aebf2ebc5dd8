import MarkdownIt from 'markdown-it';
import { defaultTreeAdapter as adapter, type DefaultTreeAdapterTypes, parse, parseFragment } from 'parse5';
import { computeBagF1, collapseSpace, computeMean } from './text-scores.ts';

type Node =
  | DefaultTreeAdapterTypes.ChildNode
  | DefaultTreeAdapterTypes.Document
  | DefaultTreeAdapterTypes.DocumentFragment;
type Element = DefaultTreeAdapterTypes.Element;

const reader = new MarkdownIt({ html: true });
const INVISIBLE_ELEMENTS = new Set(
  'script style noscript template head svg iframe object select textarea button'.split(' '),
);
const BLOCKS = new Set(
  'address article aside blockquote body br caption center dd details dialog div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr html li main menu nav ol p pre section summary table tbody td tfoot th thead tr ul'.split(
    ' ',
  ),
);

/** Kinds of structure and the items of each, as texts that can be compared. */
export const STRUCTURES = ['headings', 'items', 'rows', 'code', 'links', 'images', 'strong', 'quotes'] as const;
export type Structure = Readonly<Record<(typeof STRUCTURES)[number], readonly string[]>>;

/** The visible text of HTML, one line per block. It uses an independent parser, so that errors of ours show up. */
export function toHtmlText(html: string): string {
  return getText(toTree(html));
}

/** The visible text of Markdown. */
export function toMarkdownText(markdown: string): string {
  return toHtmlText(reader.render(markdown));
}

/** The structure of HTML. */
export function readHtmlStructure(html: string, url: string): Structure {
  const found = { headings: [], items: [], rows: [], code: [], links: [], images: [], strong: [], quotes: [] };
  collectStructure(toTree(html), url, found);
  return found;
}

/** The structure of rendered Markdown. */
export function readMarkdownStructure(markdown: string, url: string): Structure {
  return readHtmlStructure(reader.render(markdown), url);
}

/**
 * F1 of each kind of structure; null if neither side has any. `sections` are the headings without those that match the title
 * of the page, because Markdown starts with them and labels leave them out; null without a title.
 */
export function compareStructure(
  gold: Structure,
  found: Structure,
  title: string | null = null,
): Readonly<Record<string, number | null>> {
  const kinds = STRUCTURES.map((kind) => [kind, computeKindF1(gold[kind], found[kind])] as const);
  const sections =
    title === null
      ? null
      : computeKindF1(removeTitleHeadings(gold.headings, title), removeTitleHeadings(found.headings, title));
  return { ...Object.fromEntries(kinds), sections };
}

function computeKindF1(gold: readonly string[], found: readonly string[]): number | null {
  return gold.length + found.length === 0 ? null : computeBagF1(gold, found);
}

/** Minimum length of the shorter one, as a share of the longer one, for a heading that contains a title or the reverse. */
const MIN_TITLE_SHARE = 0.4;

function removeTitleHeadings(headings: readonly string[], title: string): readonly string[] {
  const whole = toBareWords(title);
  return headings.filter((heading) => {
    const [short, long] = heading.length < whole.length ? [heading, whole] : [whole, heading];
    return short === '' || !long.includes(short) || short.length < MIN_TITLE_SHARE * long.length;
  });
}

/** The mean of each kind of structure over the pages that have any of it. */
export function computeMeanStructure(
  pages: readonly Readonly<Record<string, number | null>>[],
): Readonly<Record<string, number>> {
  return Object.fromEntries(
    [...STRUCTURES, 'sections'].flatMap((kind) => {
      const figures = pages.map((page) => page[kind] ?? null).filter((value) => value !== null);
      return figures.length === 0 ? [] : [[kind, computeMean(figures)]];
    }),
  );
}

/** Absolute URLs of frames and media players, which Markdown can only link to. */
export function listFrames(html: string, url: string): ReadonlySet<string> {
  const frames = new Set<string>();
  const visit = (node: Node): void => {
    const name = node.nodeName;
    if (adapter.isElementNode(node) && ['iframe', 'video', 'audio', 'embed', 'source'].includes(name)) {
      frames.add(resolveUrl(getAttribute(node, 'src'), url));
    }
    for (const child of getChildren(node)) visit(child);
  };
  visit(toTree(html));
  return frames;
}

function toTree(html: string): Node {
  return /<(?:!doctype|html|head|body)[\s>]/i.test(html.slice(0, 2000)) ? parse(html) : parseFragment(html);
}

function getChildren(node: Node): readonly DefaultTreeAdapterTypes.ChildNode[] {
  return 'childNodes' in node ? node.childNodes : [];
}

function getText(root: Node): string {
  const parts: string[] = [];
  const visit = (node: Node): void => {
    if (adapter.isTextNode(node)) parts.push(node.value);
    if (INVISIBLE_ELEMENTS.has(node.nodeName)) return;
    const edge = BLOCKS.has(node.nodeName) ? '\n' : '';
    parts.push(edge);
    for (const child of getChildren(node)) visit(child);
    parts.push(edge);
  };
  visit(root);
  return parts
    .join('')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n[\n ]*/g, '\n')
    .trim();
}

type MutableStructure = { readonly [Kind in keyof Structure]: string[] };

function collectStructure(node: Node, url: string, found: MutableStructure): void {
  if (INVISIBLE_ELEMENTS.has(node.nodeName)) return;
  if (adapter.isElementNode(node)) addElement(node, url, found);
  for (const child of getChildren(node)) collectStructure(child, url, found);
}

function addElement(node: Element, url: string, found: MutableStructure): void {
  const name = node.nodeName;
  if (/^h[1-6]$/.test(name)) pushNonEmpty(found.headings, getBareText(node));
  else if (name === 'li') pushNonEmpty(found.items, getItemText(node));
  else if (name === 'table') found.rows.push(...readRows(node));
  else if (name === 'pre') found.code.push(...readLines(node));
  else if (name === 'a') pushNonEmpty(found.links, readLink(node, url));
  else if (name === 'img') pushNonEmpty(found.images, readImage(node, url));
  else if (name === 'strong' || name === 'b') pushNonEmpty(found.strong, getBareText(node));
  else if (name === 'blockquote') pushNonEmpty(found.quotes, getBareText(node));
}

function pushNonEmpty(list: string[], value: string): void {
  if (value !== '') list.push(value);
}

function toBareWords(text: string): string {
  return collapseSpace(text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' '));
}

function getBareText(node: Node): string {
  return toBareWords(getText(node));
}

/** The text of a list item without nested lists. */
function getItemText(node: Element): string {
  const own = node.childNodes.filter((child) => child.nodeName !== 'ul' && child.nodeName !== 'ol');
  return toBareWords(own.map(getText).join('\n'));
}

/** Rows of a table without nested tables, without empty cells. Tables of one row or column are layout. */
function readRows(table: Element): readonly string[] {
  if (containsTable(table)) return [];
  const sections = table.childNodes.flatMap((child) =>
    ['thead', 'tbody', 'tfoot'].includes(child.nodeName) ? getChildren(child) : [child],
  );
  const rows = sections
    .filter((child) => child.nodeName === 'tr')
    .map((row) =>
      getChildren(row)
        .filter((cell) => cell.nodeName === 'td' || cell.nodeName === 'th')
        .map(getBareText)
        .filter((cell) => cell !== ''),
    )
    .filter((row) => row.length > 0);
  return rows.length < 2 || Math.max(...rows.map((row) => row.length)) < 2 ? [] : rows.map((row) => row.join(' | '));
}

function containsTable(node: Node): boolean {
  return getChildren(node).some((child) => child.nodeName === 'table' || containsTable(child));
}

function readLines(pre: Element): readonly string[] {
  const raw = (node: Node): string =>
    adapter.isTextNode(node) ? node.value : node.nodeName === 'br' ? '\n' : getChildren(node).map(raw).join('');
  return raw(pre)
    .replaceAll('\u00a0', ' ')
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '');
}

/** Formats a link; empty for fragments and mail links, which are not compared. */
function readLink(node: Element, url: string): string {
  const target = getAttribute(node, 'href');
  const text = getBareText(node);
  if (target === '' || text === '' || /^(?:#|javascript:|mailto:)/i.test(target)) return '';
  return `${resolveUrl(target, url)} ${text}`;
}

function readImage(node: Element, url: string): string {
  const source = getAttribute(node, 'src');
  return source === '' || source.startsWith('data:') ? '' : resolveUrl(source, url);
}

function getAttribute(node: Element, name: string): string {
  return node.attrs.find((attribute) => attribute.name === name)?.value ?? '';
}

function resolveUrl(reference: string, url: string): string {
  const found = URL.parse(reference, url);
  if (found === null) return reference;
  found.hash = '';
  return found.href.replace(/\/$/, '');
}
