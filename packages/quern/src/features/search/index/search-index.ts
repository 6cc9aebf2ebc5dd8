import { z } from 'zod';
import { bulk } from '#store/dialect.ts';
import type { StoreKind } from '#store/db.ts';
import { readRow, readRows } from '#store/rows.ts';
import type { FoundIds, IndexStep, IndexStore } from './index-store.ts';
import { primaryOf } from '#features/search/languages.ts';
import { rankPages } from './ranked.ts';
import { cutToShares, type IndexShares } from './shares.ts';
import { type IndexPart, type SourcedText, stepsToPut } from './put-pages.ts';

const AT_ONCE = 50;

const PROGRESS = 'select seq, at from search_progress where source = $1';
const BEGIN = `insert into search_progress (source, seq, at) values ($1, $2, $3) on conflict do nothing returning seq`;
const ADVANCE = `update search_progress set seq = $2, at = $3 where source = $1 and seq = $4 and at = $5 returning seq`;
const FORGET = 'delete from search_progress where source = $1';
const SOURCES = 'select distinct source from search_pages where source > $1 order by source limit $2';
const OLDEST = `delete from search_pages where id in (
  select id from search_pages where tenant_id = $1 order by indexed_at, id limit $2)`;
/** What each tenant has: the index by age holds all of it on SQLite, and PostgreSQL need not read the texts for it. */
const HELD: Readonly<Record<StoreKind, string>> = {
  sqlite: `select tenant_id as tenant, count(*) as pages, sum(octet_length(body)) + 1000 * count(*) as bytes
    from search_pages group by tenant_id`,
  postgres: `select tenant_id as tenant, count(*) as pages,
    cast(sum(pg_column_size(body) + coalesce(pg_column_size(words), 0) + 1000) as bigint) as bytes
    from search_pages group by tenant_id`,
};

/** Pages of one query that are put in order. */
const MAX_RANKED = 300;
/** Where a language is asked for, so many times as many are, of which those in other languages are left out. */
const LANGUAGES = 10;

const Id = z.object({ id: z.number() });
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
const Held = z.object({ tenant: z.string(), pages: z.number(), bytes: z.number() });
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

/** A query of a tenant; of pages that say another language than the one that is given, none is found. */
export type IndexQuery = {
  readonly tenant: string;
  readonly query: string;
  /** BCP 47, of which the first part counts; null for any. */
  readonly language?: string | null;
  /** So many pages with all of the words are enough; unless given, those with some come after them. */
  readonly enough?: number;
};

/** Pages with the statements that put them into an index. */
export type ReadyPart = IndexPart & { readonly steps: readonly IndexStep[] };

/** Full-text index of the pages that this instance had, each tenant's for itself. */
export class SearchIndex {
  readonly #store: IndexStore;
  readonly #now: () => number;
  readonly #byIds: string;
  readonly #drop: string;
  readonly #inLanguage: string;

