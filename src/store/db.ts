/** A row as the driver gives it; read it with `readRows`. */
export type Row = Readonly<Record<string, unknown>>;
export type Value = string | number | bigint | null | Uint8Array;

/** Runs one statement with `$1…` parameters. Throws `StoreUnavailable` when the store cannot serve at all. */
export type Statements = {
  readonly query: (sql: string, values?: readonly Value[]) => Promise<readonly Row[]>;
};

/** The port that every store implements; one conformance suite holds them to it. */
export type Db = Statements & {
  /** All or nothing. The function awaits nothing but its own handle; a throw rolls back and is thrown on. */
  readonly transaction: <T>(work: (tx: Statements) => Promise<T>) => Promise<T>;
  readonly close: () => Promise<void>;
};

/** The store itself fails: disk full, unwritable, busy, corrupt or gone. Not a mistake in a statement. */
export class StoreUnavailable extends Error {}
