import { createHash } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { toTimestamp } from '#kernel/clock.ts';
import { OperatorError } from '#kernel/errors.ts';
import { computeFingerprint } from '#kernel/sealer.ts';
import {
  createBackupCompressor,
  formatFootLine,
  formatHeadLine,
  formatRowLine,
  formatTableLine,
  MAX_LINE_BYTES,
  writeBackupFile,
} from './backup-file.ts';
import { type Db, type Queryable, type Row, type SqlValue, type StoreKind, StoreUnavailable } from './db.ts';
import { assertKnownSchema, assertNotNewer, getSchemaVersion, readAppliedMigrations } from './migrate.ts';
import { getNewestVersion, type KnownSchema, loadKnownSchema, readTables, type Table } from './schema.ts';

/** Rows whose sizes are read in one query, and bytes of rows that are read in one query. */
const SIZED_ROWS = 1000;
const MAX_BATCH_BYTES = 4 * 1024 * 1024;

/** Tables that a backup omits: pages can be fetched again, and leases end with their process. */
const EXCLUDED_TABLES: ReadonlySet<string> = new Set([
  'artifacts',
  'cached_pages',
  // The old name of `processes`, before schema 15.
  'holders',
  'host_leases',
  'processes',
  'rates',
  'receipts',
  'room',
]);

/** The table whose rows may refer to an object instead of containing their bytes. */
const OBJECT_TABLE = 'result_segments';
const OBJECT_BYTES = 'case when object is null then 0 else packed_bytes end';
const ObjectReference = z.looseObject({ object: z.string(), packed_bytes: z.number() });

/** The secret of a service, and whether a backup includes it: only if it is stored in the data folder alone. */
export type BackupSecret = { readonly bytes: Uint8Array; readonly included: boolean };

/** Reads an object that a row refers to; null if it does not exist. Throws `StoreUnavailable`. */
export type ReadObject = (key: string, bytes: number) => Promise<Uint8Array | null>;

/** What a backup needs in addition to the database. */
export type BackupOptions = {
  readonly code: KnownSchema;
  readonly secret: BackupSecret;
  /** Reads the objects of rows, so that the backup includes them; null omits them. */
  readonly readObject: ReadObject | null;
  /** The instant, ms. */
  readonly now: number;
  /** Receives the number of rows written so far. */
  readonly progress: (rows: number) => void;
  readonly signal: AbortSignal;
};

/** A summary of a backup file. */
export type BackupSummary = {
  readonly file: string;
  readonly bytes: number;
  readonly schema: number;
  readonly rows: Readonly<Record<string, number>>;
  /** Whether the backup includes the secret. */
  readonly carries_secret: boolean;
};

/** The tables of a schema that a backup includes. */
export function listBackupTables(code: KnownSchema, schema: number): readonly Table[] {
  return readTables(code, schema).filter(({ name }) => !EXCLUDED_TABLES.has(name));
}

/**
 * Writes the whole database to a new file; `view` is a snapshot of it. Holds only a few rows in memory. Throws `OperatorError`
 * if there is no data, if a newer version wrote the data, or if the file cannot be written.
 */
export async function writeBackup(
  { view, kind }: { readonly view: Queryable; readonly kind: StoreKind },
  file: string,
  facts: BackupOptions,
): Promise<BackupSummary> {
  const { schema, rows, lines } = await prepareBackup({ view, kind }, facts);
  const bytes = await writeBackupFile(file, lines, facts.signal);
  return { file, bytes, schema, rows, carries_secret: facts.secret.included };
}

/** The lines of a backup, its schema version, and the row counts, which are complete once all lines are read. */
export async function prepareBackup(
  { view, kind }: { readonly view: Queryable; readonly kind: StoreKind },
  facts: BackupOptions,
) {
  const { code, secret, now } = facts;
  const applied = await readAppliedMigrations(view, kind);
  const schema = getSchemaVersion(applied);
  if (schema === 0) throw new OperatorError('there is nothing to back up: no service has started here yet');
  assertKnownSchema(applied, code);
  const tables = listBackupTables(code, schema);
  const rows: Record<string, number> = {};
  const head = formatHeadLine({
    quern: code.quern,
    schema,
    at: toTimestamp(now),
    store: kind,
    secret: {
      fingerprint: computeFingerprint(secret.bytes),
      key: secret.included ? Buffer.from(secret.bytes).toString('base64') : null,
    },
    tables: tables.map(({ name, columns }) => ({ name, columns: columns.map((column) => column.name) })),
  });
  return { schema, rows, lines: generateBackup(head, { ...facts, view, tables, rows }) };
}

