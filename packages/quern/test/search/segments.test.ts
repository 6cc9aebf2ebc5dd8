import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { findInSegment } from '#features/search/index/match-parts.ts';
import { hashWord, PageWords } from '#features/search/index/page-words.ts';
import { type Block, decodePageList, encodeSegment, findWord, TITLE_WEIGHT } from '#features/search/index/postings.ts';
import type { IndexedPage } from '#features/search/index/put-pages.ts';
import type { SearchIndex } from '#features/search/index/search-index.ts';
import { chooseSegments } from '#features/search/index/segments.ts';
import { TopPages } from '#features/search/index/top-pages.ts';
import { splitWords } from '#features/passages/words.ts';
import { openSqlite } from '#store/sqlite.ts';
import type { Queryable } from '#store/db.ts';
import { inTemporaryFolder, onEveryStore, withStoreKind } from '#support/store.ts';
import { addPages, ANY_TIME, buildIndexedPage, findUrls, indexBeside } from './search-index.ts';

/** The words of a text as `PageWords` finds them. */
function listCodes(text: string): readonly number[] {
  const words = new PageWords();
  words.beginPage('');
  words.addText(text);
  return [...words.listCodes()];
}

test('the words of a text are those of a query', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom('a', 'é', 'ß', '𝒳', '😀', '\ud83d', '़', '東', ' ', '-', '1') }),
  );
  fc.assert(
    fc.property(text, (given) => {
      const codes = new Set(splitWords(given).map(hashWord));
      assert.deepEqual(
        listCodes(given),
        [...codes].toSorted((one, other) => one - other),
      );
    }),
  );
});

test('a segment has the pages of each word, how often, and where', () => {
  const words = new PageWords();
  for (const [title, body] of [
    ['Rye', 'rye and oats'],
    ['Left out', 'rye'],
    ['Oats', 'oats, oats!'],
  ] as const) {
    words.beginPage(title);
    words.addText(body);
  }
  const [list, ...blocks] = encodeSegment(words, [7, null, 9]);
  assert.ok(list !== undefined && blocks.length === 1);
  const find = (word: string) => {
    const entry = findWord(blocks[0] ?? list, hashWord(word));
    if (entry === null) return null;
    const counts: (readonly [number, number])[] = [];
    const [matches] = findInSegment({ list: decodePageList(list.data), blocks }, [[hashWord(word)]]);
    matches?.visit((page, count) => counts.push([page, count]));
    return { counts, places: [...entry.places.subarray(entry.placesAt, entry.placesEnd)] };
  };
  assert.deepEqual(find('rye'), { counts: [[0, 1 + TITLE_WEIGHT]], places: [0, 2] });
  assert.deepEqual(find('oats'), {
    counts: [
      [0, 1],
      [1, 2 + TITLE_WEIGHT],
    ],
    places: [4, 0, 2, 1],
  });
  assert.equal(find('out'), null);
  assert.equal(find('barley'), null);
});

test('a phrase is found in the pages that have its words next to each other, among hundreds with all of them', () => {
  const word = fc.oneof(
    { weight: 40, arbitrary: fc.constantFrom('a', 'b', 'c') },
    { weight: 1, arbitrary: fc.constant('rare') },
  );
  const page = fc.array(word, { minLength: 1, maxLength: 12 });
  const phrase = fc.array(fc.constantFrom('a', 'b', 'c', 'rare'), { minLength: 2, maxLength: 4 });
  fc.assert(
    fc.property(fc.array(page, { minLength: 200, maxLength: 400 }), phrase, (pages, asked) => {
      const words = new PageWords();
      for (const body of pages) {
        words.beginPage('');
        words.addText(body.join(' '));
      }
      const [list, ...blocks] = encodeSegment(words, [...pages.keys()]);
      const found: number[] = [];
      const segment = { list: decodePageList(list?.data ?? new Uint8Array(1)), blocks };
      const [matches] = findInSegment(segment, [asked.map(hashWord)]);
      matches?.visit((number) => found.push(number));
      const wanted = ` ${asked.join(' ')} `;
      const having = [...pages.entries()].filter(([, body]) => ` ${body.join(' ')} `.includes(wanted));
      assert.deepEqual(
        found,
        having.map(([number]) => number),
      );
      assert.equal(matches?.count, having.length);
    }),
    { numRuns: 50 },
  );
});

