import type { Timer } from '#kernel/clock.ts';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import { StoreUnavailable } from './db.ts';
import type { Db, Keep, Statements } from './db.ts';
import { COMMIT_LANES, LOCK_TENANTS, MERGES } from './dialect.ts';
import { mergeCalls, mergeNothing } from './merging.ts';

/** The one row that a piece of work may contend for: that of a tenant, or any other by a name of its own. */
export type ContendedRow = { readonly tenant: string } | { readonly name: string };

/**
 * Runs work inside a transaction shared with other work of the same moment. A batch takes the rows of its tenants first,
 * in the order of their names, so that no two processes wait for each other. Within a batch the statements of different
 * work mix, and some become one.
 */
export type InTurn = <T>(row: ContendedRow, work: (tx: Statements) => Promise<T>, options?: TurnOptions) => Promise<T>;

export type TurnOptions = {
  /** Work under one key runs one after the other; the key is the row unless given. */
  readonly key?: string;
  /** `acknowledged` unless given. */
  readonly keep?: Keep;
};

type Waiting = {
  /** The tenant whose row the work contends for; null for another row. */
  readonly tenant: string | null;
  /** The row by its name. */
  readonly row: string;
  readonly key: string;
  readonly keep: Keep;
  /** Runs the work and gives the function that tells its caller, once the commit is safe. */
  readonly run: (tx: Statements) => Promise<() => void>;
  readonly reject: (error: unknown) => void;
};

/** After a commit that several calls shared, the next waits this long for more of them; a lone call never waits. */
const GAP_MS = 2;
/** A batch that takes longer waits for somebody. */
const PATIENCE_MS = 25;

/**
 * One commit for the calls of a moment instead of one each: its cost is shared, nobody is told before it is safe. When
 * one piece of work throws, all of it is rolled back and each piece runs again by itself, so that only the one fails.
 */
export function groupCommits(db: Db): InTurn {
  const add = buildBatches(db);

  return async function inTurn<T>(
    contended: ContendedRow,
    work: (tx: Statements) => Promise<T>,
    options: TurnOptions = {},
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
 * What comes while a batch is under way is the next, so that batches grow with the load. Only beside one that waits, for
 * a row that another process holds, does another begin, and never for the same row.
 */
function buildBatches(db: Db): (one: Waiting) => void {
  const underWay = new Set<ReadonlySet<string>>();
  let waiting: Waiting[] = [];
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
    if (shared) SYSTEM_CLOCK.after(GAP_MS, begin);
    else setImmediate(begin);
  }

  function scheduleLate(): void {
    late ??= SYSTEM_CLOCK.after(PATIENCE_MS, () => {
      late = undefined;
      void flush();
    });
  }

  async function flush(): Promise<void> {
    if (underWay.size >= COMMIT_LANES[db.kind]) return;
    const isFree = ({ row }: Waiting): boolean => [...underWay].every((rows) => !rows.has(row));
    const batch = waiting.filter(isFree).toSorted((a, b) => compare(a.row, b.row));
    if (batch.length === 0) return;
    waiting = waiting.filter((one) => !isFree(one));
    shared = batch.length > 1;
    const rows = new Set(batch.map(({ row }) => row));
    underWay.add(rows);
    await commit(db, batch);
    underWay.delete(rows);
    if (waiting.length > 0) schedule();
  }

  return function add(one) {
    waiting.push(one);
    if (underWay.size === 0) schedule();
    else if (!soon) scheduleLate();
  };
}

/** Never throws: each piece of work is told what became of it. */
async function commit(db: Db, batch: readonly Waiting[]): Promise<void> {
  try {
    await together(db, batch);
  } catch (error) {
    // A store that cannot serve would only keep each of them waiting once more.
    if (batch.length === 1 || error instanceof StoreUnavailable) for (const one of batch) one.reject(error);
    else for (const one of batch) await together(db, [one]).catch(one.reject);
  }
}

async function together(db: Db, batch: readonly Waiting[]): Promise<void> {
  const keep = batch.every((one) => one.keep === 'redone') ? 'redone' : 'acknowledged';
  const tell = await db.transaction(async (tx) => {
    // Settled beside the others: a rejection that nobody waits for yet would end the process.
    const locking = Promise.allSettled([lockTenants(db, tx, batch)]);
    const merged = MERGES[db.kind] ? mergeCalls(tx) : mergeNothing(tx);
    const last = new Map<string, Promise<() => void>>();
    const ends = await Promise.allSettled(
      batch.map(async (one) => {
        const end = (last.get(one.key) ?? Promise.resolve()).then(async () => one.run(merged));
        last.set(one.key, end);
        return end;
      }),
    );
    // A piece that failed may have left statements behind that nobody waits for any more.
    const [locked] = await locking;
    await merged.sent();
    if (locked.status === 'rejected') throw locked.reason;
    return ends.map((end) => {
      if (end.status === 'rejected') throw end.reason;
      return end.value;
    });
  }, keep);
  for (const one of tell) one();
}

/** Takes the rows of the tenants before any other, as everything does that moves credits. */
async function lockTenants(db: Db, tx: Statements, batch: readonly Waiting[]): Promise<void> {
  const lock = LOCK_TENANTS[db.kind];
  if (lock === null) return;
  const tenants = batch.flatMap(({ tenant }) => (tenant === null ? [] : [tenant]));
  if (tenants.length > 0) await tx.query(lock, [JSON.stringify([...new Set(tenants)])]);
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
