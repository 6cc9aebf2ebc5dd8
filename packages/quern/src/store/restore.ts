import { join } from 'node:path';
import { findSecret, keepSecret, loadSecret } from '#kernel/data-dir.ts';
import { OperatorError } from '#kernel/errors.ts';
import { fingerprintOf } from '#kernel/sealing.ts';
import { openBackupFile } from './backup-file.ts';
import { type BackupHead, Damaged } from './backup-format.ts';
import { type Backup, type BackupRow, openBackup } from './backup-read.ts';
import { type ReadObject, tablesToKeep, writeBackup } from './backup.ts';
import { makeBackups, toFileInstant } from './backups-folder.ts';
import { type Statements, type StoreKind, StoreUnavailable, type Value } from './db.ts';
import { apply, findApplied, makeList, refuseUnknown, schemaOf } from './migrate.ts';
import { type Code, newestOf, stepsOf, type Table } from './schema.ts';

/** Limits of one insert: rows, and bytes of the file. */
const BATCH_ROWS = 100;
const BATCH_BYTES = 4 * 1024 * 1024;

export type RestoreOrder = {
  readonly file: string;
  readonly code: Code;
  readonly dataDir: string;
  /** `QUERN_SECRET_KEY`. */
  readonly secretSetting: string | undefined;
  /** Whether existing data may be replaced; they are backed up first. */
  readonly force: boolean;
  /** The instant, ms. */
  readonly now: number;
  /** Receives a line for each thing that was done. */
  readonly note: (line: string) => void;
  readonly progress: (rows: number) => void;
  /** Of what is replaced; see `BackupFacts`. */
  readonly readObject: ReadObject | null;
  readonly signal: AbortSignal;
};

/** The result of a restore. */
export type Restored = {
  readonly file: string;
  readonly rows: number;
  /** The instant of the backup. */
  readonly at: string;
  /** The backup of the replaced data, null if there were none. */
  readonly replaced: string | null;
};

/** Replaces all rows or none; answers the backup of the data before, null if there were none. */
export type Replace = (backup: Backup) => Promise<string | null>;

/**
 * Reads a whole backup before anything is changed, makes sure that its secret is there, and hands it to `replace`. When it
 * throws an `OperatorError` the data are unchanged.
 */
export async function restoreBy(replace: Replace, order: RestoreOrder): Promise<Restored> {
  const { file, code, dataDir, signal } = order;
  const handle = await openBackupFile(file);
  try {
    const backup = await openBackup(handle, code, signal);
    let rows = 0;
    for (const reading = backup.rows(); (await reading.next()).done !== true;) rows += 1;
    const carried = findCarried(backup.head, order);
    // The secret comes first: a start that finds data and no secret would generate another one.
    if (carried !== null) keepSecret(dataDir, carried);
    return { file, rows, at: backup.head.at, replaced: await replace(backup) };
  } catch (error) {
    throw error instanceof Damaged
      ? new OperatorError(`${file}: cannot be restored: ${error.message}`, { cause: error })
      : error;
  } finally {
    await handle.close();
  }
}

/** Creates the schema of a backup on an empty store, inserts its rows, and migrates the schema to the newest. */
export async function fill(
  tx: Statements,
  backup: Backup,
  { kind, code, progress }: Pick<RestoreOrder, 'code' | 'progress'> & { readonly kind: StoreKind },
): Promise<void> {
  const by = { kind, quern: code.quern };
  await makeList(tx, kind);
  for (const migration of stepsOf(code, 0, backup.head.schema)) await apply(tx, migration, by);
  let done = 0;
  for await (const batch of batchesOf(backup.rows())) {
    await insert(tx, batch);
    done += batch.length;
    progress(done);
  }
  for (const migration of stepsOf(code, backup.head.schema, newestOf(code))) await apply(tx, migration, by);
}

/**
 * Backs up the data that a restore is about to replace, to a file in the data folder; null if there are none. Throws if
 * there are some and the order does not allow to replace them.
 */
export async function putAside(
  store: { readonly view: Statements; readonly kind: StoreKind },
  order: RestoreOrder,
): Promise<string | null> {
  const { code, dataDir, secretSetting, readObject, now, progress, signal } = order;
  const applied = await findApplied(store.view, store.kind);
  refuseUnknown(applied, code);
  if (!(await holdsRows(store.view, tablesToKeep(code, schemaOf(applied))))) return null;
  if (!order.force) {
    throw new OperatorError(
      'there are data already: quern restore --force FILE replaces them, and backs them up before',
    );
  }
  const file = join(await makeBackups(dataDir), `replaced-${toFileInstant(now)}.quern`);
  const secret = { bytes: loadSecret(dataDir, secretSetting), carried: secretSetting === undefined };
  await writeBackup(store, file, { code, secret, readObject, now, progress, signal });
  order.note(`what was there is in ${file}`);
  return file;
}

async function holdsRows(view: Statements, tables: readonly Table[]): Promise<boolean> {
  for (const { name } of tables) if ((await view.query(`select 1 from ${name} limit 1`)).length > 0) return true;
  return false;
}

/** The secret in a backup, null if this instance has it already. Throws if neither has it. */
function findCarried({ secret }: BackupHead, { dataDir, secretSetting }: RestoreOrder): Uint8Array | null {
  const own = findSecret(dataDir, secretSetting);
  if (own !== null && fingerprintOf(own) === secret.fingerprint) return null;
  if (secretSetting !== undefined) {
    throw new OperatorError('QUERN_SECRET_KEY is not the secret under which this backup was made: set it to that one');
  }
  if (secret.key === null) {
    throw new OperatorError(
      'QUERN_SECRET_KEY: set it to that of the service which was backed up; the file does not carry it',
    );
  }
  if (own !== null) {
    throw new OperatorError(
      `QUERN_DATA_DIR ${dataDir}: has a secret.key that is not the one of the backup: name an empty folder`,
    );
  }
  const carried = Buffer.from(secret.key, 'base64');
  if (carried.length === 32 && fingerprintOf(carried) === secret.fingerprint) return carried;
  throw new Damaged('its secret is not whole');
}

/** Rows of one table, as many as one insert takes. */
async function* batchesOf(rows: AsyncIterable<BackupRow>): AsyncGenerator<readonly BackupRow[]> {
  let batch: BackupRow[] = [];
  let bytes = 0;
  for await (const row of rows) {
    const isFull = batch.length === BATCH_ROWS || bytes + row.bytes > BATCH_BYTES || batch[0]?.table !== row.table;
    if (isFull && batch.length > 0) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(row);
    bytes += row.bytes;
  }
  if (batch.length > 0) yield batch;
}

async function insert(tx: Statements, batch: readonly BackupRow[]): Promise<void> {
  const [first] = batch;
  if (first === undefined) return;
  const { table, columns } = first;
  const width = columns.length;
  const tuples = batch.map((_, row) => `(${columns.map((_column, at) => `$${row * width + at + 1}`).join(', ')})`);
  const values: readonly Value[] = batch.flatMap((row) => row.values);
  try {
    await tx.query(
      `insert into ${table} (${columns.map(({ name }) => name).join(', ')}) values ${tuples.join(', ')}`,
      values,
    );
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error;
    throw new Damaged(`a row of ${table} is refused (${error instanceof Error ? error.message : String(error)})`, {
      cause: error,
    });
  }
}
