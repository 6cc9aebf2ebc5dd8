import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Clock } from '#kernel/clock.ts';
import { ConnectionLost, type Db, type Durability, type Queryable } from './db.ts';
import { readRow } from './rows.ts';

const WRITE_RECEIPT = `insert into receipts (slot, commit_id, at) values ($1, $2, $3)
  on conflict (slot) do update set commit_id = excluded.commit_id, at = excluded.at`;
/** A write, not a read, so that it waits for a transaction whose connection is lost but which may still commit. */
const TAKE_RECEIPT = `insert into receipts (slot, commit_id, at) values ($1, '', $2)
  on conflict (slot) do update set at = excluded.at returning commit_id`;
const DELETE_OLD = 'delete from receipts where at < $1';

/** Receipts of dead processes are deleted after this time. */
const RETENTION_MS = 24 * 3600 * 1000;
/** A transaction is retried once, and again only within this time of its start. */
const MAX_REPEAT_MS = 5000;
const MAX_REPEATS = 5;

const Receipt = z.object({ commit_id: z.string() });

/** The result of a transaction whose commit was sent; null before. */
type Outcome<T> = { readonly value: T } | null;

/**
 * Wraps a database so that a transaction whose connection broke is retried, unless it was committed after all: each transaction
 * writes a receipt into a slot that no other running transaction uses. If the retry finds the receipt, it returns the first
 * result. A single writing statement is handled in the same way. `ConnectionLost` is thrown only if the database stays
 * unreachable; then it is unknown whether the transaction was committed.
 */
export async function openWithReceipts(db: Db, clock: Clock): Promise<Db> {
  const own = randomUUID();
  const free: string[] = [];
  let slots = 0;
  await db.query(DELETE_OLD, [clock.now() - RETENTION_MS]);

  function takeSlot(): string {
    const slot = free.pop();
    if (slot !== undefined) return slot;
    slots += 1;
    return `${own} ${slots}`;
  }

  /** Returns a function that runs the transaction with a receipt; each further call retries it unless it was committed. */
  function under<T>(slot: string, work: (tx: Queryable) => Promise<T>): (keep: Durability) => Promise<T> {
    const id = randomUUID();
    let outcome: Outcome<T> = null;

    async function attempt(tx: Queryable): Promise<T> {
      outcome = null;
      // Sent together with the first statements of the work; if it fails, the transaction fails.
      const leaving = Promise.allSettled([tx.query(WRITE_RECEIPT, [slot, id, clock.now()])]);
      const value = await work(tx);
      await leaving;
      outcome = { value };
      return value;
    }

    return async function run(keep: Durability): Promise<T> {
      const before = outcome;
      if (before === null) return db.transaction(attempt, keep);
      return db.transaction(async (tx) => {
        const receipt = readRow(Receipt, await tx.query(TAKE_RECEIPT, [slot, clock.now()]));
        return receipt?.commit_id === id ? before.value : attempt(tx);
      }, keep);
    };
  }

  async function transaction<T>(work: (tx: Queryable) => Promise<T>, keep: Durability = 'acknowledged'): Promise<T> {
    const slot = takeSlot();
    const run = under(slot, work);
    const started = clock.monotonic();
    try {
      for (let repeats = 0; ; repeats += 1) {
        try {
          return await run(keep);
        } catch (error) {
          const isLate = repeats > 0 && clock.monotonic() - started > MAX_REPEAT_MS;
          if (!(error instanceof ConnectionLost) || isLate || repeats === MAX_REPEATS) throw error;
        }
      }
    } finally {
      free.push(slot);
    }
  }

  return {
    ...db,
    transaction,
    query: async (sql, values) =>
      sql.startsWith('select') ? db.query(sql, values) : transaction(async (tx) => tx.query(sql, values)),
  };
}
