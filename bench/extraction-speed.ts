/** Prints what each step of reading a page costs, in ms a page: `npm run bench:extraction:speed`. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { toCleanHtml } from '#extract/formats/clean-html.ts';
import { mainContent } from '#extract/content/content.ts';
import { decodeBody } from '#extract/html/decode.ts';
import { imagesOf } from '#extract/formats/images.ts';
import { linksOf } from '#extract/formats/links.ts';
import { toMarkdown, toText } from '#extract/formats/markdown.ts';
import { toMetadata } from '#extract/facts/metadata.ts';
import { parseHtml } from '#extract/html/parse.ts';
import { readPage } from '#extract/read-page.ts';
import { resolverOf } from '#extract/content/resolve.ts';
import { sniffKind } from '#extract/html/sniff.ts';
import { toStructuredData } from '#extract/structured/structured-data.ts';
import { tablesOf } from '#extract/formats/tables.ts';
import { viewOf } from '#extract/content/view.ts';
import { countVisibleWords } from '#extract/facts/words.ts';
import { toMarkdownRequest } from '../test/support/read-request.ts';

type Page = { readonly name: string; readonly url: string; readonly body: Uint8Array<ArrayBuffer> };

const ROUNDS = 40;
const FIXTURES = new URL('../test/extract/fixtures/', import.meta.url);

function fixturePages(): readonly Page[] {
  const names = readdirSync(FIXTURES).filter((name) => name.endsWith('.html'));
  return names.map((name) => ({
    name,
    url: `https://example.org/${name}`,
    body: new Uint8Array(readFileSync(new URL(name, FIXTURES))),
  }));
}

/** The hundred pages that speed is compared on, from the corpus. */
function corpusPages(): readonly Page[] {
  const corpus = process.env['QUERN_CORPUS'];
  if (corpus === undefined) return [];
  const root = join(corpus, 'extraction');
  const rows: unknown = JSON.parse(readFileSync(join(root, 'speed100.json'), 'utf8'));
  return Array.isArray(rows) ? rows.map((row: unknown) => toPage(root, row)) : [];
}

function toPage(root: string, row: unknown): Page {
  const { suite, id, url } = Object.fromEntries(Object.entries(row ?? {}).map(([key, value]) => [key, String(value)]));
  const file = join(root, suite ?? '', 'pages', `${id}.html.br`);
  return { name: `${suite}/${id}`, url: url ?? '', body: new Uint8Array(brotliDecompressSync(readFileSync(file))) };
}

/** The steps of one reading with the ms each took. */
function timeSteps({ url, body }: Page): Map<string, number> {
  const times = new Map<string, number>();
  const timed = <T>(step: string, run: () => T): T => {
    const start = performance.now();
    const result = run();
    times.set(step, performance.now() - start);
    return result;
  };
  const { text, charset } = timed('decode', () => decodeBody(body, 'text/html', sniffKind(body, 'text/html').kind));
  const tree = timed('parse', () => parseHtml(text));
  const { kept } = timed('content', () => mainContent(tree, url));
  const view = timed('view', () => viewOf(tree, kept, resolverOf(tree, url)));
  timed('markdown', () => toMarkdown(view));
  const structured = timed('structured', () => toStructuredData(tree, url));
  timed('metadata', () => toMetadata(tree, { url, charset, structured, wordCount: countVisibleWords(view) }));
  timed('text', () => toText(view));
  timed('html', () => toCleanHtml(view));
  timed('links', () => linksOf(tree, view.resolve, url));
  timed('images', () => imagesOf(tree, view.resolve));
  timed('tables', () => tablesOf(view));
  timed('whole', () => readPage(toMarkdownRequest(body, url)));
  return times;
}

function report(title: string, pages: readonly Page[], rounds: number): void {
  if (pages.length === 0) return;
  const best = new Map<string, number>();
  for (let round = 0; round < rounds; round++) {
    const sums = new Map<string, number>();
    for (const page of pages) {
      for (const [step, ms] of timeSteps(page)) sums.set(step, (sums.get(step) ?? 0) + ms);
    }
    for (const [step, ms] of sums) best.set(step, Math.min(best.get(step) ?? Number.POSITIVE_INFINITY, ms));
  }
  const bytes = pages.reduce((sum, { body }) => sum + body.length, 0);
  console.log(
    `${title}: ${pages.length} pages, ${Math.round(bytes / pages.length / 1024)} KiB each; ms a page, best round`,
  );
  for (const [step, ms] of best) console.log(`  ${step.padEnd(12)}${(ms / pages.length).toFixed(3)}`);
}

for (const page of fixturePages()) report(page.name, [page], ROUNDS * 5);
report('corpus', corpusPages(), 5);
