import { randomBytes } from 'node:crypto';
import { createWriteStream, existsSync, type WriteStream } from 'node:fs';
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib';
import { z } from 'zod';
import { OperatorError } from '#kernel/errors.ts';
import { type Row, STORE_KINDS, type SqlValue } from './db.ts';
import type { Column, Table } from './schema.ts';

/** Maximum length of a line; it bounds a row, and the memory that a malicious file can use. */
export const MAX_LINE_BYTES = 256 * 1024 * 1024;
/** Maximum zstd window as a power of two: 8 MiB, twice that of level 3. */
const MAX_WINDOW_LOG = 23;
const READ_CHUNK_BYTES = 64 * 1024;
/** Size of a decompressed chunk. */
const DECOMPRESSED_CHUNK_BYTES = 1024 * 1024;
const NEWLINE = 10;

/**
 * Writes text to a zstd file that only its owner can read: under a temporary name, renamed when everything is on disk.
 * Returns its size in bytes. Throws `OperatorError` if the file exists or cannot be written, and then leaves no file behind.
 */
export async function writeBackupFile(
  file: string,
  lines: AsyncIterable<string>,
  signal: AbortSignal,
): Promise<number> {
  return writeNewFile(file, async (writing) =>
    pipeline(Readable.from(lines), createBackupCompressor(), writing, { signal }),
  );
}

/** Writes a backup that another process created and compressed, in the same way as `writeBackupFile`. */
export async function copyBackupFile(
  file: string,
  pieces: AsyncIterable<string | Uint8Array>,
  signal: AbortSignal,
): Promise<number> {
  return writeNewFile(file, async (writing) => pipeline(Readable.from(pieces), writing, { signal }));
}

/** Creates the compressor of a backup. */
export function createBackupCompressor() {
  return createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } });
}

async function writeNewFile(file: string, fill: (writing: WriteStream) => Promise<void>): Promise<number> {
  assertNoFile(file);
  const part = `${file}.${randomBytes(4).toString('hex')}.part`;
  try {
    const writing = createWriteStream(part, { flags: 'wx', mode: 0o600, flush: true });
    await fill(writing);
    assertNoFile(file);
    await rename(part, file);
    await syncFolder(dirname(file));
    return writing.bytesWritten;
  } catch (error) {
    await rm(part, { force: true });
    throw isSystemError(error)
      ? new OperatorError(`${file}: cannot be written (${error.code})`, { cause: error })
      : error;
  }
}

/** Syncs a folder, so that the names in it survive a power cut. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Opens a backup for reading; throws `OperatorError` if it cannot. */
export async function openBackupFile(file: string): Promise<FileHandle> {
  try {
    // Opening a pipe would block, and a pipe cannot be read twice.
    if (!(await stat(file)).isFile()) throw new OperatorError(`${file}: is not a file`);
    return await open(file, 'r');
  } catch (error) {
    throw isSystemError(error) ? new OperatorError(`${file}: cannot be read (${error.code})`, { cause: error }) : error;
  }
}

/** Reads the lines of a backup from its beginning, newlines included. Holds little more than one line in memory. */
export async function* readBackupLines(handle: FileHandle, signal: AbortSignal): AsyncGenerator<Buffer> {
  const packed = Readable.from(readChunks(handle, signal));
  const unpacking = createZstdDecompress({
    chunkSize: DECOMPRESSED_CHUNK_BYTES,
    params: { [constants.ZSTD_d_windowLogMax]: MAX_WINDOW_LOG },
  });
  packed.once('error', (error) => unpacking.destroy(error));
  try {
    yield* splitLines(packed.pipe(unpacking));
  } catch (error) {
    if (!isCompressionError(error)) throw error;
    throw new DamagedBackup('it is not a complete zstd stream', { cause: error });
  } finally {
    packed.destroy();
    unpacking.destroy();
  }
}

/** Reads by position, so that the file can be read several times. */
async function* readChunks(handle: FileHandle, signal: AbortSignal): AsyncGenerator<Buffer> {
  for (let position = 0; ;) {
    signal.throwIfAborted();
    const { bytesRead, buffer } = await handle.read(
      Buffer.allocUnsafe(READ_CHUNK_BYTES),
      0,
      READ_CHUNK_BYTES,
      position,
    );
    if (bytesRead === 0) return;
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

async function* splitLines(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      const end = chunk.subarray(from, at + 1);
      yield chunks.length === 0 ? end : Buffer.concat([...chunks, end]);
      chunks = [];
      bytes = 0;
      from = at + 1;
    }
    chunks.push(chunk.subarray(from));
    bytes += chunk.length - from;
    if (bytes > MAX_LINE_BYTES) throw new DamagedBackup('it has a line that is too long');
  }
  if (bytes > 0) throw new DamagedBackup('it ends in the middle of a line');
}

/** Throws `OperatorError` if the file exists. */
export function assertNoFile(file: string): void {
  if (existsSync(file))
    throw new OperatorError(`${file}: already exists; choose another file, because a backup never overwrites one`);
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error && 'code' in error;
}

function isCompressionError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^(?:ZSTD_|Z_)/.test(String(error.code));
}

