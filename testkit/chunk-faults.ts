import MarkdownIt from 'markdown-it';
import type { Chunk, Chunking } from '#extract/chunks/chunk-markdown.ts';
import { createTokenCounter } from '#extract/chunks/tokens.ts';

const parser = new MarkdownIt({ html: true });

/** What is wrong with the chunks of a Markdown text, by kind; `marked` counts the chunks with parts of large blocks. */
export type ChunkFaults = {
  readonly lostCharacters: number;
  readonly cutBlocks: readonly string[];
  readonly tooLarge: number;
  readonly marked: number;
};

/**
 * Compares chunks without overlap and context with their Markdown, read by a parser of its own: characters that are in
 * no chunk or in two, blocks that are cut although they fit, and chunks above the bound or with a wrong count.
 */
export function findChunkFaults(
  markdown: string,
  chunks: readonly Chunk[],
  { maxTokens, tokenizer }: Chunking,
): ChunkFaults {
  const count = createTokenCounter(tokenizer);
  const positions = countInk(markdown);
  const stream = markdown.replaceAll(/\s+/g, '');
  const ends: number[] = [];
  let at = 0;
  let lostCharacters = 0;
  for (const { text } of chunks) {
    const own = listBodies(text).find((body) => stream.startsWith(body, at));
    if (own === undefined) {
      const ink = text.replaceAll(/\s+/g, '');
      const found = stream.indexOf(ink, at);
      lostCharacters += found < 0 ? ink.length : found - at;
      at = found < 0 ? at + ink.length : found + ink.length;
    } else at += own.length;
    ends.push(at);
  }
  lostCharacters += Math.abs(stream.length - at);
  const chunkAt = (offset: number): number => findIndex(ends, positions[offset] ?? 0);
  const cutBlocks = listAtoms(markdown).filter(({ from, to }) => {
    const [first, last] = [chunkAt(from), chunkAt(to - 1)];
    if (first === last) return false;
    const isMarked = chunks.slice(first, last + 1).every(({ split }) => split === true);
    return !isMarked || count(markdown.slice(from, to).trim()) <= maxTokens;
  });
  return {
    lostCharacters,
    cutBlocks: cutBlocks.map(({ from, to }) => markdown.slice(from, to)),
    tooLarge: chunks.filter(({ text, tokens }) => tokens > maxTokens || tokens !== count(text)).length,
    marked: chunks.filter(({ split }) => split === true).length,
  };
}

/** The text of a chunk as it is, and without a repeated fence or header and a closing fence; without white space. */
function listBodies(text: string): readonly string[] {
  const lines = text.split('\n');
  const bodies = [0, 1, 2].flatMap((before) =>
    [0, 1].map((after) => lines.slice(before, lines.length - after).join('')),
  );
  return bodies.map((body) => body.replaceAll(/\s+/g, ''));
}

/** The number of characters other than white space before each. */
function countInk(text: string): Int32Array {
  const positions = new Int32Array(text.length + 1);
  for (let at = 0; at < text.length; at++)
    positions[at + 1] = (positions[at] ?? 0) + (/\s/.test(text.charAt(at)) ? 0 : 1);
  return positions;
}

/** The first chunk that ends after a position. */
function findIndex(ends: readonly number[], position: number): number {
  let low = 0;
  let high = ends.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ends[middle] ?? 0) > position) high = middle;
    else low = middle + 1;
  }
  return low;
}

type Range = { readonly from: number; readonly to: number };

const ATOMS = new Set(['fence', 'code_block', 'tr_open', 'list_item_open']);

/** The code blocks, rows, items and formulas of a Markdown text, without white space around them. */
function listAtoms(markdown: string): readonly Range[] {
  const starts = [0];
  for (let at = markdown.indexOf('\n'); at >= 0; at = markdown.indexOf('\n', at + 1)) starts.push(at + 1);
  const offset = (line: number): number => starts[line] ?? markdown.length;
  return parser.parse(markdown, {}).flatMap(({ type, map, content }) => {
    if (map === null) return [];
    const from = offset(map[0]);
    const own = markdown.slice(from, offset(map[1]));
    if (ATOMS.has(type)) return [trimRange(markdown, { from, to: from + own.length })];
    if (type !== 'inline' || !content.includes('$$')) return [];
    return Array.from(own.matchAll(/(?<!\\)\$\$[^$]+\$\$/g), ({ index, 0: formula }) => ({
      from: from + index,
      to: from + index + formula.length,
    }));
  });
}

function trimRange(text: string, { from, to }: Range): Range {
  const own = text.slice(from, to);
  const start = from + own.length - own.trimStart().length;
  return { from: start, to: Math.max(start + 1, from + own.trimEnd().length) };
}
