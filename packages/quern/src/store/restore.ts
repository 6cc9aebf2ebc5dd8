import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { findSecret, storeSecret, loadSecret } from '#kernel/data-dir.ts';
import { OperatorError } from '#kernel/errors.ts';
import { computeFingerprint } from '#kernel/sealer.ts';
import {
  type BackupHead,
  DamagedBackup,
  type Foot,
  openBackupFile,
  readBackupLines,
  findColumns,
  parseHead,
  parseLine,
  parseValues,
} from './backup-file.ts';
import { type ReadObject, listBackupTables, writeBackup, createBackupsFolder, formatFileTime } from './backup.ts';
import { type Queryable, type StoreKind, StoreUnavailable, type SqlValue } from './db.ts';
import {
  applyMigration,
  readAppliedMigrations,
  createMigrationsTable,
  assertKnownSchema,
  getSchemaVersion,
} from './migrate.ts';
import { type KnownSchema, type Column, getNewestVersion, listMigrations, type Table } from './schema.ts';

/** Limits of one insert: rows, and bytes of their lines in the file. */
const MAX_INSERT_ROWS = 100;
const MAX_INSERT_BYTES = 4 * 1024 * 1024;

export type RestoreOptions = {
  readonly file: string;
  readonly code: KnownSchema;
  readonly dataDir: string;
  /** `QUERN_SECRET_KEY`. */
  readonly secretSetting: string | undefined;
  /** Whether existing data may be replaced; it is backed up first. */
  readonly force: boolean;
  /** The instant, ms. */
  readonly now: number;
  /** Receives a line for each completed step. */
  readonly note: (line: string) => void;
  readonly progress: (rows: number) => void;
  /** Reads objects of the replaced data for its backup; see `BackupFacts`. */
  readonly readObject: ReadObject | null;
  readonly signal: AbortSignal;
};

/** The result of a restore. */
export type RestoreResult = {
  readonly file: string;
  readonly rows: number;
  /** When the backup was created, ISO 8601. */
  readonly at: string;
  /** The backup file of the replaced data; null if there was none. */
  readonly replaced: string | null;
};

/** Replaces all rows or none; returns the backup file of the previous data, null if there was none. */
export type ReplaceStore = (backup: Backup) => Promise<string | null>;

/**
 * Restores a backup: checks the whole file and the secret first, then calls `replace`. If it throws an `OperatorError`, the
 * data is unchanged.
 */
export async function restoreBackup(replace: ReplaceStore, order: RestoreOptions): Promise<RestoreResult> {
  const { file, code, dataDir, signal } = order;
  const handle = await openBackupFile(file);
  try {
    const backup = await openBackup(handle, code, signal);
    let rows = 0;
    for (const reading = backup.rows(); (await reading.next()).done !== true;) rows += 1;
    const carried = findMissingSecret(backup.head, order);
    // The secret comes first: a start that finds data and no secret would generate another one.
    if (carried !== null) storeSecret(dataDir, carried);
    return { file, rows, at: backup.head.at, replaced: await replace(backup) };
  } catch (error) {
    throw error instanceof DamagedBackup
      ? new OperatorError(`${file}: cannot be restored: ${error.message}`, { cause: error })
      : error;
  } finally {
    await handle.close();
  }
}

/** Creates the schema of a backup on an empty store, inserts its rows, and migrates the schema to the newest. */
export async function fillStore(
  tx: Queryable,
  backup: Backup,
  { kind, code, progress }: Pick<RestoreOptions, 'code' | 'progress'> & { readonly kind: StoreKind },
): Promise<void> {
  const by = { kind, quern: code.quern };
  await createMigrationsTable(tx, kind);
  for (const migration of listMigrations(code, 0, backup.head.schema)) await applyMigration(tx, migration, by);
  let done = 0;
  for await (const batch of groupRows(backup.rows())) {
    await insertRows(tx, batch);
    done += batch.length;
    progress(done);
  }
  for (const migration of listMigrations(code, backup.head.schema, getNewestVersion(code)))
    await applyMigration(tx, migration, by);
}

/**
 * Backs up the data that a restore is about to replace to a file in the data folder; returns the file, or null if there is no
 * data. Throws `OperatorError` if there is data and `force` is not set.
 */
export async function backUpReplacedData(
  store: { readonly view: Queryable; readonly kind: StoreKind },
  order: RestoreOptions,
): Promise<string | null> {
  const { code, dataDir, secretSetting, readObject, now, progress, signal } = order;
  const applied = await readAppliedMigrations(store.view, store.kind);
  assertKnownSchema(applied, code);
  if (!(await hasRows(store.view, listBackupTables(code, getSchemaVersion(applied))))) return null;
  if (!order.force) {
    throw new OperatorError('there is data already: quern restore --force FILE backs it up and replaces it');
  }
  const file = join(await createBackupsFolder(dataDir), `replaced-${formatFileTime(now)}.quern`);
  const secret = { bytes: loadSecret(dataDir, secretSetting), included: secretSetting === undefined };
  await writeBackup(store, file, { code, secret, readObject, now, progress, signal });
  order.note(`the previous data is backed up in ${file}`);
  return file;
}

async function hasRows(view: Queryable, tables: readonly Table[]): Promise<boolean> {
  for (const { name } of tables) if ((await view.query(`select 1 from ${name} limit 1`)).length > 0) return true;
  return false;
}

