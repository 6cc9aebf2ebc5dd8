import { z } from 'zod';
import { buildRowsTable } from '#store/dialect.ts';
import type { StoreKind } from '#store/db.ts';
import { readRow, readRows } from '#store/rows.ts';
import type { IndexStep, IndexStore } from './index-store.ts';
import { getPrimarySubtag } from '#features/passages/languages.ts';
import type { FoundIds } from './rank-pages.ts';
import { computeCuts, type IndexShares } from './index-shares.ts';
import { type IndexBatch, type IndexedPage, type PageBatch, prepareRows } from './put-pages.ts';

const BATCH_SIZE = 50;

const PROGRESS = 'select seq, at from search_progress where source = $1';
const INSERT_PROGRESS = `insert into search_progress (source, seq, at) values ($1, $2, $3) on conflict do nothing returning seq`;
const UPDATE_PROGRESS = `update search_progress set seq = $2, at = $3 where source = $1 and seq = $4 and at = $5 returning seq`;
const DELETE_PROGRESS = 'delete from search_progress where source = $1';
const SELECT_SOURCES = 'select distinct source from search_pages where source > $1 order by source limit $2';
const DELETE_OLDEST = `delete from search_pages where id in (
  select id from search_pages where tenant_id = $1 order by indexed_at, id limit $2)`;
/** Index usage per tenant. On SQLite the query is covered by the age index; on PostgreSQL it does not load the texts. */
const SELECT_USAGE: Readonly<Record<StoreKind, string>> = {
  sqlite: `select tenant_id as tenant, count(*) as pages, sum(octet_length(body)) + 1000 * count(*) as bytes
    from search_pages group by tenant_id`,
  postgres: `select tenant_id as tenant, count(*) as pages,
    cast(sum(pg_column_size(body) + 1000) as bigint) as bytes
    from search_pages group by tenant_id`,
};

/** Pages of a tenant in a range of keys, without their texts. */
const LIST_RANGE = `select url, title, source from search_pages
  where tenant_id = $1 and key >= $2 and key < $3 order by key limit $4`;

const KnownRow = z.object({ url: z.string(), title: z.string(), source: z.string() });
const HitRow = z.object({
  id: z.number(),
  source: z.string(),
  url: z.string(),
  title: z.string(),
  description: z.string(),
  body: z.string(),
  language: z.string().nullable(),
  published_at: z.string().nullable(),
});
const UsageRow = z.object({ tenant: z.string(), pages: z.number(), bytes: z.number() });
const ProgressRow = z.object({ seq: z.number(), at: z.string() });
const SourceRow = z.object({ source: z.string() });

/** How far a source has been indexed; the reader defines the meaning of both values. */
export type IndexProgress = { readonly seq: number; readonly at: string };

/** An advance in the indexing of a source; `before` is null at its beginning. */
export type ProgressStep = {
  readonly source: string;
  readonly before: IndexProgress | null;
  readonly after: IndexProgress;
};

function toIndexStep({ source, before, after }: ProgressStep): IndexStep {
  const values = [source, after.seq, after.at];
  if (before === null) return { sql: INSERT_PROGRESS, values, needed: true };
  return { sql: UPDATE_PROGRESS, values: [...values, before.seq, before.at], needed: true };
}

/** A query of a tenant. Pages that declare a language other than `language` are excluded. */
export type IndexQuery = {
  readonly tenant: string;
  readonly query: string;
  /** BCP 47; only the primary subtag is compared. Null for any language. */
  readonly language?: string | null;
};

/** Pages with the rows that add them to the index. */
export type PreparedBatch = PageBatch & { readonly batch: IndexBatch };

/** Full-text index of the pages that this instance has fetched, separate for each tenant. */
export class SearchIndex {
  readonly #store: IndexStore;
  readonly #now: () => number;
  readonly #byIds: string;
  readonly #drop: string;

