/**
 * Cuts whole documentation sets into chunks, and compares them with their Markdown as another parser reads it:
 * `npm run bench -- chunks [--only git,cmake] [--pages 150] [--root FOLDER] [--tokens 512] [--tokenizer cl100k_base]
 * [--worst 5]`. The sets are those of `npm run bench -- docs`. Exits with 1 if text is lost or a block is cut.
 */
import { parseArgs } from 'node:util';
import { chunkMarkdown, type Chunk, type Chunking, DEFAULT_CHUNKING } from '#extract/chunks/chunk-markdown.ts';
import { findBlocks, splitLines } from '#extract/chunks/markdown-blocks.ts';
import { TOKENIZERS } from '#extract/chunks/tokens.ts';
import { findChunkFaults } from '#testkit/chunk-faults.ts';
import { parseNumberOption, parseOnlyOption } from './command-line.ts';
import { type DocsPage, isInstalled, readPages } from './docs/pages.ts';
import { SETS } from './docs/sets.ts';

/** The sets that are compared by default. */
const DEFAULT_SETS = 'apache,git,cmake,nodejs,gtk,django,doxygen,bind,zsh,book,rustdoc,boost';
const ROUNDS = 3;
const INSERTIONS = 5;
const PARAGRAPH =
  'This option has no effect unless the cache is enabled. Set it before the first request, because later values are ignored until the process starts again.';

const options = {
  only: { type: 'string', default: DEFAULT_SETS },
  pages: { type: 'string', default: '150' },
  root: { type: 'string', default: '/' },
  tokens: { type: 'string', default: '512' },
  tokenizer: { type: 'string', default: 'o200k_base' },
  worst: { type: 'string', default: '0' },
} as const;

const { values } = parseArgs({ options });
const names = parseOnlyOption(values.only, Object.keys(SETS));
const maxPages = parseNumberOption(values, 'pages', { least: 1, most: 10_000 }) ?? 1;
const worstCount = parseNumberOption(values, 'worst', { least: 0, most: 1000 }) ?? 0;
const tokenizer = TOKENIZERS.find((name) => name === values.tokenizer);
if (tokenizer === undefined) throw new Error(`--tokenizer must be one of ${TOKENIZERS.join(', ')}`);
const chunking: Chunking = {
  ...DEFAULT_CHUNKING,
  tokenizer,
  maxTokens: parseNumberOption(values, 'tokens', { least: 16, most: 100_000 }) ?? 512,
};

const FIGURES = [
  'pages',
  'characters',
  'chunks',
  'tokens',
  'marked',
  'lost',
  'cut',
  'tooLarge',
  'repeatedIds',
  'inserted',
  'written',
  'overTwo',
] as const;

/**
 * The figures of a set. `marked` are chunks with parts of large blocks; `inserted` are paragraphs inserted for a test,
 * `written` the chunks that they changed or added, and `overTwo` the paragraphs that changed or added more than two.
 */
type Row = Record<(typeof FIGURES)[number], number>;

const columns =
  'pages | KB a page | chunks | tokens a chunk | with parts | ms a page | characters lost | blocks cut | too large | changed by a paragraph | more than two';
console.log(`| set | ${columns} |\n|${'---|'.repeat(columns.split('|').length + 1)}`);
const total = { row: createRow(), ms: 0 };
for (const name of names) {
  const set = SETS[name];
  if (set === undefined || !isInstalled(set, values.root)) console.log(`not installed: ${name} (${set?.from})`);
  else printSet(name, [...readPages(set, values.root, maxPages)]);
}
printRow('all', total.row, total.ms);
const { lost, cut, tooLarge, repeatedIds } = total.row;
if (lost + cut + tooLarge + repeatedIds > 0) process.exitCode = 1;

function createRow(): Row {
  return {
    pages: 0,
    characters: 0,
    chunks: 0,
    tokens: 0,
    marked: 0,
    lost: 0,
    cut: 0,
    tooLarge: 0,
    repeatedIds: 0,
    inserted: 0,
    written: 0,
    overTwo: 0,
  };
}

function printSet(name: string, pages: readonly DocsPage[]): void {
  const row = createRow();
  for (const page of pages) addPage(row, name, page);
  const ms = measureMs(pages);
  printRow(name, row, ms);
  total.ms += ms;
  for (const figure of FIGURES) total.row[figure] += row[figure];
}

function addPage(row: Row, set: string, page: DocsPage): void {
  const chunks = cutPage(page);
  const faults = findChunkFaults(page.markdown, chunks, chunking);
  row.pages += 1;
  row.characters += page.markdown.length;
  row.chunks += chunks.length;
  row.tokens += chunks.reduce((sum, { tokens }) => sum + tokens, 0);
  row.marked += faults.marked;
  row.lost += faults.lostCharacters;
  row.cut += faults.cutBlocks.length;
  row.tooLarge += faults.tooLarge;
  row.repeatedIds += chunks.length - new Set(chunks.map(({ id }) => id)).size;
  addInsertions(row, page, chunks);
  if (faults.lostCharacters > 0 && worstCount > 0) console.log(`  ${faults.lostCharacters} lost: ${set}/${page.path}`);
  for (const block of faults.cutBlocks.slice(0, worstCount))
    console.log(`  cut: ${set}/${page.path}: ${JSON.stringify(block.slice(0, 200))}`);
}

/** Inserts a paragraph at several places of a page, one at a time, and counts the chunks that an index would write. */
function addInsertions(row: Row, page: DocsPage, chunks: readonly Chunk[]): void {
  const { markdown } = page;
  const known = new Set(chunks.map(toKey));
  const blocks = findBlocks(splitLines(markdown));
  for (let nth = 1; nth <= INSERTIONS; nth++) {
    const at = blocks[Math.floor((blocks.length * nth) / (INSERTIONS + 1))]?.from ?? 0;
    const edited = `${markdown.slice(0, at)}${PARAGRAPH} (${page.path}, ${nth})\n\n${markdown.slice(at)}`;
    const written = cutPage({ ...page, markdown: edited }).filter((chunk) => !known.has(toKey(chunk))).length;
    row.inserted += 1;
    row.written += written;
    row.overTwo += Number(written > 2);
  }
}

function toKey({ id, content_hash: hash }: Chunk): string {
  return `${id} ${hash}`;
}

function cutPage({ markdown, url, metadata }: DocsPage): readonly Chunk[] {
  return chunkMarkdown({ markdown, url, title: metadata.title, anchors: new Map() }, chunking).chunks;
}

/** CPU time of the chunker for all pages, tokenizer included, in the fastest round. */
function measureMs(pages: readonly DocsPage[]): number {
  let fastest = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const before = process.cpuUsage();
    for (const page of pages) cutPage(page);
    const { user, system } = process.cpuUsage(before);
    fastest = Math.min(fastest, (user + system) / 1000);
  }
  return fastest;
}

function printRow(name: string, row: Row, ms: number): void {
  const cells = [
    name,
    row.pages,
    (row.characters / row.pages / 1000).toFixed(1),
    row.chunks,
    (row.tokens / row.chunks).toFixed(0),
    row.marked,
    (ms / row.pages).toFixed(2),
    row.lost,
    row.cut,
    row.tooLarge,
    (row.written / row.inserted).toFixed(2),
    `${((100 * row.overTwo) / row.inserted).toFixed(1)} %`,
  ];
  console.log(`| ${cells.join(' | ')} |`);
}
