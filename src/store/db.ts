/** A row as the driver gives it; read it with `readRows`. */
export type Row = Readonly<Record<string, unknown>>;
export type Value = string | number | bigint | null | Uint8Array;

/** Runs one statement with `$1…` parameters. Throws `StoreUnavailable` when the store cannot serve at all. */
export type Statements = {
  readonly query: (sql: string, values?: readonly Value[]) => Promise<readonly Row[]>;
};

/**
 * What is `acknowledged` outlives a crash of the database too, as far as its settings go. What is `redone` outlives only
 * one of this process: it may be lost with the database, whole and never before something that came earlier.
 */
export type Keep = 'acknowledged' | 'redone';

export const STORE_KINDS = ['sqlite', 'postgres'] as const;
export type StoreKind = (typeof STORE_KINDS)[number];

/**
 * The port that every store implements; one conformance suite holds them to it. Integers come as numbers, and one past
 * 2^53 throws a RangeError. Text compares by its bytes.
 */
export type Db = Statements & {
  readonly kind: StoreKind;
  /**
   * All or nothing. The function awaits nothing but its own handle; a throw rolls back and is thrown on, and a statement
   * that failed inside fails the whole. It may run several times, each on a clean state, because PostgreSQL gives one of
   * two colliding transactions up: what it changes outside of the store must not add up. Between two statements others
   * may commit, so a row that is read to decide on it is taken by a write first (`update … set n = n … returning n`).
   */
  readonly transaction: <T>(work: (tx: Statements) => Promise<T>, keep?: Keep) => Promise<T>;
  /**
   * Reads of one moment, on a connection of their own: what others commit meanwhile is not seen, and they are not held up.
   * The function awaits nothing for long that is not of its own; a statement that writes fails.
   */
  readonly snapshot: <T>(work: (view: Statements) => Promise<T>) => Promise<T>;
  readonly close: () => Promise<void>;
};

/** What a statement is told that comes when its transaction has ended: it would count by itself. */
export const LATE = 'the transaction of this statement has ended';

/** The store itself fails: disk full, unwritable, busy, corrupt or gone. Not a mistake in a statement. */
export class StoreUnavailable extends Error {}

/** The connection broke in the middle: the statement, or the commit, may or may not have happened. */
export class ConnectionLost extends StoreUnavailable {}
