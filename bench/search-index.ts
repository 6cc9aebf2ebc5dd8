/**
 * Finds known pages again in the full-text index: each by the words of its title, and by six words from the middle of its
 * text. `npm run bench -- search-index [--postgres URL]`; reads every page of the corpus, and prints the mean reciprocal rank
 * among ten, the time of a query, pages a second while adding, and the size against the text.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readPage } from '#extract/read-page.ts';
import { toTextRequest } from '#features/search/index/page-text.ts';
import { openPostgresIndex } from '#features/search/index/postgres-index.ts';
import { SearchIndex } from '#features/search/index/search-index.ts';
import type { IndexText } from '#features/search/index/search-index.ts';
import { openSqliteIndex } from '#features/search/index/sqlite-index.ts';
import { wordsIn } from '#features/search/words.ts';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import { openPostgres, PATIENT_LIMITS } from '#store/postgres.ts';
import { CONTENT_SUITES, corpusFolder, FACT_SUITES, readSuite } from './extraction/corpus.ts';

const PART = 50;
const TENANT = 'ten_measure';
const WORDS = 6;

const { values: options } = parseArgs({ options: { postgres: { type: 'string' } } });
const folder = corpusFolder();
if (folder === null) throw new Error('QUERN_CORPUS: names no corpus of pages');

function readTexts(from: string): readonly IndexText[] {
  const samples = [...CONTENT_SUITES, ...FACT_SUITES, 'structured'].flatMap((suite) => readSuite(from, suite));
  return samples.map(({ url, body }) => {
    const { outputs, metadata } = readPage(toTextRequest({ body: body(), contentType: 'text/html', url }));
    const { title, description, language, published_date: publishedAt } = metadata;
    return { url, title: title ?? '', description: description ?? '', body: outputs.text ?? '', language, publishedAt };
  });
}

const signal = AbortSignal.timeout(900_000);

async function fill(index: SearchIndex, pages: readonly IndexText[]): Promise<number> {
  const startedAt = performance.now();
  for (let at = 0; at < pages.length; at += PART) {
    const part = pages.slice(at, at + PART).map((page) => ({ ...page, source: 'job:1' }));
    await index.add({ tenant: TENANT, pages: part }, signal);
  }
  return performance.now() - startedAt;
}

async function rankOf(index: SearchIndex, page: IndexText, query: string, times: number[]): Promise<number> {
  const startedAt = performance.now();
  const { ids } = await index.find(TENANT, query, signal);
  const shown = await index.show(TENANT, ids.slice(0, 10), signal);
  times.push(performance.now() - startedAt);
  const rank = shown.findIndex(({ url }) => url === page.url);
  return rank < 0 ? 0 : 1 / (rank + 1);
}

const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
const atShare = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? 0;

const all = readTexts(folder);
const pages = [...new Map(all.map((page) => [page.url, page])).values()];
const chars = pages.reduce((sum, { body }) => sum + Buffer.byteLength(body), 0);
const place = await mkdtemp(join(tmpdir(), 'quern-search-'));
const store =
  options.postgres === undefined
    ? openSqliteIndex(join(place, 'search.db'), SYSTEM_CLOCK)
    : openPostgresIndex(
        openPostgres(options.postgres, {
          ...PATIENT_LIMITS,
          report: (error) => console.error(error),
          clock: SYSTEM_CLOCK,
        }),
      );
const index = new SearchIndex({ store, now: () => Date.now() });
try {
  const ms = await fill(index, pages);
  const asked = pages.filter(({ title, body }) => wordsIn(title).length >= 3 && wordsIn(body).length >= 100);
  const byTitle: number[] = [];
  const byBody: number[] = [];
  const times: number[] = [];
  for (const page of asked) {
    const body = wordsIn(page.body);
    const from = Math.floor(body.length / 2);
    byTitle.push(await rankOf(index, page, page.title, times));
    byBody.push(await rankOf(index, page, body.slice(from, from + WORDS).join(' '), times));
  }
  const bytes = await index.bytes(signal);
  console.log(`pages ${pages.length}, asked for ${asked.length}`);
  console.log(`added ${((pages.length * 1000) / ms).toFixed(0)} pages/s`);
  console.log(`MRR@10 by title ${meanOf(byTitle).toFixed(3)}, by body ${meanOf(byBody).toFixed(3)}`);
  console.log(`a query ${atShare(times, 0.5).toFixed(1)} ms p50, ${atShare(times, 0.95).toFixed(1)} ms p95`);
  console.log(
    `size ${(bytes / 1e6).toFixed(1)} MB of ${(chars / 1e6).toFixed(1)} MB text: ${(bytes / chars).toFixed(2)}`,
  );
} finally {
  await index.close();
  await rm(place, { recursive: true, force: true });
}
