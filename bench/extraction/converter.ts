import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import MarkdownIt from 'markdown-it';
import { z } from 'zod';
import { parseHtml } from '#extract/html/parse.ts';
import {
  getAttribute,
  readCharacters,
  listChildren,
  isText,
  getTagName,
  readText,
  type Tree,
} from '#extract/html/tree.ts';
import { toMarkdown } from '#extract/renderers/markdown.ts';
import { createResolver } from '#extract/view/resolve-reference.ts';
import { buildView } from '#extract/view/view.ts';
import { readSuite, type Sample } from './corpus.ts';
import {
  compareStructure,
  listFrames,
  readHtmlStructure,
  readMarkdownStructure,
  computeMeanStructure,
} from './structure-scores.ts';
import type { Scores } from './suites.ts';

const reader = new MarkdownIt({ html: true });
const Examples = z.array(z.object({ suite: z.string(), n: z.number(), html: z.string() }));
const EXAMPLE_URL = 'http://h.example/';

/** Converts the whole HTML to Markdown, without choosing the main content. */
export function toMarkdownFromHtml(html: string, url: string): string {
  const tree = parseHtml(html);
  return toMarkdown(buildView(tree, new Uint8Array(tree.count).fill(1), createResolver(tree, url)));
}

/** Whether rendering Markdown and converting it again gives the same text. */
function isStable(markdown: string, url: string): boolean {
  return toMarkdownFromHtml(reader.render(markdown), url) === markdown;
}

/**
 * Scores how much structure of the labelled content is kept in Markdown, and the share of pages whose Markdown is stable.
 * Links of frames are not compared.
 */
export function scoreFragments(samples: readonly Sample[]): Scores {
  const again = samples.filter((sample) => isStable(toMarkdownFromHtml(getGoldHtml(sample), sample.url), sample.url));
  const structure = computeMeanStructure(
    samples.map((sample) => {
      const { url } = sample;
      const html = getGoldHtml(sample);
      const frames = listFrames(html, url);
      const found = readMarkdownStructure(toMarkdownFromHtml(html, url), url);
      const links = found.links.filter((link) => !frames.has(link.slice(0, link.indexOf(' '))));
      return compareStructure(readHtmlStructure(html, url), { ...found, links });
    }),
  );
  return samples.length === 0 ? structure : { ...structure, again: again.length / samples.length };
}

function getGoldHtml({ gold }: Sample): string {
  return gold.html ?? reader.render(gold.markdown ?? '');
}

/** Pages whose labelled content is HTML or Markdown. */
export function readFragmentSamples(corpus: string): readonly Sample[] {
  return [...readSuite(corpus, 'readability-pages'), ...readSuite(corpus, 'defuddle-fixtures')];
}

/** A Markdown specification example that changes in a round trip. */
export type RoundTripLoss = {
  readonly example: string;
  readonly markdown: string;
  readonly wanted: string;
  readonly got: string;
};
/** `again` is the number of examples whose Markdown is stable. */
export type RoundTripResult = {
  readonly all: number;
  readonly again: number;
  readonly losses: readonly RoundTripLoss[];
};

/** Converts the HTML examples of the CommonMark and GFM specifications to Markdown and back; null if they are not installed. */
export function measureRoundTrips(corpus: string): RoundTripResult | null {
  const file = join(corpus, 'tables/md-roundtrip.json');
  if (!existsSync(file)) return null;
  const examples = Examples.parse(JSON.parse(readFileSync(file, 'utf8')));
  const again = examples.filter(({ html }) => isStable(toMarkdownFromHtml(html, EXAMPLE_URL), EXAMPLE_URL));
  const losses = examples.flatMap(({ suite, n, html }): readonly RoundTripLoss[] => {
    const markdown = toMarkdownFromHtml(html, EXAMPLE_URL);
    const wanted = normalizeHtml(resolveReferences(html));
    const got = normalizeHtml(reader.render(markdown));
    return got === wanted ? [] : [{ example: `${suite} ${n}`, markdown, wanted, got }];
  });
  return { all: examples.length, again: again.length, losses };
}

/** Resolves relative URLs in HTML. */
function resolveReferences(html: string): string {
  return html.replace(/(href|src)="(?!#)([^"]*)"/g, (found, name: string, value: string) => {
    const url = URL.parse(value.replaceAll('&amp;', '&'), EXAMPLE_URL)?.href;
    return url === undefined ? found : `${name}="${url.replaceAll('&', '&amp;')}"`;
  });
}

