import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import MarkdownIt from 'markdown-it';
import type { Token } from 'markdown-it';

/** A Markdown page of a test site: the README of an installed package. */
export type Source = {
  /** The last path segment of its URL. */
  readonly slug: string;
  readonly title: string;
  /** Without its title. */
  readonly body: string;
};

const PACKAGES = join(import.meta.dirname, '../../node_modules');
const MIN_CHARACTERS = 1_200;
const MAX_CHARACTERS = 40_000;
/** Syntax that some generators interpret: expressions, shortcodes, attributes, containers, footnotes. */
const SPECIAL = /[{}]|:[a-z_]+:|^:::|\[\[|\[\^|\[![A-Z]+\]/m;
const SPECIAL_CODE = /\{\{/;
/** A file name in a leading comment, which some generators use as a title. */
const FILE_NAME = /^(?:.*\n){0,3}?(?:\/\/|#|<!--|\/\*)\s*\S*\.\w{1,4}\b[^\n]{0,4}\n/;
const IMAGE = /!\[[^\]\n]*\](?:\([^)\n]*\)|\[[^\]\n]*\])/g;
/** A link that is empty after its image was removed. */
const EMPTY_LINK = /\[\s*\](?:\([^)\n]*\)|\[[^\]\n]*\])/g;

export const MARKDOWN = new MarkdownIt({ html: true });

/**
 * The READMEs below node_modules that all generators interpret in the same way, sorted by name. Images and HTML blocks, which are
 * mostly badges and banners, are removed.
 */
export function listSources(most: number): readonly Source[] {
  const files = readdirSync(PACKAGES, { recursive: true, encoding: 'utf8' })
    .filter((file) => basename(file).toLowerCase() === 'readme.md' && !file.startsWith('.'))
    .toSorted();
  const found = new Map<string, Source>();
  const bodies = new Set<string>();
  for (const file of files) {
    const name = dirname(file).split(`node_modules${sep}`).at(-1) ?? '';
    const source = buildSource(name, readFileSync(join(PACKAGES, file), 'utf8'));
    if (source === null || found.has(source.slug) || bodies.has(source.body)) continue;
    found.set(source.slug, source);
    bodies.add(source.body);
  }
  return [...found.values()].slice(0, most);
}

/** Builds the page of a README; null if generators interpret it differently or it has no code. */
export function buildSource(name: string, readme: string): Source | null {
  const text = removeHtml(readme);
  const tokens = MARKDOWN.parse(text, {});
  const title = findTitle(tokens);
  if (text.length < MIN_CHARACTERS || text.length > MAX_CHARACTERS || title === 'many') return null;
  const inside = tokens.flatMap((token) => [token, ...(token.children ?? [])]);
  const shown = inside.filter(({ type }) => type === 'text').map(({ content }) => content);
  const isPlain = inside.every(
    ({ type, content }) =>
      !type.startsWith('html_') && type !== 'image' && !(type === 'code_inline' && SPECIAL_CODE.test(content)),
  );
  const isTitled = tokens.some(({ type, content }) => type === 'fence' && FILE_NAME.test(content));
  if (!isPlain || isTitled || SPECIAL.test(shown.join('\n')) || !inside.some(({ type }) => type === 'fence'))
    return null;
  const slug = name
    .replace(/^@/, '')
    .replace(/[^a-z0-9]+/gi, '-')
    .toLowerCase();
  if (title === null) return { slug, title: name, body: text.trim() };
  return { slug, title: title.text, body: removeLines(text, [title.lines]).trim() };
}

type LineRange = readonly [from: number, to: number];

/** The only first-level heading; `many` if there are several, null if there is none. */
function findTitle(tokens: readonly Token[]): { readonly text: string; readonly lines: LineRange } | 'many' | null {
  const at = tokens.findIndex(({ tag, level }) => tag === 'h1' && level === 0);
  if (tokens.filter(({ type, tag }) => type === 'heading_open' && tag === 'h1').length > 1) return 'many';
  const lines = tokens[at]?.map;
  const parts = tokens[at + 1]?.children ?? [];
  const text = parts
    .map(({ content }) => content)
    .join('')
    .trim();
  return at < 0 || lines === null || lines === undefined || text === '' ? null : { text, lines };
}

function removeHtml(text: string): string {
  const tokens = MARKDOWN.parse(text, {});
  const blocks = tokens.filter(({ type }) => type === 'html_block').map(({ map }) => map);
  const bare = removeLines(text, [...blocks.filter((lines) => lines !== null), ...listContentsTables(tokens)]);
  const code = MARKDOWN.parse(bare, {}).filter(({ type }) => type === 'fence' || type === 'code_block');
  const isCode = (line: number): boolean => code.some(({ map }) => map !== null && line >= map[0] && line < map[1]);
  return bare
    .split('\n')
    .map((line, at) => (isCode(at) ? line : line.replace(IMAGE, '').replace(EMPTY_LINK, '')))
    .join('\n');
}

/** Tables of contents with their headings; generators create their own. */
function listContentsTables(tokens: readonly Token[]): readonly LineRange[] {
  return tokens.flatMap((token, at) => {
    if (token.level !== 0 || !token.type.endsWith('_list_open') || token.map === null) return [];
    const end = tokens.findIndex(({ type, level }, one) => one > at && level === 0 && type.endsWith('_list_close'));
    const links = tokens
      .slice(at, end)
      .flatMap(({ children }) => children ?? [])
      .filter(({ type }) => type === 'link_open');
    if (links.length === 0 || !links.every((link) => link.attrGet('href')?.startsWith('#'))) return [];
    const heading = tokens[at - 1]?.type === 'heading_close' ? tokens[at - 3]?.map : null;
    const isAlone = tokens[end + 1] === undefined || tokens[end + 1]?.type === 'heading_open';
    return [token.map, ...(heading !== null && heading !== undefined && isAlone ? [heading] : [])];
  });
}

function removeLines(text: string, ranges: readonly LineRange[]): string {
  return text
    .split(/\r?\n/)
    .filter((_, at) => !ranges.some(([from, to]) => at >= from && at < to))
    .join('\n');
}

/** The path of a source's page in every site, without leading slash and extension. */
export function getSourcePath({ slug }: Source): string {
  return `${slug.slice(0, 1)}/${slug}`;
}

/** The sources by folder, as shown in sidebars. */
export function groupByFolder(sources: readonly Source[]): readonly { folder: string; pages: readonly Source[] }[] {
  const folders = Map.groupBy(sources, ({ slug }) => slug.slice(0, 1));
  return [...folders].map(([folder, pages]) => ({ folder, pages }));
}

/** A whole Markdown document, whose first heading is its title. */
export function toMarkdownDocument({ title, body }: Source): string {
  return `# ${title}\n\n${body}\n`;
}

/** The start page. */
export const START_PAGE = toMarkdownDocument({
  slug: '',
  title: 'Lab',
  body: 'Pages of the lab, one for each package.',
});
