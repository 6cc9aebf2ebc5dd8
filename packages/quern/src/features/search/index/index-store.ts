import type { Row, StoreKind, SqlValue } from '#store/db.ts';
import type { IndexBatch } from './put-pages.ts';
import type { FoundIds, RankRequest } from './rank-pages.ts';
import type { SegmentRange } from './segments.ts';

/** One SQL statement. If `needed` is true and it returns no row, its transaction is rolled back. */
export type IndexStep = { readonly sql: string; readonly values?: readonly SqlValue[]; readonly needed?: true };

/** Where the full-text index is stored: a separate SQLite file, or tables of the PostgreSQL server. */
export type IndexStore = {
  readonly kind: StoreKind;
  /** Runs one read statement. Throws the abort reason of the signal, or `TimeoutError` if it takes too long. */
  readonly read: (step: IndexStep, signal: AbortSignal) => Promise<readonly Row[]>;
  /** Runs the statements in one transaction; returns false, without changes, if a needed statement returned no row. */
  readonly write: (steps: readonly IndexStep[], signal: AbortSignal) => Promise<boolean>;
  /** Runs the statements and adds the pages in one transaction; returns false like `write`. Then merges segments of the tenant. */
  readonly add: (batch: IndexBatch, steps: readonly IndexStep[], signal: AbortSignal) => Promise<boolean>;
  /** Finds pages. On SQLite, tenants take turns at the few threads. */
  readonly rank: (request: RankRequest, signal: AbortSignal) => Promise<FoundIds>;
  /**
   * Releases the space of removed pages in a limited number of segments. Returns the id of the last segment, to continue after it;
   * null at the end.
   */
  readonly compact: (range: SegmentRange, signal: AbortSignal) => Promise<number | null>;
  /** Size of the index in bytes. */
  readonly bytes: (signal: AbortSignal) => Promise<number>;
  readonly close: () => Promise<void>;
};

/** Tables of both stores: the pages, their words, and the indexing progress of each source. */
const TABLES = `
create table if not exists search_progress (source text primary key, seq bigint not null, at text not null);
create table if not exists search_pages (
  id PAGE_ID,
  tenant_id text not null, key text not null, source text not null, url text not null, title text not null,
  description text not null, body text not null, language text, published_at text, sum text not null,
  indexed_at bigint not null,
  unique (tenant_id, key)
);
create index if not exists search_pages_by_source on search_pages (source);
create index if not exists search_pages_by_tenant_age on search_pages (tenant_id, indexed_atSIZE);
create table if not exists search_segments (
  id SEGMENT_ID,
  tenant_id text not null, pages bigint not null, words bigint not null, bytes bigint not null
);
create index if not exists search_segments_by_tenant on search_segments (tenant_id);
create table if not exists search_blocks (
  segment bigint not null, first_code bigint not null, data blob not null, places blob not null,
  primary key (segment, first_code)
)`;

const DROP_TABLES = ['search_pages', 'search_progress', 'search_segments', 'search_blocks'].map(
  (table) => `drop table if exists ${table}`,
);

/** An SQLite index that an older version has made, or used since, has this table; it is dropped like one of PostgreSQL. */
export const OLD_SQLITE_INDEX = { table: 'search_words', drop: ['drop table search_words', ...DROP_TABLES] } as const;

/**
 * The schema of the index. It is created on first use and not by a migration: the index has only data that can be rebuilt from
 * the store, so it is not part of backups. An index that an older version has made, or used since, is dropped and rebuilt.
 */
export const INDEX_SCHEMA: Readonly<Record<StoreKind, readonly string[]>> = {
  sqlite: splitStatements(
    // The id of a removed page is never used again, because segments have it until they are rewritten.
    TABLES.replace('PAGE_ID', 'integer primary key autoincrement')
      .replace('SEGMENT_ID', 'integer primary key')
      .replace('SIZE', ', octet_length(body)'),
  ),
  postgres: [
    `do $$ begin
       if exists (select from information_schema.columns where table_schema = current_schema()
         and table_name = 'search_pages' and column_name = 'words')
       then ${DROP_TABLES.join('; ')}; end if; end $$`,
    ...splitStatements(
      TABLES.replaceAll(/\w+_ID\b/g, 'bigint generated always as identity primary key')
        .replace('SIZE', '')
        .replaceAll(/\btext\b/g, 'text collate "C"')
        .replaceAll(/\bblob\b/g, 'bytea'),
    ),
    // Their numbers do not compress well.
    'alter table search_blocks alter column data set storage external, alter column places set storage external',
  ],
};

function splitStatements(text: string): readonly string[] {
  return text.split(';').map((statement) => statement.trim());
}
