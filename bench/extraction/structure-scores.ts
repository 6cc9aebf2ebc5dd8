import MarkdownIt from 'markdown-it';
import { defaultTreeAdapter as adapter, type DefaultTreeAdapterTypes, parse, parseFragment } from 'parse5';
import { bagF1, collapse, mean } from './text-scores.ts';

type Node =
  | DefaultTreeAdapterTypes.ChildNode
  | DefaultTreeAdapterTypes.Document
  | DefaultTreeAdapterTypes.DocumentFragment;
type Element = DefaultTreeAdapterTypes.Element;

const reader = new MarkdownIt({ html: true });
const UNSEEN = new Set('script style noscript template head svg iframe object select textarea button'.split(' '));
const BLOCKS = new Set(
  'address article aside blockquote body br caption center dd details dialog div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr html li main menu nav ol p pre section summary table tbody td tfoot th thead tr ul'.split(
    ' ',
  ),
);

/** Kinds of structure and the items of each, as texts that can be compared. */
export const STRUCTURES = ['headings', 'items', 'rows', 'code', 'links', 'images', 'strong', 'quotes'] as const;
export type Structure = Readonly<Record<(typeof STRUCTURES)[number], readonly string[]>>;

/** The text of HTML as its reader sees it, a line for each block; an independent parser, so that ours can be wrong. */
export function htmlText(html: string): string {
  return textOf(toTree(html));
}

/** The text that Markdown shows. */
export function markdownText(markdown: string): string {
  return htmlText(reader.render(markdown));
}

/** The structure that HTML has. */
export function htmlStructure(html: string, url: string): Structure {
  const found = { headings: [], items: [], rows: [], code: [], links: [], images: [], strong: [], quotes: [] };
  collect(toTree(html), url, found);
  return found;
}

/** The structure that Markdown shows. */
export function markdownStructure(markdown: string, url: string): Structure {
  return htmlStructure(reader.render(markdown), url);
}

/**
 * F1 of each kind of structure; null where neither side has any. `sections` are the headings without those that the
 * title of the page confirms, which labels leave out and Markdown starts with; null without a title.
 */
export function compareStructure(
  gold: Structure,
  found: Structure,
  title: string | null = null,
): Readonly<Record<string, number | null>> {
  const kinds = STRUCTURES.map((kind) => [kind, f1OfKind(gold[kind], found[kind])] as const);
  const sections =
    title === null ? null : f1OfKind(belowTitle(gold.headings, title), belowTitle(found.headings, title));
  return { ...Object.fromEntries(kinds), sections };
}

function f1OfKind(gold: readonly string[], found: readonly string[]): number | null {
  return gold.length + found.length === 0 ? null : bagF1(gold, found);
}

/** Of a title and a heading that holds it, or the other way round, the share that the shorter makes up at least. */
const MAX = 0.4;

function belowTitle(headings: readonly string[], title: string): readonly string[] {
  const whole = bare(title);
  return headings.filter((heading) => {
    const [short, long] = heading.length < whole.length ? [heading, whole] : [whole, heading];
    return short === '' || !long.includes(short) || short.length < MAX * long.length;
  });
}

/** The mean of each kind of structure over the pages that have any of it. */
export function meanStructure(
  pages: readonly Readonly<Record<string, number | null>>[],
): Readonly<Record<string, number>> {
  return Object.fromEntries(
    [...STRUCTURES, 'sections'].flatMap((kind) => {
      const figures = pages.map((page) => page[kind] ?? null).filter((value) => value !== null);
      return figures.length === 0 ? [] : [[kind, mean(figures)]];
    }),
  );
}

/** What players and frames show, as absolute URLs: Markdown can only link to it. */
export function framesOf(html: string, url: string): ReadonlySet<string> {
  const frames = new Set<string>();
  const visit = (node: Node): void => {
    const name = node.nodeName;
    if (adapter.isElementNode(node) && ['iframe', 'video', 'audio', 'embed', 'source'].includes(name)) {
      frames.add(absolute(attributeOf(node, 'src'), url));
    }
    for (const child of childrenOf(node)) visit(child);
  };
  visit(toTree(html));
  return frames;
}

function toTree(html: string): Node {
  return /<(?:!doctype|html|head|body)[\s>]/i.test(html.slice(0, 2000)) ? parse(html) : parseFragment(html);
}

