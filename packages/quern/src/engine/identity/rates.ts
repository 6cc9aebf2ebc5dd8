import { RateLimiterMemory } from 'rate-limiter-flexible';
import { z } from 'zod';
import type { Clock } from '#kernel/clock.ts';
import type { Db, StoreKind } from '#store/db.ts';
import { buildRowsTable } from '#store/dialect.ts';
import { readRows } from '#store/rows.ts';

const WINDOW_MS = 60_000;

/** Checks the end again in the outer statement, so that a counter restarted meanwhile is kept. */
const FORGET = `delete from rates where ends_at <= $1
  and key in (select key from rates where ends_at <= $1 limit $2) returning key`;
/** The most rows deleted by one statement, so that locks are short. */
const DELETE_BATCH = 1000;

const CounterRow = z.object({ key: z.string(), ends_at: z.number(), n: z.number() });

/** The count of a name in the current minute, including this call, and the ms until the next one begins. */
export type Rate = { readonly n: number; readonly leftMs: number };

/** Counts calls per name and minute. A minute begins with the first call. */
export type Rates = { readonly count: (name: string) => Promise<Rate> };

/** Creates counters of this process only. */
export function createLocalRates(): Rates {
  const counters = new RateLimiterMemory({ points: 1, duration: WINDOW_MS / 1000 });
  return {
    async count(name) {
      const { consumedPoints, msBeforeNext } = await counters.penalty(name);
      return { n: consumedPoints, leftMs: msBeforeNext };
    },
  };
}

type PendingCount = { readonly resolve: (rate: Rate) => void; readonly reject: (error: unknown) => void };

export type SharedRatesParts = {
  readonly db: Db;
  /** The clock shared by all processes on the store. */
  readonly clock: Clock;
  /** Receives the error if old counters could not be deleted. */
  readonly report: (error: unknown) => void;
};

type Batch = ReadonlyMap<string, readonly PendingCount[]>;

/**
 * Counters shared by all processes on a store. One statement at a time counts all calls since the last one, so that
 * many requests do not cause many statements.
 */
export class SharedRates implements Rates {
  readonly #parts: SharedRatesParts;
  readonly #counting: string;
  #waiting = new Map<string, PendingCount[]>();
  #isCounting = false;
  #forgottenAt: number;

  constructor(parts: SharedRatesParts) {
    this.#parts = parts;
    this.#counting = buildCountSql(parts.db.kind);
    this.#forgottenAt = parts.clock.now();
  }

  readonly count = async (name: string): Promise<Rate> => {
    const { promise, resolve, reject } = Promise.withResolvers<Rate>();
    const waiting = this.#waiting.get(name) ?? [];
    this.#waiting.set(name, waiting);
    waiting.push({ resolve, reject });
    if (!this.#isCounting) void this.#countAll();
    return promise;
  };

  async #countAll(): Promise<void> {
    const { clock, report } = this.#parts;
    this.#isCounting = true;
    while (this.#waiting.size > 0) {
      const batch = this.#waiting;
      this.#waiting = new Map();
      await this.#send(batch);
    }
    this.#isCounting = false;
    if (clock.now() - this.#forgottenAt >= WINDOW_MS) await this.#forget().catch(report);
  }

  /** Never throws: an error rejects every waiting call. */
  async #send(batch: Batch): Promise<void> {
    const { db, clock } = this.#parts;
    const now = clock.now();
    const cells = JSON.stringify([...batch].map(([name, waiting]) => [name, waiting.length]));
    const values = [cells, now + WINDOW_MS, now];
    try {
      const rows = await db.transaction(async (tx) => tx.query(this.#counting, values), 'redone');
      for (const { key, n, ends_at: endsAt } of readRows(CounterRow, rows)) {
        const waiting = batch.get(key) ?? [];
        for (const [at, { resolve }] of waiting.entries())
          resolve({ n: n - waiting.length + 1 + at, leftMs: endsAt - now });
      }
    } catch (error) {
      for (const { reject } of [...batch.values()].flat()) reject(error);
    }
  }

  async #forget(): Promise<void> {
    const now = this.#parts.clock.now();
    this.#forgottenAt = now;
    for (let more = true; more;)
      more = (await this.#parts.db.query(FORGET, [now, DELETE_BATCH])).length === DELETE_BATCH;
  }
}

/** Builds the counting statement. It updates names in sorted order to avoid deadlocks between processes. */
function buildCountSql(kind: StoreKind): string {
  return `insert into rates (key, ends_at, n)
    select b.key, $2, b.n from ${buildRowsTable(kind, '$1', { name: 'b', columns: { key: 'text', n: 'bigint' } })}
    where true order by b.key
    on conflict (key) do update set
      n = case when rates.ends_at <= $3 then excluded.n else rates.n + excluded.n end,
      ends_at = case when rates.ends_at <= $3 then excluded.ends_at else rates.ends_at end
    returning key, ends_at, n`;
}
