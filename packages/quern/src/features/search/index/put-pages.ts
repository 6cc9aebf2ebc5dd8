import { createHash } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { canonicalKey } from '#extract/urls/canonical-key.ts';
import type { StoreKind } from '#store/db.ts';
import { bulk } from '#store/dialect.ts';
import { languageOf } from '#features/search/languages.ts';
import { wordsIn } from '#features/search/words.ts';
import type { IndexStep } from './index-store.ts';
import { type PageWords, toPageWords } from './word-codes.ts';

/** The text of one page as the index takes it. */
export type IndexText = {
  readonly url: string;
  readonly title: string;
  readonly description: string;
  readonly body: string;
  /** As the page says it (BCP 47); where it says none, that of its text is taken. */
  readonly language: string | null;
  /** A day or an instant, ISO 8601. */
  readonly publishedAt: string | null;
};

/** A page with the job or the copy that it belongs to; it is no longer found when that is gone. */
export type SourcedText = IndexText & { readonly source: string };

/** Pages of one tenant. */
export type IndexPart = { readonly tenant: string; readonly pages: readonly SourcedText[] };

const MAX_TITLE = 500;
const MAX_DESCRIPTION = 1000;
/** Characters of a page that are searched; a longer one is found by its beginning. */
const MAX_BODY = 200_000;
/** PostgreSQL takes 2,700 bytes of a key. */
const MAX_KEY = 1000;
const CHARS_IN_TURN = 20_000;
/** Characters of the pages of one statement. */
const CHARS_AT_ONCE = 1_000_000;

const COLUMNS = 'tenant_id, key, source, url, title, description, body, language, published_at, sum, indexed_at';
/** A copy is gone after days: a page that a job has stays with the job. */
const sourceOf = (given: string, known: string): string =>
  `case when ${given} like 'copy:%' and ${known} like 'job:%' then ${known} else ${given} end`;
const TAKEN = `on conflict (tenant_id, key) do update
  set source = ${sourceOf('excluded.source', 'search_pages.source')}, url = excluded.url,
  title = excluded.title, description = excluded.description, body = excluded.body, language = excluded.language,
  published_at = excluded.published_at, sum = excluded.sum, indexed_at = excluded.indexed_at`;

/** One page of the embedded store: what is known of it stays, what is new or other is put. */
const KNOWN = `update search_pages set source = ${sourceOf('$4', 'source')}, indexed_at = $5
  where tenant_id = $1 and key = $2 and sum = $3`;
const PUT = `insert into search_pages (${COLUMNS}) select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11
  where not exists (select 1 from search_pages where tenant_id = $1 and key = $2 and sum = $10) ${TAKEN}`;

/** Many pages of a server, which costs a round trip for each statement. */
const KEYS = bulk('postgres', '$2', { name: 'given', columns: { key: 'text', sum: 'text', source: 'text' } });
const KNOWN_MANY = `update search_pages as known set source = ${sourceOf('given.source', 'known.source')}, indexed_at = $3 from ${KEYS}
  where known.tenant_id = $1 and known.key = given.key and known.sum = given.sum`;
const ROWS = bulk('postgres', '$2', {
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
const PUT_MANY = `insert into search_pages (${COLUMNS}, words, counts, length)
  select $1, key, source, url, title, description, body, language, published_at, sum, cast($3 as bigint),
    cast(words as int[]), decode(counts, 'base64'), length
  from ${ROWS} where not exists (select 1 from search_pages as known
    where known.tenant_id = $1 and known.key = given.key and known.sum = given.sum)
  ${TAKEN}, words = excluded.words, counts = excluded.counts, length = excluded.length`;

/** The statements that put pages into an index; one that is known by its URL is replaced. */
export async function stepsToPut(
  kind: StoreKind,
  { tenant, pages }: IndexPart,
  now: number,
): Promise<readonly IndexStep[]> {
  const rows = new Map<string, PageRow>();
  for (const page of pages) {
    const row = toRow(page);
    const words = kind === 'postgres' ? toPageWords(tenant, wordsIn(row.title), await wordsInTurns(row.body)) : null;
    rows.set(row.key, { ...row, words });
    // The words of a long page take milliseconds.
    await turn();
  }
  if (kind === 'sqlite') return [...rows.values()].flatMap((row) => stepsOfOne(tenant, row, now));
  // One order for all processes, so that none waits for a row of another that waits for one of its own.
  const sorted = [...rows.values()].toSorted((one, other) => (one.key < other.key ? -1 : 1));
  return inPortions(sorted).flatMap((some) => stepsOfMany(tenant, some, now));
}

/** The words of a long text, some at a time: those of Japanese take a millisecond for 1,500 characters. */
async function wordsInTurns(text: string): Promise<readonly string[]> {
  const words: string[] = [];
  for (let from = 0; from < text.length;) {
    const line = text.lastIndexOf('\n', from + CHARS_IN_TURN);
    const to = from + CHARS_IN_TURN < text.length && line > from ? line : from + CHARS_IN_TURN;
    words.push(...wordsIn(text.slice(from, to)));
    from = to;
    await turn();
  }
  return words;
}

type PageRow = SourcedText & {
  readonly key: string;
  readonly sum: string;
  /** What the index of a server looks words up by; SQLite parts the text itself. */
  readonly words: PageWords | null;
};

function toRow(page: SourcedText): Omit<PageRow, 'words'> {
  const title = cut(page.title, MAX_TITLE);
  const description = cut(page.description, MAX_DESCRIPTION);
  const body = cut(page.body, MAX_BODY);
  const sum = digestOf(JSON.stringify([page.url, title, description, body]));
  const key = canonicalKey(page.url);
  const language = page.language ?? languageOf(body);
  return { ...page, language, title, description, body, sum, key: key.length > MAX_KEY ? digestOf(key) : key };
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

/** The beginning of a text, of whole characters; PostgreSQL takes no zero among them. */
function cut(text: string, most: number): string {
  const isHalf = text.length > most && (text.charCodeAt(most - 1) & 0xfc_00) === 0xd8_00;
  const some = text.slice(0, isHalf ? most - 1 : most).toWellFormed();
  return some.includes('\0') ? some.replaceAll('\0', ' ') : some;
}

function stepsOfOne(tenant: string, row: PageRow, now: number): readonly IndexStep[] {
  const { key, source, url, title, description, body, language, publishedAt, sum } = row;
  return [
    { sql: KNOWN, values: [tenant, key, sum, source, now] },
    { sql: PUT, values: [tenant, key, source, url, title, description, body, language, publishedAt, sum, now] },
  ];
}

function stepsOfMany(tenant: string, rows: readonly PageRow[], now: number): readonly IndexStep[] {
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
    { sql: KNOWN_MANY, values: [tenant, JSON.stringify(keys), now] },
    { sql: PUT_MANY, values: [tenant, JSON.stringify(all), now] },
  ];
}

function inPortions(rows: readonly PageRow[]): readonly (readonly PageRow[])[] {
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
