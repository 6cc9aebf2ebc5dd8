import type { Row, StoreKind, SqlValue } from '#store/db.ts';

/** One SQL statement. If `needed` is true and it returns no row, its transaction is rolled back. */
export type IndexStep = { readonly sql: string; readonly values?: readonly SqlValue[]; readonly needed?: true };

/** Where the full-text index is stored: a separate SQLite file, or tables of the PostgreSQL server. */
export type IndexStore = {
  readonly kind: StoreKind;
  /**
   * Runs one read statement, for the service itself if `tenant` is omitted. On SQLite, tenants take turns at the few threads.
   * Throws the abort reason of the signal, or `TimeoutError` if it takes too long.
   */
  readonly read: (step: IndexStep, signal: AbortSignal, tenant?: string) => Promise<readonly Row[]>;
  /** Runs the statements in one transaction; returns false, without changes, if a needed statement returned no row. */
  readonly write: (steps: readonly IndexStep[], signal: AbortSignal) => Promise<boolean>;
  /** Merges recently added words into the index, which makes searches faster. */
  readonly settle: (signal: AbortSignal) => Promise<void>;
  /** Size of the index in bytes. */
  readonly bytes: (signal: AbortSignal) => Promise<number>;
  readonly close: () => Promise<void>;
};

export type ReadStep = (step: IndexStep) => Promise<readonly Row[]>;

/** Ids of matching pages, best first; `isWhole` if there are no further matches. */
export type FoundIds = { readonly ids: readonly number[]; readonly isWhole: boolean };

/** Ranks at most `most` pages that contain all (`and`) or any (`or`) of the required parts of a query. */
export type RankQuery = (join: 'and' | 'or', most: number) => Promise<FoundIds>;

/** A word of the title counts as much as this many words of the body. */
export const TITLE_WEIGHT = 5;

/** Tables of both stores: the pages, and the indexing progress of each source. */
const TABLES = `
create table if not exists search_progress (source text primary key, seq bigint not null, at text not null);
create table if not exists search_pages (
  id ID_TYPE,
  tenant_id text not null, key text not null, source text not null, url text not null, title text not null,
  description text not null, body text not null, language text, published_at text, sum text not null,
  indexed_at bigint not null,
  unique (tenant_id, key)
);
create index if not exists search_pages_by_source on search_pages (source);
drop index if exists search_pages_by_age;
create index if not exists search_pages_by_tenant_age on search_pages (tenant_id, indexed_atSIZE)`;

/**
 * The schema of the index. It is created on first use and not by a migration: the index has only data that can be rebuilt from
 * the store, so it is not part of backups.
 */
export const INDEX_SCHEMA: Readonly<Record<StoreKind, readonly string[]>> = {
  sqlite: [
    ...splitStatements(TABLES.replace('ID_TYPE', 'integer primary key').replace('SIZE', ', octet_length(body)')),
    // The tenant id is indexed as a word of each page, so that a query skips the pages of other tenants. The worker thread
    // registers `words_of`, which splits and folds words as for queries.
    `create virtual table if not exists search_words using fts5(
       tenant, title, body, content='', contentless_delete=1, tokenize="unicode61 remove_diacritics 0 categories 'L* M* N* Co'")`,
    `create trigger if not exists search_added after insert on search_pages begin
       insert into search_words (rowid, tenant, title, body)
         values (new.id, replace(new.tenant_id, '_', ''), words_of(new.title), words_of(new.body)); end`,
    `create trigger if not exists search_changed after update of title, body on search_pages begin
       delete from search_words where rowid = old.id;
       insert into search_words (rowid, tenant, title, body)
         values (new.id, replace(new.tenant_id, '_', ''), words_of(new.title), words_of(new.body)); end`,
    `create trigger if not exists search_removed after delete on search_pages begin
       delete from search_words where rowid = old.id; end`,
  ],
  postgres: [
    // An index with the previous schema is dropped and rebuilt.
    `do $$ begin
       if exists (select from information_schema.columns where table_schema = current_schema()
         and table_name = 'search_pages' and column_name = 'words' and data_type = 'tsvector')
       then drop table search_pages, search_progress; end if; end $$`,
    ...splitStatements(
      TABLES.replace('ID_TYPE', 'bigint generated always as identity primary key')
        .replace('SIZE', '')
        .replaceAll(/\btext\b/g, 'text collate "C"'),
    ),
    'alter table search_pages add column if not exists words int[]',
    'alter table search_pages add column if not exists counts bytea',
    'alter table search_pages add column if not exists length bigint not null default 0',
    // Sorting the words of several pages in together halves the cost. Queries read the pending list, so it is limited.
    'create index if not exists search_pages_by_word on search_pages using gin (words) with (gin_pending_list_limit = 1024)',
    // Word hashes do not compress well and are read often.
    'alter table search_pages alter column words set storage external',
  ],
};

function splitStatements(text: string): readonly string[] {
  return text.split(';').map((statement) => statement.trim());
}