type BackupContent = Pick<BackupOptions, 'progress' | 'readObject'> & {
  readonly view: Queryable;
  readonly tables: readonly Table[];
  /** Filled while the rows are written. */
  readonly rows: Record<string, number>;
};

async function* generateBackup(head: string, content: BackupContent): AsyncGenerator<string> {
  const digest = createHash('sha256');
  for await (const text of generateLines(head, content)) {
    digest.update(text);
    yield text;
  }
  yield formatFootLine({ rows: content.rows, sha256: digest.digest('hex') });
}

async function* generateLines(
  head: string,
  { view, tables, rows, progress, readObject }: BackupContent,
): AsyncGenerator<string> {
  yield head;
  let written = 0;
  for (const table of tables) {
    yield formatTableLine(table.name);
    let count = 0;
    for await (const run of readBatches(view, table)) {
      const lines: string[] = [];
      for (const row of run) lines.push(formatRowLine(table.columns, await inlineObject(table, row, readObject)));
      if (lines.some(({ length }) => length > MAX_LINE_BYTES)) throw new Error(`a row of ${table.name} is too large`);
      yield lines.join('');
      count += run.length;
      written += run.length;
      progress(written);
    }
    rows[table.name] = count;
  }
}

/** Replaces the object reference of a row by its bytes. A row whose object is gone stays unchanged: its job is being deleted. */
async function inlineObject({ name }: Table, row: Row, readObject: ReadObject | null): Promise<Row> {
  const named = name === OBJECT_TABLE && readObject !== null ? ObjectReference.safeParse(row) : null;
  if (named?.success !== true || readObject === null) return row;
  const packed = await readObject(named.data.object, named.data.packed_bytes);
  return packed === null ? row : { ...row, packed, object: null };
}

/** Reads the rows of a table in key order, a few megabytes at a time; reads their sizes first to choose the batches. */
async function* readBatches(view: Queryable, table: Table): AsyncGenerator<readonly Row[]> {
  const key = table.key.join(', ');
  const columns = table.columns.map(({ name }) => name).join(', ');
  const sizes = table.columns
    .filter(({ type }) => type !== 'bigint')
    .map(({ name }) => `coalesce(octet_length(${name}), 0)`);
  if (table.name === OBJECT_TABLE) sizes.push(OBJECT_BYTES);
  const size = sizes.length === 0 ? '0' : sizes.join(' + ');
  const holes = (from: number): string => table.key.map((_, at) => `$${from + at}`).join(', ');
  const beyond = `(${key}) > (${holes(1)})`;
  const within = `(${key}) <= (${holes(table.key.length + 1)})`;
  for (let after: readonly SqlValue[] | null = null; ;) {
    const isFirst = after === null;
    const ahead = await view.query(
      `select ${key}, ${size} as row_bytes from ${table.name} ${isFirst ? '' : `where ${beyond}`} order by ${key} limit ${SIZED_ROWS}`,
      after ?? [],
    );
    if (ahead.length === 0) return;
    for (const last of listBatchEnds(ahead)) {
      const until = table.key.map((name) => parseKeyValue(last[name]));
      const [where, values] =
        after === null ? [`(${key}) <= (${holes(1)})`, until] : [`${beyond} and ${within}`, [...after, ...until]];
      yield await view.query(`select ${columns} from ${table.name} where ${where} order by ${key}`, values);
      after = until;
    }
  }
}

/** The last row of each batch that fits into the byte limit. */
function listBatchEnds(rows: readonly Row[]): readonly Row[] {
  let bytes = 0;
  return rows.filter((row, at) => {
    bytes += Number(row['row_bytes']);
    const next = rows[at + 1];
    const isLast = next === undefined || bytes + Number(next['row_bytes']) > MAX_BATCH_BYTES;
    if (isLast) bytes = 0;
    return isLast;
  });
}

function parseKeyValue(value: unknown): SqlValue {
  if (typeof value === 'string' || typeof value === 'number') return value;
  throw new Error('a key is text or an integer');
}

const MAX_MIGRATION_BACKUPS = 3;
const MIGRATION_BACKUP_NAME = /^schema-\d+-(.+)\.quern$/;
const PARTIAL_FILE_NAME = /\.part$/;

