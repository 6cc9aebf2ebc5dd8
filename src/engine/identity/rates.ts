import { RateLimiterMemory } from 'rate-limiter-flexible';
import { z } from 'zod';
import type { Clock } from '#kernel/clock.ts';
import type { Db } from '#store/db.ts';
import { bulk } from '#store/dialect.ts';
import { readRows } from '#store/rows.ts';

const WINDOW_MS = 60_000;

/** One that begins its next minute meanwhile stays. */
const FORGET = `delete from rates where ends_at <= $1
  and key in (select key from rates where ends_at <= $1 limit $2) returning key`;
/** Rows that one statement deletes at most, so that no lock lasts. */
const FORGET_BATCH = 1000;

const Counted = z.object({ key: z.string(), ends_at: z.number(), n: z.number() });

/** How often something was counted in its minute, this time included, and ms until the next minute begins. */
export type Rate = { readonly n: number; readonly leftMs: number };

/** Counts things by their names, each in minutes of its own that begin with the first of them. */
export type Rates = { readonly count: (name: string) => Promise<Rate> };

/** Counters of this process. */
export function buildRates(): Rates {
  const counters = new RateLimiterMemory({ points: 1, duration: WINDOW_MS / 1000 });
  return {
    async count(name) {
      const { consumedPoints, msBeforeNext } = await counters.penalty(name);
      return { n: consumedPoints, leftMs: msBeforeNext };
    },
  };
}

type Waiting = { readonly resolve: (rate: Rate) => void; readonly reject: (error: unknown) => void };

export type SharedRatesParts = {
  readonly db: Db;
  /** The time that all processes on the store have. */
  readonly clock: Clock;
  /** Told of minutes that are over and could not be forgotten. */
  readonly report: (error: unknown) => void;
};

/**
 * Counters of all processes on a store. One statement at a time counts what came since the last, whatever the names, so
 * that a flood of requests is no flood of statements.
 */
export function buildSharedRates({ db, clock, report }: SharedRatesParts): Rates {
  // In the order of the names, so that no two processes wait for each other.
  const counting = `insert into rates (key, ends_at, n)
    select b.key, $2, b.n from ${bulk(db.kind, '$1', { name: 'b', columns: { key: 'text', n: 'bigint' } })}
    where true order by b.key
    on conflict (key) do update set
      n = case when rates.ends_at <= $3 then excluded.n else rates.n + excluded.n end,
      ends_at = case when rates.ends_at <= $3 then excluded.ends_at else rates.ends_at end
    returning key, ends_at, n`;
  let waiting = new Map<string, Waiting[]>();
  let isCounting = false;
  let forgottenAt = clock.now();

  async function countAll(): Promise<void> {
    isCounting = true;
    while (waiting.size > 0) {
      const batch = waiting;
      waiting = new Map();
      await send(batch);
    }
    isCounting = false;
    if (clock.now() - forgottenAt >= WINDOW_MS) await forget().catch(report);
  }

  /** Never throws: each that waits is told. */
  async function send(batch: ReadonlyMap<string, readonly Waiting[]>): Promise<void> {
    const now = clock.now();
    const cells = JSON.stringify([...batch].map(([name, those]) => [name, those.length]));
    try {
      const rows = await db.transaction(async (tx) => tx.query(counting, [cells, now + WINDOW_MS, now]), 'redone');
      for (const { key, n, ends_at: endsAt } of readRows(Counted, rows)) {
        const those = batch.get(key) ?? [];
        for (const [at, { resolve }] of those.entries())
          resolve({ n: n - those.length + 1 + at, leftMs: endsAt - now });
      }
    } catch (error) {
      for (const { reject } of [...batch.values()].flat()) reject(error);
    }
  }

  async function forget(): Promise<void> {
    forgottenAt = clock.now();
    for (let more = true; more;) more = (await db.query(FORGET, [forgottenAt, FORGET_BATCH])).length === FORGET_BATCH;
  }

  return {
    async count(name) {
      return new Promise((resolve, reject) => {
        const those = waiting.get(name) ?? [];
        waiting.set(name, those);
        those.push({ resolve, reject });
        if (!isCounting) void countAll();
      });
    },
  };
}
