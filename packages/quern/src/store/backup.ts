import { createHash } from 'node:crypto';
import { z } from 'zod';
import { OperatorError } from '#kernel/errors.ts';
import { fingerprintOf } from '#kernel/sealing.ts';
import { toTimestamp } from '#kernel/clock.ts';
import { MAX_LINE_BYTES, writeBackupFile } from './backup-file.ts';
import { toFootLine, toHeadLine, toRowLine, toTableLine } from './backup-format.ts';
import type { Row, Statements, StoreKind, Value } from './db.ts';
import { findApplied, refuseUnknown, schemaOf } from './migrate.ts';
import { type Code, readTables, type Table } from './schema.ts';

/** Rows whose sizes are read ahead, and bytes of rows that are held at once. */
const AHEAD = 1000;
const RUN_BYTES = 4 * 1024 * 1024;

/** Tables that a backup leaves out: pages can be fetched again, and what a process holds ends with it. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  'artifacts',
  'cached_pages',
  // The name of `processes` before schema 15.
  'holders',
  'host_leases',
  'processes',
  'rates',
  'receipts',
  'room',
]);

/** The rows that may name an object instead of holding their bytes. */
const WITH_OBJECTS = 'result_segments';
const OBJECT_BYTES = 'case when object is null then 0 else packed_bytes end';
const Named = z.looseObject({ object: z.string(), packed_bytes: z.number() });

/** The secret of a service, and whether a backup carries it: the data folder's own is nowhere else. */
export type Secret = { readonly bytes: Uint8Array; readonly carried: boolean };

/** The bytes of an object that a row names, null when it is not there; throws `StoreUnavailable`. */
export type ReadObject = (key: string, bytes: number) => Promise<Uint8Array | null>;

/** The parts of a backup in addition to its data. */
export type BackupFacts = {
  readonly code: Code;
  readonly secret: Secret;
  /** Reads the objects that rows name, so that the backup holds them itself; null leaves them out. */
  readonly readObject: ReadObject | null;
  /** The instant, ms. */
  readonly now: number;
  /** Receives the number of rows that are written so far. */
  readonly progress: (rows: number) => void;
  readonly signal: AbortSignal;
};

/** The contents of a backup that was written. */
export type BackupSummary = {
  readonly file: string;
  readonly bytes: number;
  readonly schema: number;
  readonly rows: Readonly<Record<string, number>>;
  /** Whether the secret is in it. */
  readonly carries_secret: boolean;
};

/** The tables of a schema that a backup holds. */
export function tablesToKeep(code: Code, schema: number): readonly Table[] {
  return readTables(code, schema).filter(({ name }) => !LEFT_OUT.has(name));
}

/**
 * Writes the whole store to a new file; `view` is a snapshot of it. Memory is bounded by a few of the largest rows. Throws
 * `OperatorError` if there is nothing to write, if a newer version wrote the data, and if the file cannot be written.
 */
export async function writeBackup(
  { view, kind }: { readonly view: Statements; readonly kind: StoreKind },
  file: string,
  facts: BackupFacts,
): Promise<BackupSummary> {
  const { schema, rows, lines } = await backupLines({ view, kind }, facts);
  const bytes = await writeBackupFile(file, lines, facts.signal);
  return { file, bytes, schema, rows, carries_secret: facts.secret.carried };
}

/** The text of a backup, its schema, and the rows of each table, which are counted while it is read. */
export async function backupLines(
  { view, kind }: { readonly view: Statements; readonly kind: StoreKind },
  facts: BackupFacts,
) {
  const { code, secret, now } = facts;
  const applied = await findApplied(view, kind);
  const schema = schemaOf(applied);
  if (schema === 0) throw new OperatorError('there is nothing to back up: no service has started here yet');
  refuseUnknown(applied, code);
  const tables = tablesToKeep(code, schema);
  const rows: Record<string, number> = {};
  const head = toHeadLine({
    quern: code.quern,
    schema,
    at: toTimestamp(now),
    store: kind,
    secret: {
      fingerprint: fingerprintOf(secret.bytes),
      key: secret.carried ? Buffer.from(secret.bytes).toString('base64') : null,
    },
    tables: tables.map(({ name, columns }) => ({ name, columns: columns.map((column) => column.name) })),
  });
  return { schema, rows, lines: withFoot(head, { ...facts, view, tables, rows }) };
}

