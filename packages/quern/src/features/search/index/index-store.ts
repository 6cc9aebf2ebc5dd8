import type { Row, StoreKind, Value } from '#store/db.ts';

/** One statement; where it is `needed` and answers no row, all of its transaction is undone. */
export type IndexStep = { readonly sql: string; readonly values?: readonly Value[]; readonly needed?: true };

/** The place of a full-text index: a file of its own beside the embedded store, or tables of the server. */
export type IndexStore = {
  readonly kind: StoreKind;
  /**
   * Reads by one statement, by turns of tenants where threads are few; without a tenant for the service itself. Throws the
   * reason of the signal, or `TimeoutError` for one that takes too long.
   */
  readonly read: (step: IndexStep, signal: AbortSignal, tenant?: string) => Promise<readonly Row[]>;
  /** Runs the statements in one transaction; false where a needed one did nothing, and nothing is changed then. */
  readonly write: (steps: readonly IndexStep[], signal: AbortSignal) => Promise<boolean>;
  /** Sorts in what was added, after which searches are quicker. */
  readonly settle: (signal: AbortSignal) => Promise<void>;
  /** Bytes that it takes. */
  readonly bytes: (signal: AbortSignal) => Promise<number>;
  readonly close: () => Promise<void>;
};

export type ReadStep = (step: IndexStep) => Promise<readonly Row[]>;

/** Numbers of pages, best first; `isWhole` where no further one would match. */
export type FoundIds = { readonly ids: readonly number[]; readonly isWhole: boolean };

/** Gives the numbers of at most so many pages that hold all, or any, of the parts of a query. */
export type RankParts = (join: 'and' | 'or', most: number) => Promise<FoundIds>;

/** A word of the title counts as so many of the body. */
export const TITLE_WEIGHT = 5;

/** What both have: the pages, and how far each of their sources was read. */
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
 * The schema of an index. It is made where it is used and belongs to no migration: an index holds nothing that the store
 * does not hold, so it is never backed up, and is made again when it is lost.
 */
export const INDEX_SCHEMA: Readonly<Record<StoreKind, readonly string[]>> = {
  sqlite: [
    ...statementsOf(TABLES.replace('ID_TYPE', 'integer primary key').replace('SIZE', ', octet_length(body)')),
    // The tenant is a word of each page, so that a query passes over the pages of others. `words_of` is of the thread
    // that has the file: it parts and folds words as queries do.
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
    // An index of another form is made anew from what is kept.
    `do $$ begin
       if exists (select from information_schema.columns where table_schema = current_schema()
         and table_name = 'search_pages' and column_name = 'words' and data_type = 'tsvector')
       then drop table search_pages, search_progress; end if; end $$`,
    ...statementsOf(
      TABLES.replace('ID_TYPE', 'bigint generated always as identity primary key')
        .replace('SIZE', '')
        .replaceAll(/\btext\b/g, 'text collate "C"'),
    ),
    'alter table search_pages add column if not exists words int[]',
    'alter table search_pages add column if not exists counts bytea',
    'alter table search_pages add column if not exists length bigint not null default 0',
    // Words of several pages are sorted into the index together, half as costly; the list of those is bounded, as queries read it.
    'create index if not exists search_pages_by_word on search_pages using gin (words) with (gin_pending_list_limit = 1024)',
    // Numbers of words do not become smaller by compression, and are read often.
    'alter table search_pages alter column words set storage external',
  ],
};

function statementsOf(text: string): readonly string[] {
  return text.split(';').map((statement) => statement.trim());
}
