import { z } from 'zod';
import type { Clock } from '#kernel/clock.ts';
import type { Db } from '#store/db.ts';
import { buildRowsTable } from '#store/dialect.ts';
import { readRows } from '#store/rows.ts';
import type { SearchIndex } from './search-index.ts';
import type { IndexShares } from './index-shares.ts';

const JOB_PREFIX = 'job:';
const COPY_PREFIX = 'copy:';

const Row = z.object({ name: z.string() });

/** The jobs and cached copies that indexed pages come from; a page is found only as long as its source exists. */
export class IndexSources {
  readonly #db: Db;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #jobs: string;
  readonly #copies: string;

  constructor({ db, clock }: { readonly db: Db; readonly clock: Pick<Clock, 'now'> }) {
    this.#db = db;
    this.#clock = clock;
    const asked = buildRowsTable(db.kind, '$1', { name: 'asked', columns: { name: 'text' } });
    this.#jobs = `select id as name from jobs where id in (select name from ${asked}) and stored = 1
      and status <> 'expired' and (expires_at is null or expires_at > $2)`;
    this.#copies = `select file as name from cached_pages where file in (select name from ${asked})`;
  }

  /** The given sources that still exist. */
  async listExisting(sources: readonly string[]): Promise<ReadonlySet<string>> {
    const jobs = await this.#findKind(sources, { prefix: JOB_PREFIX, sql: this.#jobs, values: [this.#clock.now()] });
    const copies = await this.#findKind(sources, { prefix: COPY_PREFIX, sql: this.#copies, values: [] });
    return new Set([...jobs, ...copies]);
  }

  async #findKind(
    sources: readonly string[],
    { prefix, sql, values }: { readonly prefix: string; readonly sql: string; readonly values: readonly number[] },
  ): Promise<readonly string[]> {
    const names = new Set(
      sources.flatMap((source) => (source.startsWith(prefix) ? [source.slice(prefix.length)] : [])),
    );
    if (names.size === 0) return [];
    const rows = await this.#db.query(sql, [JSON.stringify([...names].map((name) => [name])), ...values]);
    return readRows(Row, rows).map(({ name }) => prefix + name);
  }
}

/** The source name of pages from a job. */
export function toJobSource(id: string): string {
  return JOB_PREFIX + id;
}

/** The source name of a page fetched without a job: its cached copy. */
export function toCopySource(file: string): string {
  return COPY_PREFIX + file;
}

/** Sources checked per statement, and statements per run. */
const SOURCES_AT_ONCE = 500;
const MAX_BATCHES = 20;

export type IndexCleanerParts = {
  readonly index: SearchIndex;
  readonly sources: Pick<IndexSources, 'listExisting'>;
  readonly maxBytes: number;
  /** The share of each tenant when the index is too large. */
  readonly shares: IndexShares;
};

/** Removes pages whose source has been deleted, and shrinks the index to its maximum size. */
export class IndexCleaner {
  readonly #parts: IndexCleanerParts;
  /** The last source checked; the next run continues there. */
  #last = '';
  /** The last segment whose removed pages were counted. */
  #lastSegment = 0;

  constructor(parts: IndexCleanerParts) {
    this.#parts = parts;
  }

  async tidy(signal: AbortSignal): Promise<void> {
    const { index, sources, maxBytes, shares } = this.#parts;
    for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
      const some = await index.listSources(this.#last, SOURCES_AT_ONCE, signal);
      const existing = await sources.listExisting(some);
      await index.removeSources(
        some.filter((source) => !existing.has(source)),
        signal,
      );
      const isEnd = some.length < SOURCES_AT_ONCE;
      this.#last = isEnd ? '' : (some.at(-1) ?? '');
      if (isEnd) break;
    }
    this.#lastSegment = (await index.compact(this.#lastSegment, signal)) ?? 0;
    await index.trim(maxBytes, shares, signal);
  }
}