  constructor({ store, now }: { readonly store: IndexStore; readonly now: () => number }) {
    this.#store = store;
    this.#now = now;
    const ids = buildRowsTable(store.kind, '$2', { name: 'asked', columns: { at: 'bigint' } });
    const columns = 'id, source, url, title, description, body, language, published_at';
    this.#byIds = `select ${columns} from search_pages where tenant_id = $1 and id in (select at from ${ids})`;
    const sources = buildRowsTable(store.kind, '$1', { name: 'gone', columns: { source: 'text' } });
    const isGone = `source in (select source from ${sources})`;
    // The condition is repeated, because PostgreSQL rechecks only the outer row: a page that gets a new source meanwhile must stay.
    this.#drop = `delete from search_pages where ${isGone} and id in (
      select id from search_pages where ${isGone} limit $2) returning id`;
  }

  /** The indexing progress of a source; null if it has not begun. */
  async findProgress(source: string, signal: AbortSignal): Promise<IndexProgress | null> {
    return readRow(ProgressRow, await this.#store.read({ sql: PROGRESS, values: [source] }, signal));
  }

  /** Prepares a batch, which takes as long as adding it and can be done in parallel. */
  async prepare(part: PageBatch): Promise<PreparedBatch> {
    return { ...part, batch: await prepareRows(this.#store.kind, part, this.#now()) };
  }

  /** Adds pages; a page with the same URL is replaced. */
  async add({ batch }: PreparedBatch, signal: AbortSignal): Promise<void> {
    await this.#store.add(batch, [], signal);
  }

  /**
   * Adds pages and stores the progress of their source in one transaction. Returns false, without changes, if another process was
   * faster.
   */
  async addWithProgress({ batch }: PreparedBatch, progress: ProgressStep, signal: AbortSignal): Promise<boolean> {
    return this.#store.add(batch, [toIndexStep(progress)], signal);
  }

  /** Deletes the progress of a source. */
  async forget(source: string, signal: AbortSignal): Promise<void> {
    await this.#store.write([{ sql: DELETE_PROGRESS, values: [source] }], signal);
  }

  /** Finds pages that contain all words of a query, followed by those that contain any of them, each best first. */
  async find({ tenant, query, language = null }: IndexQuery, signal: AbortSignal): Promise<FoundIds> {
    return this.#store.rank({ tenant, query, language: language === null ? null : getPrimarySubtag(language) }, signal);
  }

  /** The pages with these ids, in this order. */
  async show(tenant: string, ids: readonly number[], signal: AbortSignal): Promise<readonly IndexedPage[]> {
    if (ids.length === 0) return [];
    const values = [tenant, JSON.stringify(ids.map((id) => [id]))];
    const rows = readRows(HitRow, await this.#store.read({ sql: this.#byIds, values }, signal));
    const byId = new Map(rows.map((row) => [row.id, row]));
    return ids.flatMap((id) => {
      const row = byId.get(id);
      if (row === undefined) return [];
      const { published_at: publishedAt, ...rest } = row;
      return [{ ...rest, publishedAt }];
    });
  }

  /** Lists the pages of a tenant on an origin, in the order of their keys. */
  async listOrigin(
    { tenant, origin, most }: { readonly tenant: string; readonly origin: string; readonly most: number },
    signal: AbortSignal,
  ): Promise<readonly Pick<IndexedPage, 'url' | 'title' | 'source'>[]> {
    // '0' follows '/'.
    const values = [tenant, `${origin}/`, `${origin}0`, most];
    return readRows(KnownRow, await this.#store.read({ sql: LIST_RANGE, values }, signal));
  }

  /** Lists sources of indexed pages in alphabetical order, after the given one. */
  async listSources(source: string, most: number, signal: AbortSignal): Promise<readonly string[]> {
    const rows = await this.#store.read({ sql: SELECT_SOURCES, values: [source, most] }, signal);
    return readRows(SourceRow, rows).map((row) => row.source);
  }

  /** Removes the pages of the given sources. */
  async removeSources(sources: readonly string[], signal: AbortSignal): Promise<void> {
    if (sources.length === 0) return;
    const values = [JSON.stringify(sources.map((source) => [source])), BATCH_SIZE];
    while (await this.#store.write([{ sql: this.#drop, values, needed: true }], signal)) signal.throwIfAborted();
  }

  /**
   * Shrinks the index to at most `maxBytes`: the oldest pages are removed of the tenants that exceed their share most.
   */
  async trim(maxBytes: number, findShares: IndexShares, signal: AbortSignal): Promise<void> {
    for (;;) {
      const bytes = await this.#store.bytes(signal);
      if (bytes <= maxBytes) return;
      const usage = readRows(UsageRow, await this.#store.read({ sql: SELECT_USAGE[this.#store.kind] }, signal));
      if (usage.length === 0) return;
      const shares = await findShares(usage.map(({ tenant }) => tenant));
      // Scale so that the sum includes the word index, which is proportional to the pages.
      const whole = usage.reduce((sum, one) => sum + one.bytes, 0);
      const scaled = usage.map((one) => ({ ...one, bytes: (one.bytes * bytes) / whole }));
      for (const { tenant, pages } of computeCuts(scaled, shares, maxBytes)) {
        for (let left = pages; left > 0; left -= BATCH_SIZE) {
          await this.#store.write([{ sql: DELETE_OLDEST, values: [tenant, Math.min(left, BATCH_SIZE)] }], signal);
        }
        await this.#compactTenant(tenant, signal);
      }
    }
  }

  async #compactTenant(tenant: string, signal: AbortSignal): Promise<void> {
    for (let afterId: number | null = 0; afterId !== null;) {
      afterId = await this.#store.compact({ tenant, afterId }, signal);
    }
  }

  /** Releases the space of removed pages, in segments after the given one. Returns the last segment; null at the end. */
  async compact(afterId: number, signal: AbortSignal): Promise<number | null> {
    return this.#store.compact({ tenant: null, afterId }, signal);
  }

  async bytes(signal: AbortSignal): Promise<number> {
    return this.#store.bytes(signal);
  }

  async close(): Promise<void> {
    await this.#store.close();
  }
}