/** The folder of automatic backups in the data folder; created if it is missing. */
export async function createBackupsFolder(dataDir: string): Promise<string> {
  const folder = join(dataDir, 'backups');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/** The instant as a part of a file name: `2026-11-21T120000.000Z`. */
export function formatFileTime(now: number): string {
  return toTimestamp(now).replaceAll(':', '');
}

/** The name of a backup before a migration from `schema`. */
export function buildMigrationBackupName(schema: number, now: number): string {
  return `schema-${schema}-${formatFileTime(now)}.quern`;
}

/** Deletes all but the newest migration backups, and partial files that a crash left. */
export async function pruneBackups(folder: string): Promise<void> {
  const names = await readdir(folder);
  const ours = names
    .filter((name) => MIGRATION_BACKUP_NAME.test(name))
    .toSorted((a, b) => (parseBackupTime(a) < parseBackupTime(b) ? 1 : -1));
  for (const name of [...ours.slice(MAX_MIGRATION_BACKUPS), ...names.filter((one) => PARTIAL_FILE_NAME.test(one))])
    await rm(join(folder, name));
}

function parseBackupTime(name: string): string {
  return MIGRATION_BACKUP_NAME.exec(name)?.[1] ?? '';
}

/** What a backup before a migration needs. */
export type MigrationBackupOptions = {
  readonly dataDir: string;
  /** Called only when a backup is made. */
  readonly secret: () => BackupSecret;
  /** Called only when a backup is made; null omits large results. */
  readonly openObjects: () => Promise<ReadObject | null>;
  readonly now: () => number;
  /** Receives a line about the backup. */
  readonly note: (line: string) => void;
};

/**
 * Backs up the data if its schema is older; does nothing for an empty store. Throws `OperatorError` if the backup cannot be
 * written, so that no migration starts without one.
 */
export async function backUpBeforeMigration(db: Db, code: KnownSchema, backups: MigrationBackupOptions): Promise<void> {
  const applied = await readAppliedMigrations(db, db.kind);
  assertNotNewer(applied, { code, kind: db.kind });
  const schema = getSchemaVersion(applied);
  if (schema === 0 || schema >= getNewestVersion(code)) return;
  try {
    await db.snapshot(async (view) => writeMigrationBackup({ view, kind: db.kind, schema }, code, backups));
  } catch (error) {
    // Another process has made a backup and started the migration, so renamed columns can no longer be read.
    if (getSchemaVersion(await readAppliedMigrations(db, db.kind)) > schema) return;
    throw new OperatorError(
      `QUERN_DATA_DIR ${backups.dataDir}: the backup before the migration to schema ${getNewestVersion(code)} failed, and nothing was changed: free disk space there, or start the older version again (${error instanceof Error ? error.message : String(error)})`,
      { cause: error },
    );
  }
}

type OldStoreView = { readonly view: Queryable; readonly kind: StoreKind; readonly schema: number };

/** Writes the backup into the data folder, and deletes the oldest ones beyond the limit. */
async function writeMigrationBackup(
  { view, kind, schema }: OldStoreView,
  code: KnownSchema,
  backups: MigrationBackupOptions,
): Promise<void> {
  const { dataDir, secret, openObjects, now, note } = backups;
  const at = now();
  const folder = await createBackupsFolder(dataDir);
  const file = join(folder, buildMigrationBackupName(schema, at));
  const facts = { code, secret: secret(), readObject: await openObjects(), now: at, progress: ignoreProgress };
  await writeBackup({ view, kind }, file, { ...facts, signal: new AbortController().signal });
  await pruneBackups(folder);
  note(`the data was backed up to ${file} before the migration from schema ${schema} to ${getNewestVersion(code)}`);
}

/** Ignores progress: it is not shown during a start. */
function ignoreProgress(): void {}

/**
 * Streams a backup of an open store as fast as it is consumed, with only a few rows in memory. The snapshot stays open until
 * the end, or until the consumer stops. Throws `StoreUnavailable` if the connection of the snapshot breaks.
 */
export async function* streamBackup(db: Db, facts: Omit<BackupOptions, 'code'>): AsyncGenerator<Uint8Array, void> {
  const packing = createBackupCompressor();
  const stop = new AbortController();
  const signal = AbortSignal.any([facts.signal, stop.signal]);
  const code = await loadKnownSchema();
  let isBegun = false;
  const written = db
    .snapshot(async (view) => {
      // Bytes of the first snapshot were already sent, so the work cannot be repeated.
      if (isBegun) throw new StoreUnavailable('the connection of the snapshot broke');
      isBegun = true;
      const { lines } = await prepareBackup({ view, kind: db.kind }, { ...facts, code });
      await pipeline(Readable.from(lines), packing, { signal });
    })
    .catch((error: unknown) => {
      packing.destroy(error instanceof Error ? error : new Error(String(error)));
    });
  try {
    for await (const piece of packing) yield Buffer.from(piece);
  } finally {
    stop.abort();
    packing.destroy();
    await written;
  }
}