type Content = Pick<BackupFacts, 'progress' | 'readObject'> & {
  readonly view: Statements;
  readonly tables: readonly Table[];
  /** Filled while the rows are written. */
  readonly rows: Record<string, number>;
};

async function* withFoot(head: string, content: Content): AsyncGenerator<string> {
  const digest = createHash('sha256');
  for await (const text of toText(head, content)) {
    digest.update(text);
    yield text;
  }
  yield toFootLine({ rows: content.rows, sha256: digest.digest('hex') });
}

async function* toText(head: string, { view, tables, rows, progress, readObject }: Content): AsyncGenerator<string> {
  yield head;
  let written = 0;
  for (const table of tables) {
    yield toTableLine(table.name);
    let count = 0;
    for await (const run of runsOf(view, table)) {
      const lines: string[] = [];
      for (const row of run) lines.push(toRowLine(table.columns, await withObject(table, row, readObject)));
      if (lines.some(({ length }) => length > MAX_LINE_BYTES)) throw new Error(`a row of ${table.name} is too large`);
      yield lines.join('');
      count += run.length;
      written += run.length;
      progress(written);
    }
    rows[table.name] = count;
  }
}

/** Leaves a row unchanged whose object is gone, since its job is being deleted. */
async function withObject({ name }: Table, row: Row, readObject: ReadObject | null): Promise<Row> {
  const named = name === WITH_OBJECTS && readObject !== null ? Named.safeParse(row) : null;
  if (named?.success !== true || readObject === null) return row;
  const packed = await readObject(named.data.object, named.data.packed_bytes);
  return packed === null ? row : { ...row, packed, object: null };
}

/** The rows of a table in the order of its key, a few megabytes at a time: their sizes are read before they are. */
async function* runsOf(view: Statements, table: Table): AsyncGenerator<readonly Row[]> {
  const key = table.key.join(', ');
  const columns = table.columns.map(({ name }) => name).join(', ');
  const sizes = table.columns
    .filter(({ type }) => type !== 'bigint')
    .map(({ name }) => `coalesce(octet_length(${name}), 0)`);
  if (table.name === WITH_OBJECTS) sizes.push(OBJECT_BYTES);
  const size = sizes.length === 0 ? '0' : sizes.join(' + ');
  const holes = (from: number): string => table.key.map((_, at) => `$${from + at}`).join(', ');
  const beyond = `(${key}) > (${holes(1)})`;
  const within = `(${key}) <= (${holes(table.key.length + 1)})`;
  for (let after: readonly Value[] | null = null; ;) {
    const isFirst = after === null;
    const ahead = await view.query(
      `select ${key}, ${size} as row_bytes from ${table.name} ${isFirst ? '' : `where ${beyond}`} order by ${key} limit ${AHEAD}`,
      after ?? [],
    );
    if (ahead.length === 0) return;
    for (const last of lastOfRuns(ahead)) {
      const until = table.key.map((name) => toKeyValue(last[name]));
      const [where, values] =
        after === null ? [`(${key}) <= (${holes(1)})`, until] : [`${beyond} and ${within}`, [...after, ...until]];
      yield await view.query(`select ${columns} from ${table.name} where ${where} order by ${key}`, values);
      after = until;
    }
  }
}

/** The last row of each run of rows that fits into the bounds. */
function lastOfRuns(rows: readonly Row[]): readonly Row[] {
  let bytes = 0;
  return rows.filter((row, at) => {
    bytes += Number(row['row_bytes']);
    const next = rows[at + 1];
    const isLast = next === undefined || bytes + Number(next['row_bytes']) > RUN_BYTES;
    if (isLast) bytes = 0;
    return isLast;
  });
}

function toKeyValue(value: unknown): Value {
  if (typeof value === 'string' || typeof value === 'number') return value;
  throw new Error('a key is text or an integer');
}
