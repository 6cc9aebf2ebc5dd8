import { createHash } from 'node:crypto';
import { z } from 'zod';
import { canonicalKey } from '#extract/urls/canonical-key.ts';
import { bulk } from '#store/dialect.ts';
import { readRow, readRows } from '#store/rows.ts';
import { partsOf, withoutWordBreaks, withWordBreaks, wordsIn } from '#features/search/words.ts';
import type { IndexStep, IndexStore } from './index-store.ts';
import { rankedBy } from './ranked.ts';

/** The text of one page as the index takes it. */
export type IndexText = {
  readonly url: string;
  readonly title: string;
  readonly description: string;
  readonly body: string;
  readonly language: string | null;
  /** A day or an instant, ISO 8601. */
  readonly publishedAt: string | null;
};

/** A page with the job or the copy that it belongs to; it is no longer found when that is gone. */
export type SourcedText = IndexText & { readonly source: string };

/** Pages of one tenant. */
export type IndexPart = { readonly tenant: string; readonly pages: readonly SourcedText[] };

const MOST_TITLE = 500;
const MOST_DESCRIPTION = 1000;
/** Characters of a page that are searched; a longer one is found by its beginning. */
const MOST_BODY = 200_000;
/** Pages of one query that are put in order. */
const MOST_RANKED = 300;
const AT_ONCE = 50;

const KNOWN = `update search_pages set source = $4, indexed_at = $5 where tenant_id = $1 and key = $2 and sum = $3`;
const COLUMNS = 'tenant_id, key, source, url, title, description, body, language, published_at, sum, indexed_at';
const TAKEN = `on conflict (tenant_id, key) do update set source = excluded.source, url = excluded.url,
  title = excluded.title, description = excluded.description, body = excluded.body, language = excluded.language,
  published_at = excluded.published_at, sum = excluded.sum, indexed_at = excluded.indexed_at`;
const UNKNOWN = 'where not exists (select 1 from search_pages where tenant_id = $1 and key = $2 and sum = $10)';
const PUT = {
  sqlite: `insert into search_pages (${COLUMNS}) select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11 ${UNKNOWN} ${TAKEN}`,
  postgres: `insert into search_pages (${COLUMNS}, words, length)
    select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, cast($11 as bigint),
      setweight(to_tsvector('simple', $12), 'A') || setweight(to_tsvector('simple', $13), 'B'), cast($14 as bigint)
    ${UNKNOWN} ${TAKEN}, words = excluded.words, length = excluded.length`,
};
const PROGRESS = 'select seq, at from search_progress where source = $1';
const BEGIN = `insert into search_progress (source, seq, at) values ($1, $2, $3) on conflict do nothing returning seq`;
const ADVANCE = `update search_progress set seq = $2, at = $3 where source = $1 and seq = $4 and at = $5 returning seq`;
const FORGET = 'delete from search_progress where source = $1';
const SOURCES = 'select distinct source from search_pages where source > $1 order by source limit $2';
const OLDEST = `delete from search_pages where id in (select id from search_pages order by indexed_at, id limit $1)`;
const NEWEST = 'select id from search_pages order by id desc limit 1';

const Hit = z.object({
  id: z.number(),
  source: z.string(),
  url: z.string(),
  title: z.string(),
  description: z.string(),
  body: z.string(),
  language: z.string().nullable(),
  published_at: z.string().nullable(),
});
const Progress = z.object({ seq: z.number(), at: z.string() });
const SourceRow = z.object({ source: z.string() });

/** How far a source was read: a number and a word of the reader's own. */
export type IndexProgress = { readonly seq: number; readonly at: string };

/** A step in the reading of a source, from where it was, null for its beginning. */
export type Advance = {
  readonly source: string;
  readonly before: IndexProgress | null;
  readonly after: IndexProgress;
};

function toStep({ source, before, after }: Advance): IndexStep {
  const values = [source, after.seq, after.at];
  if (before === null) return { sql: BEGIN, values, needed: true };
  return { sql: ADVANCE, values: [...values, before.seq, before.at], needed: true };
}

/** Full-text index of the pages that this instance had, each tenant's for itself. */
export class SearchIndex {
  readonly #store: IndexStore;
  readonly #now: () => number;
  readonly #byIds: string;
  readonly #drop: string;

