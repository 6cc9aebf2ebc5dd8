import { z } from 'zod';
import type { Clock } from '#kernel/clock.ts';
import type { Db } from '#store/db.ts';
import { bulk } from '#store/dialect.ts';
import { readRows } from '#store/rows.ts';

const JOB = 'job:';
const COPY = 'copy:';

const Row = z.object({ name: z.string() });

/** The jobs and copies that indexed pages belong to; a page is found only while its own is there. */
export class IndexSources {
  readonly #db: Db;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #jobs: string;
  readonly #copies: string;

  constructor({ db, clock }: { readonly db: Db; readonly clock: Pick<Clock, 'now'> }) {
    this.#db = db;
    this.#clock = clock;
    const asked = bulk(db.kind, '$1', { name: 'asked', columns: { name: 'text' } });
    this.#jobs = `select id as name from jobs where id in (select name from ${asked}) and stored = 1
      and status <> 'expired' and (expires_at is null or expires_at > $2)`;
    this.#copies = `select file as name from cached_pages where file in (select name from ${asked})`;
  }

  /** Those of the sources that are still there. */
  async there(sources: readonly string[]): Promise<ReadonlySet<string>> {
    const jobs = await this.#among(sources, { prefix: JOB, sql: this.#jobs, values: [this.#clock.now()] });
    const copies = await this.#among(sources, { prefix: COPY, sql: this.#copies, values: [] });
    return new Set([...jobs, ...copies]);
  }

  async #among(
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

/** The source of the pages of a job. */
export function sourceOfJob(id: string): string {
  return JOB + id;
}

/** The source of a page that was fetched without a job: the copy of it. */
export function sourceOfCopy(file: string): string {
  return COPY + file;
}