/*
 * A backup is a zstd stream of JSON lines. The first line is the head. For each table, a line with its name is followed by one
 * array for each row, with the values in the order of the columns in the head: text is a string, an integer is a number, bytes
 * are `{"bytes": base64}`. The last line is the foot: the number of rows of each table, and the SHA-256 of all lines before it.
 */

/** The version of the backup format. */
const FORMAT_VERSION = 1;

const SqlName = z.string().regex(/^[a-z][a-z_0-9]{0,62}$/);

const Head = z.strictObject({
  quern_backup: z.literal(FORMAT_VERSION),
  quern: z.string().max(64),
  schema: z.int().positive(),
  at: z.iso.datetime(),
  store: z.enum(STORE_KINDS),
  secret: z.strictObject({
    fingerprint: z.string().max(64),
    /** The secret itself, if it comes from the data folder; null if it comes from QUERN_SECRET_KEY. */
    key: z.base64().max(64).nullable(),
  }),
  tables: z.array(z.strictObject({ name: SqlName, columns: z.array(SqlName).min(1).max(256) })).max(1024),
});

/** The head of a backup. */
export type BackupHead = Readonly<z.output<typeof Head>>;

const Foot = z.strictObject({ rows: z.record(z.string(), z.int().nonnegative()), sha256: z.string() });
export type Foot = z.output<typeof Foot>;

const JsonBytes = z.strictObject({ bytes: z.base64() });
const TableLine = z.strictObject({ table: z.string() });
const FootLine = z.strictObject({ foot: Foot });
const FormatMark = z.looseObject({ quern_backup: z.number() });

/** The file is not a backup, or is incomplete or damaged. */
export class DamagedBackup extends Error {}

export function formatHeadLine(head: Omit<BackupHead, 'quern_backup'>): string {
  return formatLine({ quern_backup: FORMAT_VERSION, ...head });
}

export function formatTableLine(table: string): string {
  return formatLine({ table });
}

export function formatFootLine(foot: Foot): string {
  return formatLine({ foot });
}

export function formatRowLine(columns: readonly Column[], row: Row): string {
  return formatLine(columns.map(({ name }) => toJsonValue(row[name])));
}

/** Throws `Damaged`. */
export function parseHead(line: string): BackupHead {
  const raw = parseJsonLine(line);
  const marked = FormatMark.safeParse(raw);
  if (!marked.success) throw new DamagedBackup('it does not start with the header of a backup');
  if (marked.data.quern_backup > FORMAT_VERSION)
    throw new DamagedBackup('it was made by a newer Quern: restore it with that version');
  const head = Head.safeParse(raw);
  if (!head.success) throw new DamagedBackup('its first line is not a valid backup header');
  return head.data;
}

type BackupLine =
  | { readonly kind: 'table'; readonly table: string }
  | { readonly kind: 'row'; readonly row: readonly unknown[] }
  | { readonly kind: 'foot'; readonly foot: Foot };

export function parseLine(line: string): BackupLine {
  const raw = parseJsonLine(line);
  if (Array.isArray(raw)) return { kind: 'row', row: raw };
  const table = TableLine.safeParse(raw);
  if (table.success) return { kind: 'table', table: table.data.table };
  const foot = FootLine.safeParse(raw);
  if (foot.success) return { kind: 'foot', foot: foot.data.foot };
  throw new DamagedBackup('it has an invalid line');
}

/** The columns of a table in the order of the backup; throws if the schema does not have them. */
export function findColumns(tables: readonly Table[], named: BackupHead['tables'][number]): readonly Column[] {
  const table = tables.find(({ name }) => name === named.name);
  if (table === undefined) throw new DamagedBackup(`it has a table ${named.name}, which its schema does not have`);
  if (new Set(named.columns).size !== named.columns.length)
    throw new DamagedBackup(`a column of ${named.name} occurs twice`);
  return named.columns.map((wanted) => {
    const column = table.columns.find(({ name }) => name === wanted);
    if (column === undefined)
      throw new DamagedBackup(`it has a column ${named.name}.${wanted}, which its schema does not have`);
    return column;
  });
}

/** Parses the values of a row by the types of its columns. */
export function parseValues(columns: readonly Column[], row: readonly unknown[]): readonly SqlValue[] {
  if (row.length !== columns.length) throw new DamagedBackup('it has a row with the wrong number of values');
  return columns.map((column, at) => parseValue(column, row[at]));
}

function parseValue({ name, type }: Column, raw: unknown): SqlValue {
  if (raw === null) return null;
  if (type === 'text' && typeof raw === 'string') return raw;
  if (type === 'bigint' && typeof raw === 'number' && Number.isSafeInteger(raw)) return raw;
  const bytes = type === 'blob' ? JsonBytes.safeParse(raw) : null;
  if (bytes?.success === true) return Buffer.from(bytes.data.bytes, 'base64');
  throw new DamagedBackup(`a value of ${name} is not of the type ${type}`);
}

function toJsonValue(value: unknown): unknown {
  return value instanceof Uint8Array ? { bytes: Buffer.from(value).toString('base64') } : value;
}

function formatLine(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}

function parseJsonLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    throw new DamagedBackup('it has a line that is not JSON', { cause: error });
  }
}
