/**
 * Queries the full-text index while it grows: `npm run bench -- search-growth --root FOLDER [--postgres URL] [--sizes 1000,10000]`
 * reads the HTML below a folder, adds pages up to each size, and prints the time of queries of several kinds on both stores.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readPage } from '#extract/read-page.ts';
import { buildOwnIndexBackend } from '#features/search/backend/own-index.ts';
import { buildTextRequest } from '#features/search/index/page-text.ts';
import type { PageText } from '#features/search/index/put-pages.ts';
import { isKeyword, splitWords } from '#features/passages/words.ts';
import {
  getQuantile,
  fillIndex,
  openSqliteBench,
  type OpenIndex,
  openPostgresBench,
  TENANT,
} from './search/open-index.ts';

const { values: options } = parseArgs({
  options: {
    root: { type: 'string' },
    postgres: { type: 'string' },
    sizes: { type: 'string', default: '1000,10000,100000' },
    only: { type: 'string', default: 'sqlite,postgres' },
  },
});
const { root } = options;
if (root === undefined) throw new Error('--root: names a folder of HTML, such as that of an unpacked Debian package');

/** Queries of each kind at each size. */
const QUERIES_PER_KIND = 60;
/** Number of most frequent words; each matches almost all pages. */
const COMMON_WORDS = 30;
/** Sample size for counting words. */
const SAMPLE_PAGES = 1000;
const MAX_BYTES = 2_000_000;

const signal = AbortSignal.timeout(7_200_000);
const sizes = options.sizes.split(',').map(Number);

/** Reads pages below a folder in a mixed order, up to a limit. */
function readTexts(folder: string, most: number): readonly PageText[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.html'));
  const step = 7919;
  const texts: PageText[] = [];
  for (let n = 0; n < names.length && texts.length < most; n += 1) {
    const name = names[(n * step) % names.length] ?? '';
    const text = readText(join(folder, name), `https://docs.example/${name}`);
    if (text !== null) texts.push(text);
    if (n % 5000 === 0) console.error(`${texts.length} pages of ${n} files read`);
  }
  return texts;
}

function readText(file: string, url: string): PageText | null {
  const { size } = statSync(file, { throwIfNoEntry: false }) ?? { size: MAX_BYTES };
  if (size >= MAX_BYTES) return null;
  try {
    const body = new Uint8Array(readFileSync(file));
    const { outputs, metadata } = readPage(buildTextRequest({ body, contentType: 'text/html', url }));
    const { title, description, language, published_date: publishedAt } = metadata;
    const text = outputs.text ?? '';
    if (title === null || splitWords(text).length < 30) return null;
    return { url, title, description: description ?? '', body: text, language, publishedAt };
  } catch {
    return null;
  }
}

/** The most frequent words, without stop words. */
function listCommonWords(pages: readonly PageText[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { body } of pages.slice(0, SAMPLE_PAGES)) {
    for (const word of new Set(splitWords(body))) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const known = [...counts].filter(([word]) => word.length > 2 && isKeyword(word));
  return known
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, COMMON_WORDS)
    .map(([word]) => word);
}

/** Consecutive words from the middle of a text. */
function getMiddleWords(body: string, count: number): string {
  const words = splitWords(body);
  const from = Math.floor(words.length / 2);
  return words.slice(from, from + count).join(' ');
}

/** Builds queries of each kind for indexed pages. */
function buildQueries(pages: readonly PageText[]): ReadonlyMap<string, readonly string[]> {
  const common = listCommonWords(pages);
  const asked = pages.filter(({ body }) => splitWords(body).length >= 100).slice(0, QUERIES_PER_KIND);
  const commonAt = (n: number): string => common[n % common.length] ?? '';
  return new Map([
    ['words of a title', asked.map(({ title }) => title)],
    ['six words of a text', asked.map(({ body }) => getMiddleWords(body, 6))],
    ['a question', asked.map(({ title }) => `What is ${title} and how do I use it?`)],
    ['a phrase of three words', asked.map(({ body }) => `"${getMiddleWords(body, 3)}"`)],
    ['one of the commonest words', asked.map((_page, n) => commonAt(n))],
    ['three of the commonest words', asked.map((_page, n) => `${commonAt(n)} ${commonAt(n + 7)} ${commonAt(n + 13)}`)],
  ]);
}

async function runQueries({ index }: OpenIndex, queries: readonly string[]): Promise<readonly number[]> {
  const own = buildOwnIndexBackend({ index, sources: { listExisting: async (sources) => new Set(sources) } });
  const times: number[] = [];
  for (const search of queries) {
    const startedAt = performance.now();
    await own.search({ search, country: null, language: null, page: 1 }, { tenant: TENANT, weight: 1, signal });
    times.push(performance.now() - startedAt);
  }
  return times;
}

const pages = readTexts(root, sizes.at(-1) ?? 0);
const queries = buildQueries(pages);
for (const open of [openSqliteBench, async () => openPostgresBench(options.postgres)]) {
  const opened = await open();
  if (!options.only.includes(opened.kind)) {
    await opened.close();
    continue;
  }
  console.log(
    `\n| ${opened.kind} | ${[...queries.keys()].join(' | ')} | pages/s |\n|---|${'---|'.repeat(queries.size + 1)}`,
  );
  let had = 0;
  for (const size of sizes) {
    const some = pages.slice(had, size);
    const ms = await fillIndex(opened.index, some, signal);
    const cells: string[] = [];
    for (const list of queries.values()) {
      const times = await runQueries(opened, list);
      cells.push(`${getQuantile(times, 0.5).toFixed(1)}, ${getQuantile(times, 0.95).toFixed(1)} ms`);
    }
    had += some.length;
    console.log(`| ${had} pages | ${cells.join(' | ')} | ${((some.length * 1000) / ms).toFixed(0)} |`);
  }
  await opened.close();
}
