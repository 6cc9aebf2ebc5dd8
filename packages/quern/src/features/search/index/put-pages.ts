import { createHash } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { z } from 'zod';
import { toCanonicalKey } from '#extract/urls/canonical-key.ts';
import type { Queryable, StoreKind } from '#store/db.ts';
import { buildRowsTable } from '#store/dialect.ts';
import { readRow, readRows } from '#store/rows.ts';
import { detectLanguage } from '#features/passages/languages.ts';
import { PageWords } from './page-words.ts';
import { addSegment } from './segments.ts';

/** The text and metadata of one page to index. */
export type PageText = {
  readonly url: string;
  readonly title: string;
  readonly description: string;
  readonly body: string;
  /** Declared language (BCP 47); null to detect it from the text. */
  readonly language: string | null;
  /** ISO 8601 date or timestamp; null if unknown. */
  readonly publishedAt: string | null;
};

/** A page with the job or cached copy that it comes from; it is found only as long as that exists. */
export type IndexedPage = PageText & { readonly source: string };

/** Pages of one tenant. */
export type PageBatch = { readonly tenant: string; readonly pages: readonly IndexedPage[] };

const MAX_TITLE_CHARS = 500;
const MAX_DESCRIPTION_CHARS = 1000;
/** Only this many characters of a page are indexed. */
const MAX_BODY_CHARS = 200_000;
/** PostgreSQL limits index keys to 2,700 bytes. */
const MAX_KEY_CHARS = 1000;
const CHARS_IN_TURN = 20_000;
/** Characters of all pages of one statement. */
const CHARS_AT_ONCE = 1_000_000;

const COLUMNS = 'tenant_id, key, source, url, title, description, body, language, published_at, sum, indexed_at';
/** A page that is in a job keeps the job as its source, because cached copies expire within days. */
const buildSourceCase = (given: string, known: string): string =>
  `case when ${given} like 'copy:%' and ${known} like 'job:%' then ${known} else ${given} end`;

/** SQLite, one page: an unchanged page is only touched, a new or changed one is replaced and gets a new id. */
const TOUCH_PAGE = `update search_pages set source = ${buildSourceCase('$4', 'source')}, indexed_at = $5
  where tenant_id = $1 and key = $2 and sum = $3 returning id`;
const DELETE_PAGE = `delete from search_pages where tenant_id = $1 and key = $2 returning ${buildSourceCase('$3', 'source')} as source`;
const INSERT_PAGE = `insert into search_pages (${COLUMNS}) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) returning id`;

/** PostgreSQL, many pages per statement, because each statement costs a round trip. */
const KEYS = buildRowsTable('postgres', '$2', { name: 'given', columns: { key: 'text', sum: 'text', source: 'text' } });
const TOUCH_PAGES = `update search_pages as known set source = ${buildSourceCase('given.source', 'known.source')}, indexed_at = $3 from ${KEYS}
  where known.tenant_id = $1 and known.key = given.key and known.sum = given.sum`;
const ROWS = buildRowsTable('postgres', '$2', {
  name: 'given',
  columns: {
    key: 'text',
    source: 'text',
    url: 'text',
    title: 'text',
    description: 'text',
    body: 'text',
    language: 'text',
    published_at: 'text',
    sum: 'text',
  },
});
const PUT_PAGES = `insert into search_pages (${COLUMNS})
  select $1, key, source, url, title, description, body, language, published_at, sum, cast($3 as bigint)
  from ${ROWS} where not exists (select 1 from search_pages as known
    where known.tenant_id = $1 and known.key = given.key and known.sum = given.sum)
  on conflict (tenant_id, key) do update
  set id = default, source = ${buildSourceCase('excluded.source', 'search_pages.source')}, url = excluded.url,
    title = excluded.title, description = excluded.description, body = excluded.body, language = excluded.language,
    published_at = excluded.published_at, sum = excluded.sum, indexed_at = excluded.indexed_at
  returning key, id`;

const SourceRow = z.object({ source: z.string() });
const IdRow = z.object({ id: z.number() });
const KeyRow = z.object({ key: z.string(), id: z.number() });

/** Prepares the rows of pages. A page that occurs twice is added once, as it was last. */
export async function prepareRows(kind: StoreKind, { tenant, pages }: PageBatch, now: number): Promise<IndexBatch> {
  const byKey = new Map<string, PageRow>();
  for (const page of pages) {
    const row = toPageRow(page);
    byKey.set(row.key, row);
    // Finding the language of a long page takes milliseconds, so yield to the event loop.
    await turn();
  }
  const rows = [...byKey.values()];
  // The threads of SQLite split the texts themselves.
  if (kind === 'sqlite') return { tenant, now, rows, words: null };
  // All processes use the same order, so that row locks cannot deadlock.
  rows.sort((one, other) => (one.key < other.key ? -1 : 1));
  return { tenant, now, rows, words: await splitPages(rows) };
}

