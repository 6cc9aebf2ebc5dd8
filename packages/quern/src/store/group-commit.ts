import type { Clock, Timer } from '#kernel/clock.ts';
import { type Db, type Durability, type Queryable, StoreUnavailable } from './db.ts';
import { COMMIT_LANES, LOCK_TENANTS, MERGES_STATEMENTS } from './dialect.ts';
import { mergeCalls, sendUnmerged } from './merge-statements.ts';

/** The row that work may contend for: that of a tenant, or another one identified by `name`. */
export type ContendedRow = { readonly tenant: string } | { readonly name: string };

/**
 * Runs work in a transaction that is shared with other work of the same moment. A batch locks the rows of its tenants first, in
 * order of their ids, to avoid deadlocks between processes. Within a batch, statements of different work interleave, and equal
 * ones may be merged.
 */
export type GroupedTransaction = <T>(
  row: ContendedRow,
  work: (tx: Queryable) => Promise<T>,
  options?: GroupCommitOptions,
) => Promise<T>;

export type GroupCommitOptions = {
  /** Work with the same key runs one after the other; the default key is the row. */
  readonly key?: string;
  /** Default: `acknowledged`. */
  readonly keep?: Durability;
};

type PendingWork = {
  /** The tenant whose row the work contends for; null for other rows. */
  readonly tenant: string | null;
  /** Name of the contended row. */
  readonly row: string;
  readonly key: string;
  readonly keep: Durability;
  /** Runs the work; resolves with the function that resolves its caller after the commit. */
  readonly run: (tx: Queryable) => Promise<() => void>;
  readonly reject: (error: unknown) => void;
};

/** After a commit that several calls shared, the next one waits this long for more calls. A single call never waits. */
const GATHER_MS = 2;
/** A batch that takes longer probably waits for a row that another process has locked. */
const SLOW_BATCH_MS = 25;

/**
 * Commits concurrent calls in one transaction, so that they share the cost of the commit. No caller is resolved before the
 * commit. If one piece of work throws, the batch is rolled back and each piece is repeated in its own transaction, so that
 * only that one fails.
 */
export function createGroupCommit(db: Db, clock: Clock): GroupedTransaction {
  const add = createBatcher(db, clock);

  return async function inTurn<T>(
    contended: ContendedRow,
    work: (tx: Queryable) => Promise<T>,
    options: GroupCommitOptions = {},
  ): Promise<T> {
    const tenant = 'tenant' in contended ? contended.tenant : null;
    const row = 'tenant' in contended ? `tenant ${contended.tenant}` : contended.name;
    const { key = row, keep = 'acknowledged' } = options;
    return new Promise<T>((resolve, reject) => {
      add({
        tenant,
        row,
        key,
        keep,
        reject,
        async run(tx) {
          const result = await work(tx);
          return () => resolve(result);
        },
      });
    });
  };
}

/**
 * Work that arrives while a batch is running forms the next batch, so that batches grow with the load. Another batch starts
 * early only if the running one waits for a row of another process, and never with the same rows.
 */
function createBatcher(db: Db, clock: Clock): (work: PendingWork) => void {
  const underWay = new Set<ReadonlySet<string>>();
  let waiting: PendingWork[] = [];
  let shared = false;
  let soon = false;
  let late: Timer | undefined;

  function schedule(): void {
    if (soon) return;
    soon = true;
    late?.close();
    late = undefined;
    const begin = (): void => {
      soon = false;
      void flush();
    };
    if (shared) clock.after(GATHER_MS, begin);
    else setImmediate(begin);
  }

  function scheduleLate(): void {
    late ??= clock.after(SLOW_BATCH_MS, () => {
      late = undefined;
      void flush();
    });
  }

  async function flush(): Promise<void> {
    if (underWay.size >= COMMIT_LANES[db.kind]) return;
    const isFree = ({ row }: PendingWork): boolean => [...underWay].every((rows) => !rows.has(row));
    const batch = waiting.filter(isFree).toSorted((a, b) => compareText(a.row, b.row));
    if (batch.length === 0) return;
    waiting = waiting.filter((one) => !isFree(one));
    shared = batch.length > 1;
    const rows = new Set(batch.map(({ row }) => row));
    underWay.add(rows);
    await commitBatch(db, batch);
    underWay.delete(rows);
    if (waiting.length > 0) schedule();
  }

  return function add(work) {
    waiting.push(work);
    if (underWay.size === 0) schedule();
    else if (!soon) scheduleLate();
  };
}

/** Never throws: each piece of work resolves or rejects its own caller. */
async function commitBatch(db: Db, batch: readonly PendingWork[]): Promise<void> {
  try {
    await runBatch(db, batch);
  } catch (error) {
    // If the store is unavailable, repeating each piece would only delay the error.
    if (batch.length === 1 || error instanceof StoreUnavailable) for (const one of batch) one.reject(error);
    else for (const one of batch) await runBatch(db, [one]).catch(one.reject);
  }
}

async function runBatch(db: Db, batch: readonly PendingWork[]): Promise<void> {
  const keep = batch.every((one) => one.keep === 'redone') ? 'redone' : 'acknowledged';
  const tell = await db.transaction(async (tx) => {
    // `allSettled`, because an unhandled rejection would end the process.
    const locking = Promise.allSettled([lockTenants(db, tx, batch)]);
    const merged = MERGES_STATEMENTS[db.kind] ? mergeCalls(tx) : sendUnmerged(tx);
    const last = new Map<string, Promise<() => void>>();
    const ends = await Promise.allSettled(
      batch.map(async (work) => {
        const end = (last.get(work.key) ?? Promise.resolve()).then(async () => work.run(merged));
        last.set(work.key, end);
        return end;
      }),
    );
    // A piece that failed may have left statements running.
    const [locked] = await locking;
    await merged.waitUntilSent();
    if (locked.status === 'rejected') throw locked.reason;
    return ends.map((end) => {
      if (end.status === 'rejected') throw end.reason;
      return end.value;
    });
  }, keep);
  for (const one of tell) one();
}

/** Locks the rows of the tenants before all others, as all code that moves credits does. */
async function lockTenants(db: Db, tx: Queryable, batch: readonly PendingWork[]): Promise<void> {
  const lock = LOCK_TENANTS[db.kind];
  if (lock === null) return;
  const tenants = batch.flatMap(({ tenant }) => (tenant === null ? [] : [tenant]));
  if (tenants.length > 0) await tx.query(lock, [JSON.stringify([...new Set(tenants)])]);
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