test('every word of many is in the block that begins at or before it', () => {
  const names = Array.from({ length: 20_000 }, (_none, at) => `w${at}`);
  const words = new PageWords();
  words.beginPage('');
  words.addText(names.join(' '));
  const [, ...blocks] = encodeSegment(words, [1]);
  assert.ok(blocks.length > 3);
  const findBlock = (code: number): Block | undefined => blocks.findLast(({ firstCode }) => firstCode <= code);
  for (const name of names) {
    const block = findBlock(hashWord(name));
    assert.ok(block !== undefined && findWord(block, hashWord(name)) !== null, name);
  }
});

test('the best pages are those that sorting puts first', () => {
  const page = fc.record({ id: fc.nat(), score: fc.nat(20) });
  fc.assert(
    fc.property(fc.uniqueArray(page, { selector: ({ id }) => id }), fc.integer({ min: 1, max: 10 }), (pages, most) => {
      const top = new TopPages(most);
      for (const { id, score } of pages) top.add(id, score);
      const sorted = pages.toSorted((one, other) => other.score - one.score || one.id - other.id);
      assert.deepEqual(
        top.list(),
        sorted.slice(0, most).map(({ id }) => id),
      );
      assert.equal(top.count, pages.length);
    }),
  );
});

/** The sizes of the segments that are merged, if each has so many bytes. */
function choose(sizes: readonly number[], bytes = 0): readonly number[] {
  const segments = sizes.map((pages, id) => ({ id, tenant_id: 'ten_1', pages, bytes }));
  return chooseSegments(segments).map(({ pages }) => pages);
}

function listNine(pages: number): readonly number[] {
  return Array.from({ length: 9 }, () => pages);
}

test('eight segments of similar size are merged, the smallest first, up to a size', () => {
  assert.deepEqual(choose([1, 1, 50, 50, 50, 50, 50, 50, 50]), []);
  assert.deepEqual(choose([400, 50, 50, 50, 50, 50, 50, 50, 50, 1]), [50, 50, 50, 50, 50, 50, 50, 50]);
  assert.deepEqual(choose(listNine(25_600)), []);
  assert.deepEqual(choose(listNine(50), 50 * 1024 * 1024), []);
});

/** Runs work over an index and the connection that has its tables. */
async function withTables(
  kind: 'sqlite' | 'postgres',
  work: (index: SearchIndex, tables: Queryable) => Promise<void>,
): Promise<void> {
  await inTemporaryFolder(async (folder) =>
    withStoreKind(kind, async (db) => {
      const index = indexBeside(db, folder);
      await index.bytes(ANY_TIME);
      const tables = kind === 'postgres' ? db : openSqlite(join(folder, 'search.db'), { sync: 'normal' });
      await work(index, tables).finally(async () => {
        if (tables !== db) await tables.close();
        await index.close();
      });
    }),
  );
}

/** Pages of which each is added alone. */
async function addSingly(index: SearchIndex, pages: readonly IndexedPage[]): Promise<void> {
  for (const page of pages) await addPages(index, { tenant: 'ten_1', pages: [page] });
}

const SACKS = Array.from({ length: 100 }, (_none, at) =>
  buildIndexedPage(`mill.example/${at}`, {
    title: `Sack ${at}`,
    body: `Rye number ${at} of the mill, and rye again. `.repeat(1 + (at % 7)),
    source: `job:${at % 2}`,
  }),
);

onEveryStore('pages that are added one by one are found as if added at once', async (kind) => {
  const queries = ['rye', 'sack 17', '"number 42 of"', 'mill "sack 3"', 'again of the'];
  const found: (readonly string[])[][] = [];
  await withTables(kind, async (index, tables) => {
    await addSingly(index, SACKS);
    const [row] = await tables.query('select count(*) as segments, sum(pages) as pages from search_segments');
    assert.ok(Number(row?.['segments']) < 16, `${Number(row?.['segments'])} segments`);
    assert.equal(row?.['pages'], 100);
    found.push(await Promise.all(queries.map(async (query) => findUrls(index, query))));
  });
  await withTables(kind, async (index) => {
    await addPages(index, { tenant: 'ten_1', pages: SACKS });
    found.push(await Promise.all(queries.map(async (query) => findUrls(index, query))));
  });
  // Pages of one score come in the order in which they were added.
  assert.deepEqual(
    found[0]?.map((urls) => urls.toSorted()),
    found[1]?.map((urls) => urls.toSorted()),
  );
  for (const [, sack, phrase] of found)
    assert.deepEqual([sack?.[0], phrase?.[0]], ['mill.example/17', 'mill.example/42']);
});

