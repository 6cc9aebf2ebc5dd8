import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { readBackupLines } from './backup-file.ts';
import { type BackupHead, Damaged, type Foot, readColumns, readHead, readLine, readValues } from './backup-format.ts';
import { tablesToKeep } from './backup.ts';
import type { Value } from './db.ts';
import { type Code, type Column, newestOf } from './schema.ts';

/** One row of a backup. */
export type BackupRow = {
  readonly table: string;
  readonly columns: readonly Column[];
  readonly values: readonly Value[];
  /** Its bytes in the file, decompressed. */
  readonly bytes: number;
};

/** An open backup, which can be read from its beginning any number of times and is checked to its end each time. */
export type Backup = {
  readonly head: BackupHead;
  /** Throws `Damaged` at a line that does not match, and at the end if rows or digest are not those of the foot. */
  readonly rows: () => AsyncGenerator<BackupRow>;
};

const HEAD_BYTES = 1024 * 1024;

/** Reads the head; throws `Damaged` if the file is no backup, or has a schema that this code does not know. */
export async function openBackup(handle: FileHandle, code: Code, signal: AbortSignal): Promise<Backup> {
  const head = await findHead(handle, signal);
  if (head.schema > newestOf(code)) {
    throw new Damaged(
      `it was made by a newer Quern (${head.quern} with schema ${head.schema}, this is ${code.quern} and knows ${newestOf(code)}): restore it with that version`,
    );
  }
  const known = tablesToKeep(code, head.schema);
  const tables = new Map(head.tables.map((table) => [table.name, readColumns(known, table)]));
  if (tables.size !== known.length) throw new Damaged('it does not have the tables of its schema');
  return { head, rows: () => readRowsOf(handle, tables, signal) };
}

async function findHead(handle: FileHandle, signal: AbortSignal): Promise<BackupHead> {
  for await (const line of readBackupLines(handle, signal)) {
    if (line.length > HEAD_BYTES) break;
    return readHead(line.toString('utf8'));
  }
  throw new Damaged('it does not begin as a backup does');
}

async function* readRowsOf(
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
    if (foot !== null) throw new Damaged('it goes on after its end');
    if (isHead) {
      isHead = false;
      digest.update(bytes);
      continue;
    }
    const line = readLine(bytes.toString('utf8'));
    if (line.kind === 'foot') {
      foot = line.foot;
      continue;
    }
    digest.update(bytes);
    if (line.kind === 'table') {
      table = line.table;
      if (counts.has(table)) throw new Damaged(`the table ${table} is there twice`);
      counts.set(table, 0);
      continue;
    }
    const columns = tables.get(table);
    if (columns === undefined) throw new Damaged(`it has rows of a table ${table} that its head does not name`);
    counts.set(table, (counts.get(table) ?? 0) + 1);
    yield { table, columns, values: readValues(columns, line.row), bytes: bytes.length };
  }
  if (foot === null) throw new Damaged('its end is missing');
  checkFoot(foot, { tables, counts, sha256: digest.digest('hex') });
}

function checkFoot(
  foot: Foot,
  found: {
    readonly tables: ReadonlyMap<string, unknown>;
    readonly counts: ReadonlyMap<string, number>;
    readonly sha256: string;
  },
): void {
  const isWhole = [...found.tables.keys()].every((name) => found.counts.get(name) === foot.rows[name]);
  if (!isWhole || found.counts.size !== found.tables.size)
    throw new Damaged('its rows are not those that its end counts');
  if (foot.sha256 !== found.sha256) throw new Damaged('its content is not what was written');
}