const INVISIBLE = new Set(['script', 'style', 'template', 'title', 'textarea']);
/** Elements with the same meaning. */
const ELEMENT_SYNONYMS = new Map([
  ['b', 'strong'],
  ['i', 'em'],
  ['s', 'del'],
  ['strike', 'del'],
]);
const CONTAINERS = new Set('html head body div section article main thead tbody tfoot'.split(' '));
const BLOCKS = new Set('p ul ol li blockquote pre table tr td th h1 h2 h3 h4 h5 h6 hr'.split(' '));
/** Blocks that are visible even if empty: list items, rules, cells. */
const SHOWN_EMPTY = new Set(['li', 'hr', 'td', 'th', 'tr']);
/** Blocks whose text is not wrapped in a paragraph. */
const TEXT_BLOCKS = new Set('li td th h1 h2 h3 h4 h5 h6'.split(' '));
const INLINE = new Set('strong em del code a sup sub'.split(' '));
const ATTRIBUTES = ['href', 'src', 'alt', 'title', 'start'];

/**
 * Normalizes HTML to what a reader sees, so that fragments that look the same are equal: containers, empty elements and elements
 * without meaning are removed, text next to blocks becomes a paragraph, and white space is collapsed.
 */
function normalizeHtml(html: string): string {
  return renderBlocks(parseHtml(html), 0, true);
}

function renderBlocks(tree: Tree, parent: number, wrap: boolean): string {
  let out = '';
  let run = '';
  const flush = () => {
    const line = collapseSpaces(run);
    run = '';
    if (line !== '') out += wrap ? `<p>${line}</p>` : line;
  };
  for (const node of listChildren(tree, parent)) {
    const name = getTagName(tree, node);
    if (CONTAINERS.has(name) || (!BLOCKS.has(name) && containsBlock(tree, node))) {
      flush();
      out += renderBlocks(tree, node, wrap);
    } else if (BLOCKS.has(name)) {
      flush();
      out += renderBlock(tree, node, name);
    } else run += renderInline(tree, node);
  }
  flush();
  return out;
}

function containsBlock(tree: Tree, node: number): boolean {
  return listChildren(tree, node).some((child) => BLOCKS.has(getTagName(tree, child)) || containsBlock(tree, child));
}

function renderBlock(tree: Tree, node: number, name: string): string {
  if (name === 'p') return renderBlocks(tree, node, true);
  const inner = name === 'pre' ? escapeText(readText(tree, node)) : renderBlocks(tree, node, !TEXT_BLOCKS.has(name));
  if (inner.trim() === '' && !SHOWN_EMPTY.has(name)) return '';
  // The last paragraph of an item has no spacing after it.
  const shown = name === 'li' ? inner.replace(/<p>((?:(?!<p>)[^])*?)<\/p>$/, '$1') : inner;
  return `<${renderTag(tree, node, name)}>${shown}</${name}>`;
}

function renderInline(tree: Tree, node: number): string {
  if (isText(tree, node)) return escapeText(readCharacters(tree, node).replace(/\s+/g, ' '));
  const name = ELEMENT_SYNONYMS.get(getTagName(tree, node)) ?? getTagName(tree, node);
  if (INVISIBLE.has(name)) return '';
  if (name === 'br' || name === 'img') return `<${renderTag(tree, node, name)}>`;
  const inner = listChildren(tree, node)
    .map((child) => renderInline(tree, child))
    .join('');
  const plain = !INLINE.has(name) || (name === 'a' && getAttribute(tree, node, 'href') === null);
  return inner === '' || plain ? inner : `<${renderTag(tree, node, name)}>${inner}</${name}>`;
}

function renderTag(tree: Tree, node: number, name: string): string {
  const values = ATTRIBUTES.map((attribute) => getAttribute(tree, node, attribute) ?? '');
  return [name, ...values.filter((value) => value !== '' && value !== '1').map(encodeURIComponent)].join(' ');
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

/** Collapses spaces as a browser does: at the ends, next to line breaks, and repeated ones. */
function collapseSpaces(run: string): string {
  return run
    .replace(/\s+/g, ' ')
    .replace(/ ((?:<[^>]*>)+) /g, ' $1')
    .replace(/(^|<br>)((?:<[^>]*>)*) /g, '$1$2')
    .replace(/ ((?:<\/[^>]*>)*)($|<br>)/g, '$1$2');
}