  constructor({ store, now }: { readonly store: IndexStore; readonly now: () => number }) {
    this.#store = store;
    this.#now = now;
    const ids = bulk(store.kind, '$2', { name: 'asked', columns: { at: 'bigint' } });
    const columns = 'id, source, url, title, description, body, language, published_at';
    this.#byIds = `select ${columns} from search_pages where tenant_id = $1 and id in (select at from ${ids})`;
    const sources = bulk(store.kind, '$1', { name: 'gone', columns: { source: 'text' } });
    this.#drop = `delete from search_pages where id in (
      select id from search_pages where source in (select source from ${sources}) limit $2) returning id`;
  }

  /** How far a source was read, null for one that is not known. */
  async progressOf(source: string, signal: AbortSignal): Promise<IndexProgress | null> {
    return readRow(Progress, await this.#store.read({ sql: PROGRESS, values: [source] }, signal));
  }

  /** Adds pages; one that is known by its URL is replaced. */
  async add({ tenant, pages }: IndexPart, signal: AbortSignal): Promise<void> {
    await this.#store.write(
      pages.flatMap((page) => this.#stepsOf(tenant, page)),
      signal,
    );
  }

  /**
   * Adds pages and says how far their source was read, in one transaction; false where another process was faster, and
   * nothing is added then.
   */
  async addPart({ tenant, pages }: IndexPart, progress: Advance, signal: AbortSignal): Promise<boolean> {
    const steps = pages.flatMap((page) => this.#stepsOf(tenant, page));
    return this.#store.write([toStep(progress), ...steps], signal);
  }

  /** Forgets how far a source was read. */
  async forget(source: string, signal: AbortSignal): Promise<void> {
    await this.#store.write([{ sql: FORGET, values: [source] }], signal);
  }

  /** The pages of a tenant that hold all words of a query, then those that hold any of them, best first. */
  async find(tenant: string, query: string, signal: AbortSignal): Promise<FoundIds> {
    const parts = partsOf(query);
    if (parts.length === 0) return { ids: [], isWhole: true };
    const { kind } = this.#store;
    const read = async (step: IndexStep) => this.#store.read(step, signal);
    const all = await rankedBy({ kind, tenant, parts, join: 'and', most: MOST_RANKED }, read);
    if (all.length >= MOST_RANKED || parts.length === 1) return { ids: all, isWhole: all.length < MOST_RANKED };
    const any = await rankedBy({ kind, tenant, parts, join: 'or', most: MOST_RANKED }, read);
    const seen = new Set(all);
    return { ids: [...all, ...any.filter((id) => !seen.has(id))], isWhole: any.length < MOST_RANKED };
  }

  /** The pages of these numbers, in this order. */
  async show(tenant: string, ids: readonly number[], signal: AbortSignal): Promise<readonly SourcedText[]> {
    if (ids.length === 0) return [];
    const values = [tenant, JSON.stringify(ids.map((id) => [id]))];
    const rows = readRows(Hit, await this.#store.read({ sql: this.#byIds, values }, signal));
    const byId = new Map(rows.map((row) => [row.id, row]));
    return ids.flatMap((id) => {
      const row = byId.get(id);
      if (row === undefined) return [];
      const { title, body, published_at: publishedAt, ...rest } = row;
      return [{ ...rest, title: withoutWordBreaks(title), body: withoutWordBreaks(body), publishedAt }];
    });
  }

  /** The next sources of indexed pages after one, by their names. */
  async sourcesAfter(source: string, most: number, signal: AbortSignal): Promise<readonly string[]> {
    const rows = await this.#store.read({ sql: SOURCES, values: [source, most] }, signal);
    return readRows(SourceRow, rows).map((row) => row.source);
  }

  /** Removes the pages of sources. */
  async drop(sources: readonly string[], signal: AbortSignal): Promise<void> {
    if (sources.length === 0) return;
    const values = [JSON.stringify(sources.map((source) => [source])), AT_ONCE];
    while (await this.#store.write([{ sql: this.#drop, values, needed: true }], signal)) signal.throwIfAborted();
  }

  /** Removes the pages that were indexed first until all of it takes at most so many bytes. */
  async trim(mostBytes: number, signal: AbortSignal): Promise<void> {
    while ((await this.#store.bytes(signal)) > mostBytes && (await this.#isFilled(signal))) {
      await this.#store.write([{ sql: OLDEST, values: [AT_ONCE] }], signal);
    }
  }

  async bytes(signal: AbortSignal): Promise<number> {
    return this.#store.bytes(signal);
  }

  async close(): Promise<void> {
    await this.#store.close();
  }

  async #isFilled(signal: AbortSignal): Promise<boolean> {
    return (await this.#store.read({ sql: NEWEST }, signal)).length > 0;
  }

  #stepsOf(tenant: string, { source, ...page }: SourcedText): IndexStep[] {
    const title = withWordBreaks(page.title.slice(0, MOST_TITLE));
    const description = page.description.slice(0, MOST_DESCRIPTION);
    const body = withWordBreaks(page.body.slice(0, MOST_BODY));
    const key = canonicalKey(page.url);
    const sum = createHash('sha256')
      .update(JSON.stringify([page.url, title, description, body]))
      .digest('base64url');
    const now = this.#now();
    const row = [tenant, key, source, page.url, title, description, body, page.language, page.publishedAt, sum, now];
    const bodyWords = this.#store.kind === 'postgres' ? wordsIn(body) : [];
    const words =
      this.#store.kind === 'postgres' ? [wordsIn(title).join(' '), bodyWords.join(' '), bodyWords.length] : [];
    return [
      { sql: KNOWN, values: [tenant, key, sum, source, now] },
      { sql: PUT[this.#store.kind], values: [...row, ...words] },
    ];
  }
}

/** Numbers of pages, best first; `isWhole` where no further one would match. */
export type FoundIds = { readonly ids: readonly number[]; readonly isWhole: boolean };