function childrenOf(node: Node): readonly DefaultTreeAdapterTypes.ChildNode[] {
  return 'childNodes' in node ? node.childNodes : [];
}

function textOf(root: Node): string {
  const parts: string[] = [];
  const visit = (node: Node): void => {
    if (adapter.isTextNode(node)) parts.push(node.value);
    if (UNSEEN.has(node.nodeName)) return;
    const edge = BLOCKS.has(node.nodeName) ? '\n' : '';
    parts.push(edge);
    for (const child of childrenOf(node)) visit(child);
    parts.push(edge);
  };
  visit(root);
  return parts
    .join('')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n[\n ]*/g, '\n')
    .trim();
}

type Found = { readonly [Kind in keyof Structure]: string[] };

function collect(node: Node, url: string, found: Found): void {
  if (UNSEEN.has(node.nodeName)) return;
  if (adapter.isElementNode(node)) note(node, url, found);
  for (const child of childrenOf(node)) collect(child, url, found);
}

function note(node: Element, url: string, found: Found): void {
  const name = node.nodeName;
  if (/^h[1-6]$/.test(name)) push(found.headings, wordsOnly(node));
  else if (name === 'li') push(found.items, ownItem(node));
  else if (name === 'table') found.rows.push(...rowsOf(node));
  else if (name === 'pre') found.code.push(...linesOf(node));
  else if (name === 'a') push(found.links, linkOf(node, url));
  else if (name === 'img') push(found.images, imageOf(node, url));
  else if (name === 'strong' || name === 'b') push(found.strong, wordsOnly(node));
  else if (name === 'blockquote') push(found.quotes, wordsOnly(node));
}

function push(list: string[], value: string): void {
  if (value !== '') list.push(value);
}

function bare(text: string): string {
  return collapse(text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' '));
}

function wordsOnly(node: Node): string {
  return bare(textOf(node));
}

/** An item without the lists inside it. */
function ownItem(node: Element): string {
  const own = node.childNodes.filter((child) => child.nodeName !== 'ul' && child.nodeName !== 'ol');
  return bare(own.map(textOf).join('\n'));
}

/** Rows of a table that holds no other, empty cells left out; a table of one row or column lays out. */
function rowsOf(table: Element): readonly string[] {
  if (holdsTable(table)) return [];
  const sections = table.childNodes.flatMap((child) =>
    ['thead', 'tbody', 'tfoot'].includes(child.nodeName) ? childrenOf(child) : [child],
  );
  const rows = sections
    .filter((child) => child.nodeName === 'tr')
    .map((row) =>
      childrenOf(row)
        .filter((cell) => cell.nodeName === 'td' || cell.nodeName === 'th')
        .map(wordsOnly)
        .filter((cell) => cell !== ''),
    )
    .filter((row) => row.length > 0);
  return rows.length < 2 || Math.max(...rows.map((row) => row.length)) < 2 ? [] : rows.map((row) => row.join(' | '));
}

function holdsTable(node: Node): boolean {
  return childrenOf(node).some((child) => child.nodeName === 'table' || holdsTable(child));
}

function linesOf(pre: Element): readonly string[] {
  const raw = (node: Node): string =>
    adapter.isTextNode(node) ? node.value : node.nodeName === 'br' ? '\n' : childrenOf(node).map(raw).join('');
  return raw(pre)
    .replaceAll('\u00a0', ' ')
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '');
}

/** Fragments of the page itself and mail are no links to compare. */
function linkOf(node: Element, url: string): string {
  const target = attributeOf(node, 'href');
  const text = wordsOnly(node);
  if (target === '' || text === '' || /^(?:#|javascript:|mailto:)/i.test(target)) return '';
  return `${absolute(target, url)} ${text}`;
}

function imageOf(node: Element, url: string): string {
  const source = attributeOf(node, 'src');
  return source === '' || source.startsWith('data:') ? '' : absolute(source, url);
}

function attributeOf(node: Element, name: string): string {
  return node.attrs.find((attribute) => attribute.name === name)?.value ?? '';
}

function absolute(reference: string, url: string): string {
  const found = URL.parse(reference, url);
  if (found === null) return reference;
  found.hash = '';
  return found.href.replace(/\/$/, '');
}