async function compactAll(index: SearchIndex): Promise<void> {
  for (let last: number | null = 0; last !== null;) last = await index.compact(last, ANY_TIME);
}

onEveryStore('removed pages leave the results at once, and the segments when many are removed', async (kind) => {
  await withTables(kind, async (index, tables) => {
    await addPages(index, { tenant: 'ten_1', pages: SACKS });
    await addPages(index, { tenant: 'ten_2', pages: SACKS.slice(0, 4) });
    const size = async () => {
      const [row] = await tables.query(
        "select sum(pages) as pages, sum(bytes) as bytes from search_segments where tenant_id = 'ten_1'",
      );
      return { pages: Number(row?.['pages']), bytes: Number(row?.['bytes']) };
    };
    const before = await size();
    await index.removeSources(['job:1'], ANY_TIME);
    const { ids, isWhole } = await index.find({ tenant: 'ten_1', query: 'rye' }, ANY_TIME);
    assert.deepEqual([ids.length, isWhole], [50, true]);
    await compactAll(index);
    const after = await size();
    assert.equal(after.pages, 50);
    assert.ok(after.bytes < before.bytes * 0.7);
    assert.equal((await findUrls(index, '"number 42 of"')).length, 1);
    assert.deepEqual(await findUrls(index, '"number 41 of"'), []);
    await index.removeSources(['job:0'], ANY_TIME);
    await compactAll(index);
    assert.deepEqual(await tables.query('select id from search_segments'), []);
    assert.deepEqual(await tables.query('select segment from search_blocks'), []);
  });
});

onEveryStore('two processes add pages of a tenant at once, and each page is found once', async (kind) => {
  await inTemporaryFolder(async (folder) =>
    withStoreKind(kind, async (db) => {
      const [one, other] = [indexBeside(db, folder), indexBeside(db, folder)];
      await Promise.all([addSingly(one, SACKS.slice(0, 40)), addSingly(other, SACKS.slice(30, 70))]);
      const found = await findUrls(one, 'rye mill');
      assert.deepEqual(
        found.toSorted(),
        SACKS.slice(0, 70)
          .map(({ url }) => url.replace('https://', ''))
          .toSorted(),
      );
      assert.equal((await findUrls(other, '"number 33 of"')).length, 1);
      await Promise.all([one.close(), other.close()]);
    }),
  );
});

/** The score that BM25 gives a page for words that must all occur. */
function scoreNaively(
  pages: readonly (readonly string[])[],
  page: readonly string[],
  query: readonly string[],
): number {
  const mean = pages.reduce((sum, words) => sum + words.length, 0) / pages.length;
  return query.reduce((sum, word) => {
    const having = pages.filter((words) => words.includes(word)).length;
    const count = page.filter((one) => one === word).length;
    const weight = Math.log(1 + (pages.length - having + 0.5) / (having + 0.5));
    return sum + (weight * count) / (count + 1.2 * (0.25 + (0.75 * page.length) / mean));
  }, 0);
}

onEveryStore('pages of several segments are in the order of their BM25 scores', async (kind) => {
  let state = 5;
  const next = (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
  const texts = Array.from({ length: 90 }, () =>
    Array.from({ length: 4 + next(60) }, () => `word${Math.min(next(30), next(30))}`),
  );
  await withTables(kind, async (index) => {
    const pages = texts.map((words, at) => buildIndexedPage(`mill.example/${at}`, { body: words.join(' ') }));
    for (let at = 0; at < pages.length; at += 15)
      await addPages(index, { tenant: 'ten_1', pages: pages.slice(at, at + 15) });
    for (const query of [['word1'], ['word2', 'word9'], ['word0', 'word5', 'word20']]) {
      const all = [...texts.entries()].filter(([, words]) => query.every((word) => words.includes(word)));
      const scores = new Map(all.map(([at, words]) => [`mill.example/${at}`, scoreNaively(texts, words, query)]));
      const found = (await findUrls(index, query.join(' '))).slice(0, all.length).map((url) => scores.get(url) ?? 0);
      assert.ok(found.length > 5);
      for (const [at, score] of found.entries())
        assert.ok(score > 0 && score <= (found[at - 1] ?? Infinity) + 1e-9, `${at}`);
    }
  });
});
