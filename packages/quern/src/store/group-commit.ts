import type { Clock, Timer } from '#kernel/clock.ts';
import { type Db, type Keep, type Statements, StoreUnavailable } from './db.ts';
import { COMMIT_LANES, LOCK_TENANTS, MERGES_STATEMENTS } from './dialect.ts';
import { mergeCalls, sendUnmerged } from './merge-statements.ts';

/** The one row that a piece of work may contend for: that of a tenant, or any other by a name of its own. */
export type ContendedRow = { readonly tenant: string } | { readonly name: string };

/**
 * Runs work inside a transaction shared with other work of the same moment. A batch takes the rows of its tenants first,
 * in the order of their names, so that no two processes wait for each other. Within a batch the statements of different
 * work mix, and some become one.
 */
export type InTurn = <T>(
  row: ContendedRow,
  work: (tx: Statements) => Promise<T>,
  options?: GroupCommitOptions,
) => Promise<T>;

export type GroupCommitOptions = {
  /** Work under one key runs one after the other; the key is the row unless given. */
  readonly key?: string;
  /** `acknowledged` unless given. */
  readonly keep?: Keep;
};

type PendingWork = {
  /** The tenant whose row the work contends for; null for another row. */
  readonly tenant: string | null;
  /** The row by its name. */
  readonly row: string;
  readonly key: string;
  readonly keep: Keep;
  /** Runs the work and gives the function that answers its caller once the commit is safe. */
  readonly run: (tx: Statements) => Promise<() => void>;
  readonly reject: (error: unknown) => void;
};

/** After a commit that several calls shared, the next waits this long for more of them; a lone call never waits. */
const GATHER_MS = 2;
/** A batch that takes longer waits for a row that another process holds. */
const SLOW_BATCH_MS = 25;

/**
 * Commits the calls of a moment together instead of one by one, so that they share the cost; no caller is answered before
 * the commit is safe. When one piece of work throws, the batch is rolled back and each piece runs again in a transaction
 * of its own, so that only the one fails.
 */
export function groupCommits(db: Db, clock: Clock): InTurn {
  const add = createBatcher(db, clock);

  return async function inTurn<T>(
    contended: ContendedRow,
    work: (tx: Statements) => Promise<T>,
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
 * Work that arrives while a batch is under way forms the next batch, so that batches grow with the load. A second batch
 * begins only while the first waits for a row that another process holds, and never with the same row.
 */
function createBatcher(db: Db, clock: Clock): (one: PendingWork) => void {
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

  return function add(one) {
    waiting.push(one);
    if (underWay.size === 0) schedule();
    else if (!soon) scheduleLate();
  };
}

/** Never throws: each piece of work resolves or rejects its own caller. */
async function commitBatch(db: Db, batch: readonly PendingWork[]): Promise<void> {
  try {
    await runBatch(db, batch);
  } catch (error) {
    // When the store cannot serve at all, repeating each piece would only make its caller wait longer.
    if (batch.length === 1 || error instanceof StoreUnavailable) for (const one of batch) one.reject(error);
    else for (const one of batch) await runBatch(db, [one]).catch(one.reject);
  }
}

async function runBatch(db: Db, batch: readonly PendingWork[]): Promise<void> {
  const keep = batch.every((one) => one.keep === 'redone') ? 'redone' : 'acknowledged';
  const tell = await db.transaction(async (tx) => {
    // Settled together with the others: an unhandled rejection would end the process.
    const locking = Promise.allSettled([lockTenants(db, tx, batch)]);
    const merged = MERGES_STATEMENTS[db.kind] ? mergeCalls(tx) : sendUnmerged(tx);
    const last = new Map<string, Promise<() => void>>();
    const ends = await Promise.allSettled(
      batch.map(async (one) => {
        const end = (last.get(one.key) ?? Promise.resolve()).then(async () => one.run(merged));
        last.set(one.key, end);
        return end;
      }),
    );
    // A piece that failed may have left statements under way.
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

/** Takes the rows of the tenants before any other, as everything does that moves credits. */
async function lockTenants(db: Db, tx: Statements, batch: readonly PendingWork[]): Promise<void> {
  const lock = LOCK_TENANTS[db.kind];
  if (lock === null) return;
  const tenants = batch.flatMap(({ tenant }) => (tenant === null ? [] : [tenant]));
  if (tenants.length > 0) await tx.query(lock, [JSON.stringify([...new Set(tenants)])]);
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
