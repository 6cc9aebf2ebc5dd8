import { createHash } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { toCanonicalKey } from '#extract/urls/canonical-key.ts';
import type { StoreKind } from '#store/db.ts';
import { buildRowsTable } from '#store/dialect.ts';
import { detectLanguage } from '#features/search/languages.ts';
import { splitWords } from '#features/search/words.ts';
import type { IndexStep } from './index-store.ts';
import { type PageWords, toPageWords } from './postgres-rank.ts';

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
const ON_CONFLICT = `on conflict (tenant_id, key) do update
  set source = ${buildSourceCase('excluded.source', 'search_pages.source')}, url = excluded.url,
  title = excluded.title, description = excluded.description, body = excluded.body, language = excluded.language,
  published_at = excluded.published_at, sum = excluded.sum, indexed_at = excluded.indexed_at`;

/** SQLite, one page: an unchanged page is only touched, a new or changed one is replaced. */
const TOUCH_PAGE = `update search_pages set source = ${buildSourceCase('$4', 'source')}, indexed_at = $5
  where tenant_id = $1 and key = $2 and sum = $3`;
const PUT_PAGE = `insert into search_pages (${COLUMNS}) select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11
  where not exists (select 1 from search_pages where tenant_id = $1 and key = $2 and sum = $10) ${ON_CONFLICT}`;

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
    words: 'text',
    counts: 'text',
    length: 'bigint',
  },
});
const PUT_PAGES = `insert into search_pages (${COLUMNS}, words, counts, length)
  select $1, key, source, url, title, description, body, language, published_at, sum, cast($3 as bigint),
    cast(words as int[]), decode(counts, 'base64'), length
  from ${ROWS} where not exists (select 1 from search_pages as known
    where known.tenant_id = $1 and known.key = given.key and known.sum = given.sum)
  ${ON_CONFLICT}, words = excluded.words, counts = excluded.counts, length = excluded.length`;

/** Builds the statements that add pages to the index; a page with the same URL is replaced. */
export async function buildPutSteps(
  kind: StoreKind,
  { tenant, pages }: PageBatch,
  now: number,
): Promise<readonly IndexStep[]> {
  const rows = new Map<string, PageRow>();
  for (const page of pages) {
    const row = toPageRow(page);
    const words =
      kind === 'postgres' ? toPageWords(tenant, splitWords(row.title), await splitLongText(row.body)) : null;
    rows.set(row.key, { ...row, words });
    // Splitting a long page takes milliseconds, so yield to the event loop.
    await turn();
  }
  if (kind === 'sqlite') return [...rows.values()].flatMap((row) => buildSqliteSteps(tenant, row, now));
  // All processes use the same order, so that row locks cannot deadlock.
  const sorted = [...rows.values()].toSorted((one, other) => (one.key < other.key ? -1 : 1));
  return groupBySize(sorted).flatMap((some) => buildPostgresSteps(tenant, some, now));
}

/** Splits a long text into words in portions, because Japanese takes 1 ms for 1,500 characters. */
async function splitLongText(text: string): Promise<readonly string[]> {
  const words: string[] = [];
  for (let from = 0; from < text.length;) {
    const line = text.lastIndexOf('\n', from + CHARS_IN_TURN);
    const to = from + CHARS_IN_TURN < text.length && line > from ? line : from + CHARS_IN_TURN;
    words.push(...splitWords(text.slice(from, to)));
    from = to;
    await turn();
  }
  return words;
}

type PageRow = IndexedPage & {
  readonly key: string;
  readonly sum: string;
  /** Word hashes for PostgreSQL; null on SQLite, whose index splits the text itself. */
  readonly words: PageWords | null;
};

function toPageRow(page: IndexedPage): Omit<PageRow, 'words'> {
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

function buildSqliteSteps(tenant: string, row: PageRow, now: number): readonly IndexStep[] {
  const { key, source, url, title, description, body, language, publishedAt, sum } = row;
  return [
    { sql: TOUCH_PAGE, values: [tenant, key, sum, source, now] },
    { sql: PUT_PAGE, values: [tenant, key, source, url, title, description, body, language, publishedAt, sum, now] },
  ];
}

function buildPostgresSteps(tenant: string, rows: readonly PageRow[], now: number): readonly IndexStep[] {
  const keys = rows.map(({ key, sum, source }) => [key, sum, source]);
  const all = rows.map(({ key, source, url, title, description, body, language, publishedAt, sum, words }) => [
    key,
    source,
    url,
    title,
    description,
    body,
    language,
    publishedAt,
    sum,
    `{${words?.codes.join(',') ?? ''}}`,
    words === null ? '' : Buffer.from(words.counts).toString('base64'),
    words?.length ?? 0,
  ]);
  return [
    { sql: TOUCH_PAGES, values: [tenant, JSON.stringify(keys), now] },
    { sql: PUT_PAGES, values: [tenant, JSON.stringify(all), now] },
  ];
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