  constructor({ store, now }: { readonly store: IndexStore; readonly now: () => number }) {
    this.#store = store;
    this.#now = now;
    const ids = bulk(store.kind, '$2', { name: 'asked', columns: { at: 'bigint' } });
    const columns = 'id, source, url, title, description, body, language, published_at';
    this.#byIds = `select ${columns} from search_pages where tenant_id = $1 and id in (select at from ${ids})`;
    this.#inLanguage = `select id from search_pages where id in (select at from ${ids})
      and (language is null or replace(lower(language), '_', '-') || '-' like $1 || '-%')`;
    const sources = bulk(store.kind, '$1', { name: 'gone', columns: { source: 'text' } });
    const isGone = `source in (select source from ${sources})`;
    // A page that gets another source meanwhile stays: PostgreSQL looks at its row again, and not at the choice of rows.
    this.#drop = `delete from search_pages where ${isGone} and id in (
      select id from search_pages where ${isGone} limit $2) returning id`;
  }

  /** How far a source was read, null for one that is not known. */
  async progressOf(source: string, signal: AbortSignal): Promise<IndexProgress | null> {
    return readRow(Progress, await this.#store.read({ sql: PROGRESS, values: [source] }, signal));
  }

  /** Makes pages ready, which takes as long as to add them, and can be done while others are added. */
  async ready(part: IndexPart): Promise<ReadyPart> {
    return { ...part, steps: await stepsToPut(this.#store.kind, part, this.#now()) };
  }

  /** Adds pages; one that is known by its URL is replaced. */
  async add({ steps }: ReadyPart, signal: AbortSignal): Promise<void> {
    await this.#store.write(steps, signal);
  }

  /**
   * Adds pages and says how far their source was read, in one transaction; false where another process was faster, and
   * nothing is added then.
   */
  async addPart({ steps }: ReadyPart, progress: Advance, signal: AbortSignal): Promise<boolean> {
    return this.#store.write([toStep(progress), ...steps], signal);
  }

  /** Forgets how far a source was read. */
  async forget(source: string, signal: AbortSignal): Promise<void> {
    await this.#store.write([{ sql: FORGET, values: [source] }], signal);
  }

  /** The pages of a tenant that hold all words of a query, then those that hold any of them, best first. */
  async find(
    { tenant, query, language = null, enough = MAX_RANKED }: IndexQuery,
    signal: AbortSignal,
  ): Promise<FoundIds> {
    const most = language === null ? MAX_RANKED : MAX_RANKED * LANGUAGES;
    const order = { tenant, query, most, enough: language === null ? enough : most };
    const found = await rankPages(this.#store.kind, order, async (step) => this.#store.read(step, signal, tenant));
    if (language === null) return found;
    const values = [primaryOf(language), JSON.stringify(found.ids.map((id) => [id]))];
    const rows = readRows(Id, await this.#store.read({ sql: this.#inLanguage, values }, signal, tenant));
    const ofLanguage = new Set(rows.map(({ id }) => id));
    const ids = found.ids.filter((id) => ofLanguage.has(id)).slice(0, MAX_RANKED);
    return { ids, isWhole: found.isWhole && ids.length < MAX_RANKED };
  }

  /** The pages of these numbers, in this order. */
  async show(tenant: string, ids: readonly number[], signal: AbortSignal): Promise<readonly SourcedText[]> {
    if (ids.length === 0) return [];
    const values = [tenant, JSON.stringify(ids.map((id) => [id]))];
    const rows = readRows(Hit, await this.#store.read({ sql: this.#byIds, values }, signal, tenant));
    const byId = new Map(rows.map((row) => [row.id, row]));
    return ids.flatMap((id) => {
      const row = byId.get(id);
      if (row === undefined) return [];
      const { published_at: publishedAt, ...rest } = row;
      return [{ ...rest, publishedAt }];
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

  /**
   * Removes pages until all of it takes at most so many bytes: of those tenants that have the most for their share, the pages
   * that were indexed first.
   */
  async trim(mostBytes: number, sharesOf: IndexShares, signal: AbortSignal): Promise<void> {
    for (;;) {
      const bytes = await this.#store.bytes(signal);
      if (bytes <= mostBytes) return;
      const held = readRows(Held, await this.#store.read({ sql: HELD[this.#store.kind] }, signal));
      if (held.length === 0) return;
      const shares = await sharesOf(held.map(({ tenant }) => tenant));
      // The words of pages take room too, in every tenant's part alike.
      const whole = held.reduce((sum, one) => sum + one.bytes, 0);
      const scaled = held.map((one) => ({ ...one, bytes: (one.bytes * bytes) / whole }));
      for (const { tenant, pages } of cutToShares(scaled, shares, mostBytes)) {
        for (let left = pages; left > 0; left -= AT_ONCE) {
          await this.#store.write([{ sql: OLDEST, values: [tenant, Math.min(left, AT_ONCE)] }], signal);
        }
      }
    }
  }

  /** Sorts in what was added, after which searches are quicker. */
  async settle(signal: AbortSignal): Promise<void> {
    await this.#store.settle(signal);
  }

  async bytes(signal: AbortSignal): Promise<number> {
    return this.#store.bytes(signal);
  }

  async close(): Promise<void> {
    await this.#store.close();
  }
}