/** The secret of the backup if this instance does not have it yet, else null. Throws if the secret is not available. */
function findMissingSecret({ secret }: BackupHead, { dataDir, secretSetting }: RestoreOptions): Uint8Array | null {
  const own = findSecret(dataDir, secretSetting);
  if (own !== null && computeFingerprint(own) === secret.fingerprint) return null;
  if (secretSetting !== undefined) {
    throw new OperatorError(
      'QUERN_SECRET_KEY is not the secret with which this backup was created: set it to that secret',
    );
  }
  if (secret.key === null) {
    throw new OperatorError(
      'QUERN_SECRET_KEY: set it to the secret of the service that was backed up; the file does not contain it',
    );
  }
  if (own !== null) {
    throw new OperatorError(
      `QUERN_DATA_DIR ${dataDir}: has a secret.key that differs from that of the backup: use an empty folder`,
    );
  }
  const carried = Buffer.from(secret.key, 'base64');
  if (carried.length === 32 && computeFingerprint(carried) === secret.fingerprint) return carried;
  throw new DamagedBackup('its secret is incomplete');
}

/** Groups rows of one table into batches for one insert. */
async function* groupRows(rows: AsyncIterable<BackupRow>): AsyncGenerator<readonly BackupRow[]> {
  let batch: BackupRow[] = [];
  let bytes = 0;
  for await (const row of rows) {
    const isFull =
      batch.length === MAX_INSERT_ROWS || bytes + row.bytes > MAX_INSERT_BYTES || batch[0]?.table !== row.table;
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

async function insertRows(tx: Queryable, batch: readonly BackupRow[]): Promise<void> {
  const [first] = batch;
  if (first === undefined) return;
  const { table, columns } = first;
  const width = columns.length;
  const tuples = batch.map((_, row) => `(${columns.map((_column, at) => `$${row * width + at + 1}`).join(', ')})`);
  const values: readonly SqlValue[] = batch.flatMap((row) => row.values);
  try {
    await tx.query(
      `insert into ${table} (${columns.map(({ name }) => name).join(', ')}) values ${tuples.join(', ')}`,
      values,
    );
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error;
    throw new DamagedBackup(
      `a row of ${table} is refused (${error instanceof Error ? error.message : String(error)})`,
      {
        cause: error,
      },
    );
  }
}

/** One row of a backup. */
type BackupRow = {
  readonly table: string;
  readonly columns: readonly Column[];
  readonly values: readonly SqlValue[];
  /** Length of its decompressed line, bytes. */
  readonly bytes: number;
};

/** An open backup; it can be read several times, and each full read verifies the digest. */
export type Backup = {
  readonly head: BackupHead;
  /** Throws `DamagedBackup` at an invalid line, and at the end if rows or digest do not match the foot. */
  readonly rows: () => AsyncGenerator<BackupRow>;
};

const MAX_HEAD_BYTES = 1024 * 1024;

/** Reads the head; throws `DamagedBackup` if the file is not a backup, or its schema is newer than this code. */
export async function openBackup(handle: FileHandle, code: KnownSchema, signal: AbortSignal): Promise<Backup> {
  const head = await readBackupHead(handle, signal);
  if (head.schema > getNewestVersion(code)) {
    throw new DamagedBackup(
      `it was made by a newer Quern (${head.quern} with schema ${head.schema}, this is ${code.quern} and supports ${getNewestVersion(code)}): restore it with that version`,
    );
  }
  const known = listBackupTables(code, head.schema);
  const tables = new Map(head.tables.map((table) => [table.name, findColumns(known, table)]));
  if (tables.size !== known.length) throw new DamagedBackup('it does not have the tables of its schema');
  return { head, rows: () => readBackupRows(handle, tables, signal) };
}

async function readBackupHead(handle: FileHandle, signal: AbortSignal): Promise<BackupHead> {
  for await (const line of readBackupLines(handle, signal)) {
    if (line.length > MAX_HEAD_BYTES) break;
    return parseHead(line.toString('utf8'));
  }
  throw new DamagedBackup('it does not start with the header of a backup');
}

async function* readBackupRows(
  handle: FileHandle,
  tables: ReadonlyMap<string, readonly Column[]>,
  signal: AbortSignal,
): AsyncGenerator<BackupRow> {
  const digest = createHash('sha256');
  const counts = new Map<string, number>();
  let table = '';
  let foot: Foot | null = null;
  let isHead = true;
  for await (const bytes of readBackupLines(handle, signal)) {
    if (foot !== null) throw new DamagedBackup('it has lines after its last line');
    if (isHead) {
      isHead = false;
      digest.update(bytes);
      continue;
    }
    const line = parseLine(bytes.toString('utf8'));
    if (line.kind === 'foot') {
      foot = line.foot;
      continue;
    }
    digest.update(bytes);
    if (line.kind === 'table') {
      table = line.table;
      if (counts.has(table)) throw new DamagedBackup(`the table ${table} occurs twice`);
      counts.set(table, 0);
      continue;
    }
    const columns = tables.get(table);
    if (columns === undefined)
      throw new DamagedBackup(`it has rows of a table ${table} that its first line does not list`);
    counts.set(table, (counts.get(table) ?? 0) + 1);
    yield { table, columns, values: parseValues(columns, line.row), bytes: bytes.length };
  }
  if (foot === null) throw new DamagedBackup('its end is missing');
  assertFoot(foot, { tables, counts, sha256: digest.digest('hex') });
}

function assertFoot(
  foot: Foot,
  found: {
    readonly tables: ReadonlyMap<string, unknown>;
    readonly counts: ReadonlyMap<string, number>;
    readonly sha256: string;
  },
): void {
  const isWhole = [...found.tables.keys()].every((name) => found.counts.get(name) === foot.rows[name]);
  if (!isWhole || found.counts.size !== found.tables.size)
    throw new DamagedBackup('its numbers of rows differ from those in its last line');
  if (foot.sha256 !== found.sha256) throw new DamagedBackup('its checksum does not match');
}
