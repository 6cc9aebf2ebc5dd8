import type { Clock } from '#kernel/clock.ts';
import { toLabelledSamples, type Metric } from '#kernel/metric.ts';
import { type Db, StoreUnavailable } from './db.ts';

/** A statement or transaction that takes longer than this is reported, ms. */
const SLOW_MS = 500;
/** Maximum length of a reported statement; it contains no values. */
const MAX_REPORTED_CHARS = 200;
/** SQL for the size of the database, bytes. */
export const STORE_BYTES = {
  sqlite: 'select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()',
  postgres: 'select pg_database_size(current_database()) as bytes',
} as const;
const PING = 'select 1 as one';

const KINDS = ['query', 'transaction', 'snapshot'] as const;
type CallKind = (typeof KINDS)[number];

/** Counts of completed calls of one kind. */
type CallCounts = { done: number; failed: number; unavailable: number; ms: number };

export type MeasuredDb = {
  readonly db: Db;
  readonly metrics: readonly Metric[];
  /** Number of calls that failed because the store was unavailable. */
  readonly failures: () => number;
};

/** Wraps a database to count and time its calls; `onSlow` is called for calls of 500 ms or more. */
export function createMeasuredDb(
  db: Db,
  clock: Pick<Clock, 'monotonic'>,
  onSlow: (what: string, ms: number) => void,
): MeasuredDb {
  const calls: Readonly<Record<CallKind, CallCounts>> = {
    query: createCounts(),
    transaction: createCounts(),
    snapshot: createCounts(),
  };

  async function timed<T>(kind: CallKind, what: string, work: () => Promise<T>): Promise<T> {
    const [begun, counts] = [clock.monotonic(), calls[kind]];
    try {
      const result = await work();
      counts.done += 1;
      return result;
    } catch (error) {
      if (error instanceof StoreUnavailable) counts.unavailable += 1;
      else counts.failed += 1;
      throw error;
    } finally {
      const ms = clock.monotonic() - begun;
      counts.ms += ms;
      if (ms >= SLOW_MS) onSlow(what.slice(0, MAX_REPORTED_CHARS), Math.round(ms));
    }
  }

  return {
    db: {
      ...db,
      query: async (sql, values) => timed('query', sql, async () => db.query(sql, values)),
      transaction: async (work, keep) => timed('transaction', 'transaction', async () => db.transaction(work, keep)),
      snapshot: async (work) => timed('snapshot', 'snapshot', async () => db.snapshot(work)),
    },
    metrics: [...buildCallMetrics(calls), ...buildStateMetrics(db)],
    failures: () => KINDS.reduce((sum, kind) => sum + calls[kind].unavailable, 0),
  };
}

function createCounts(): CallCounts {
  return { done: 0, failed: 0, unavailable: 0, ms: 0 };
}

function buildCallMetrics(calls: Readonly<Record<CallKind, CallCounts>>): readonly Metric[] {
  return [
    {
      name: 'quern_database_calls_total',
      help: 'Statements, transactions and snapshots of this process; a transaction whose own work throws counts as failed',
      kind: 'total',
      labels: ['call', 'result'],
      read: async () =>
        KINDS.flatMap((kind) => {
          const { done, failed, unavailable } = calls[kind];
          return Object.entries({ done, failed, unavailable }).map(([result, n]) => [[kind, result], n] as const);
        }),
    },
    {
      name: 'quern_database_seconds_total',
      help: 'Duration of statements, transactions and snapshots, including the wait for a connection',
      kind: 'total',
      labels: ['call'],
      read: async () => KINDS.map((kind) => [[kind], calls[kind].ms / 1000] as const),
    },
  ];
}

function buildStateMetrics(db: Db): readonly Metric[] {
  const { connections } = db;
  const size: Metric = {
    name: 'quern_database_bytes',
    help: 'Size of the database',
    kind: 'level',
    labels: [],
    read: async () => (await db.query(STORE_BYTES[db.kind])).map(({ bytes }) => [[], Number(bytes)] as const),
  };
  const up: Metric = {
    name: 'quern_database_up',
    help: 'Whether the database answers: 1 or 0',
    kind: 'level',
    labels: [],
    read: async () => {
      const isUp = await db.query(PING).then(
        () => true,
        () => false,
      );
      return [[[], Number(isUp)]];
    },
  };
  if (connections === undefined) return [size, up];
  const pool: Metric = {
    name: 'quern_database_connections',
    help: 'Connections of this process to the database, and calls waiting for a connection',
    kind: 'level',
    labels: ['state'],
    read: async () => {
      const { open, idle, waiting } = connections();
      return toLabelledSamples(new Map(Object.entries({ busy: open - idle, idle, waiting })));
    },
  };
  return [size, up, pool];
}