/** Adds pages to the index; a page with the same URL is replaced. */
export async function putPages(tx: Queryable, kind: StoreKind, batch: IndexBatch): Promise<void> {
  const byKey = kind === 'sqlite' ? await putOneByOne(tx, batch) : await putTogether(tx, batch);
  if (byKey.size === 0) return;
  const rows = batch.words === null ? batch.rows.filter(({ key }) => byKey.has(key)) : batch.rows;
  const words = batch.words ?? (await splitPages(rows));
  await addSegment(tx, batch.tenant, { words, ids: rows.map(({ key }) => byKey.get(key) ?? null) });
}

async function splitPages(rows: readonly PageRow[]): Promise<PageWords> {
  const words = new PageWords();
  for (const { title, body } of rows) {
    words.beginPage(title);
    for (const part of splitLongText(body)) {
      words.addText(part);
      // Splitting a long page takes milliseconds, so yield to the event loop.
      await turn();
    }
  }
  return words;
}

/** Splits a long text at the ends of lines, because Japanese takes 1 ms for 1,500 characters. */
function* splitLongText(text: string): Generator<string, void> {
  for (let from = 0; from < text.length;) {
    const line = text.lastIndexOf('\n', from + CHARS_IN_TURN);
    const to = from + CHARS_IN_TURN < text.length && line > from ? line : from + CHARS_IN_TURN;
    yield text.slice(from, to);
    from = to;
  }
}

type PageRow = IndexedPage & {
  readonly key: string;
  readonly sum: string;
};

/** Pages of a tenant, ready to be added. */
export type IndexBatch = {
  readonly tenant: string;
  readonly rows: readonly PageRow[];
  readonly now: number;
  /** The words of the rows in their order; null if they are yet to be split. */
  readonly words: PageWords | null;
};

function toPageRow(page: IndexedPage): PageRow {
  const title = truncateText(page.title, MAX_TITLE_CHARS);
  const description = truncateText(page.description, MAX_DESCRIPTION_CHARS);
  const body = truncateText(page.body, MAX_BODY_CHARS);
  const sum = hashText(JSON.stringify([page.url, title, description, body]));
  const key = toCanonicalKey(page.url);
  const language = page.language ?? detectLanguage(body);
  return { ...page, language, title, description, body, sum, key: key.length > MAX_KEY_CHARS ? hashText(key) : key };
}

function hashText(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

/** Truncates a text without splitting a surrogate pair, and removes NUL, which PostgreSQL rejects. */
function truncateText(text: string, most: number): string {
  const isHalf = text.length > most && (text.charCodeAt(most - 1) & 0xfc_00) === 0xd8_00;
  const some = text.slice(0, isHalf ? most - 1 : most).toWellFormed();
  return some.includes('\0') ? some.replaceAll('\0', ' ') : some;
}

/** Adds the rows of new and changed pages; returns their ids by key. */
async function putOneByOne(tx: Queryable, { tenant, rows, now }: IndexBatch): Promise<ReadonlyMap<string, number>> {
  const ids = new Map<string, number>();
  for (const { key, source, url, title, description, body, language, publishedAt, sum } of rows) {
    const touched = await tx.query(TOUCH_PAGE, [tenant, key, sum, source, now]);
    if (touched.length > 0) continue;
    const deleted = readRow(SourceRow, await tx.query(DELETE_PAGE, [tenant, key, source]));
    const texts = [url, title, description, body, language, publishedAt, sum];
    const row = readRow(IdRow, await tx.query(INSERT_PAGE, [tenant, key, deleted?.source ?? source, ...texts, now]));
    if (row !== null) ids.set(key, row.id);
  }
  return ids;
}

/** The same with few statements. */
async function putTogether(tx: Queryable, { tenant, rows, now }: IndexBatch): Promise<ReadonlyMap<string, number>> {
  const ids = new Map<string, number>();
  for (const some of groupBySize(rows)) {
    const keys = some.map(({ key, sum, source }) => [key, sum, source]);
    const all = some.map(({ key, source, url, title, description, body, language, publishedAt, sum }) => [
      key,
      source,
      url,
      title,
      description,
      body,
      language,
      publishedAt,
      sum,
    ]);
    await tx.query(TOUCH_PAGES, [tenant, JSON.stringify(keys), now]);
    const put = await tx.query(PUT_PAGES, [tenant, JSON.stringify(all), now]);
    for (const { key, id } of readRows(KeyRow, put)) ids.set(key, id);
  }
  return ids;
}

function groupBySize(rows: readonly PageRow[]): readonly (readonly PageRow[])[] {
  const portions: PageRow[][] = [];
  let chars = 0;
  for (const row of rows) {
    const portion = portions.at(-1);
    chars += row.body.length;
    if (portion !== undefined && chars <= CHARS_AT_ONCE) portion.push(row);
    else {
      portions.push([row]);
      chars = row.body.length;
    }
  }
  return portions;
}
