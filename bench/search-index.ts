/**
 * Known-item search in the full-text index: searches for each page by the words of its title, and by six words from the middle
 * of its text. `npm run bench -- search-index [--postgres URL]` reads every page of the corpus, and prints for both stores the mean
 * reciprocal rank among ten, the time of a query, pages a second while adding, and the size against the text.
 */
import { parseArgs } from 'node:util';
import { readPage } from '#extract/read-page.ts';
import { buildTextRequest } from '#features/search/index/page-text.ts';
import type { PageText } from '#features/search/index/put-pages.ts';
import type { SearchIndex } from '#features/search/index/search-index.ts';
import { splitWords } from '#features/passages/words.ts';
import { CONTENT_SUITES, findCorpusFolder, FACT_SUITES, readSuite } from './extraction/corpus.ts';
import {
  getQuantile,
  fillIndex,
  openSqliteBench,
  type OpenIndex,
  openPostgresBench,
  TENANT,
} from './search/open-index.ts';

const WORDS_PER_QUERY = 6;

const { values: options } = parseArgs({ options: { postgres: { type: 'string' } } });
const folder = findCorpusFolder();
if (folder === null) throw new Error('QUERN_CORPUS: names no corpus of pages');

function readTexts(from: string): readonly PageText[] {
  const samples = [...CONTENT_SUITES, ...FACT_SUITES, 'structured'].flatMap((suite) => readSuite(from, suite));
  return samples.map(({ url, body }) => {
    const { outputs, metadata } = readPage(buildTextRequest({ body: body(), contentType: 'text/html', url }));
    const { title, description, language, published_date: publishedAt } = metadata;
    return { url, title: title ?? '', description: description ?? '', body: outputs.text ?? '', language, publishedAt };
  });
}

const signal = AbortSignal.timeout(900_000);

async function measureRank(index: SearchIndex, page: PageText, query: string, times: number[]): Promise<number> {
  const startedAt = performance.now();
  const { ids } = await index.find({ tenant: TENANT, query }, signal);
  const shown = await index.show(TENANT, ids.slice(0, 10), signal);
  times.push(performance.now() - startedAt);
  const rank = shown.findIndex(({ url }) => url === page.url);
  return rank < 0 ? 0 : 1 / (rank + 1);
}

const computeMean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

type IndexReading = {
  readonly asked: number;
  readonly title: number;
  readonly body: number;
  readonly p50: number;
  readonly p95: number;
  readonly rate: number;
  readonly bytes: number;
};

async function measure({ index }: OpenIndex, pages: readonly PageText[]): Promise<IndexReading> {
  const ms = await fillIndex(index, pages, signal);
  const asked = pages.filter(({ title, body }) => splitWords(title).length >= 3 && splitWords(body).length >= 100);
  const byTitle: number[] = [];
  const byBody: number[] = [];
  const times: number[] = [];
  for (const page of asked) {
    const body = splitWords(page.body);
    const from = Math.floor(body.length / 2);
    byTitle.push(await measureRank(index, page, page.title, times));
    byBody.push(await measureRank(index, page, body.slice(from, from + WORDS_PER_QUERY).join(' '), times));
  }
  return {
    asked: asked.length,
    title: computeMean(byTitle),
    body: computeMean(byBody),
    p50: getQuantile(times, 0.5),
    p95: getQuantile(times, 0.95),
    rate: (pages.length * 1000) / ms,
    bytes: await index.bytes(signal),
  };
}

const all = readTexts(folder);
const pages = [...new Map(all.map((page) => [page.url, page])).values()];
const textBytes = pages.reduce((sum, { body }) => sum + Buffer.byteLength(body), 0);
const measured: IndexReading[] = [];
for (const open of [openSqliteBench, async () => openPostgresBench(options.postgres)]) {
  const opened = await open();
  measured.push(await measure(opened, pages).finally(opened.close));
}
const printRow = (name: string, value: (one: IndexReading) => string): void =>
  console.log(`| ${[name, ...measured.map(value)].join(' | ')} |`);
console.log(`${pages.length} pages, ${measured[0]?.asked} asked for, ${(textBytes / 1e6).toFixed(1)} MB of text\n`);
console.log('| | SQLite | PostgreSQL |\n|---|---|---|');
printRow('mean reciprocal rank among ten, by title', ({ title }) => title.toFixed(3));
printRow('the same by body', ({ body }) => body.toFixed(3));
printRow('a query with its ten pages', ({ p50, p95 }) => `${p50.toFixed(1)} ms p50, ${p95.toFixed(1)} ms p95`);
printRow('pages added a second', ({ rate }) => rate.toFixed(0));
printRow('size against the text', ({ bytes }) => (bytes / textBytes).toFixed(2));
