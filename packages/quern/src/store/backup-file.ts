import { randomBytes } from 'node:crypto';
import { createWriteStream, existsSync, type WriteStream } from 'node:fs';
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib';
import { OperatorError } from '#kernel/errors.ts';
import { Damaged } from './backup-format.ts';

/** The longest line, which bounds a row, and the memory that a hostile file can take. */
export const MAX_LINE_BYTES = 256 * 1024 * 1024;
/** The largest window of a stream, as a power of two: 8 MB, twice that of level 3. */
const WINDOW_LOG = 23;
const CHUNK_BYTES = 64 * 1024;
/** Bytes that are decompressed at once. */
const UNPACKED_BYTES = 1024 * 1024;
const NEWLINE = 10;

/**
 * Writes text as one zstd file that only its owner may read: under a temporary name first, and under its own when all of
 * it is on the disk. Answers its size in bytes. Throws `OperatorError` if the file exists or cannot be written, and then
 * leaves nothing behind.
 */
export async function writeBackupFile(
  file: string,
  lines: AsyncIterable<string>,
  signal: AbortSignal,
): Promise<number> {
  return writeNewFile(file, async (writing) => pipeline(Readable.from(lines), openPacking(), writing, { signal }));
}

/** Writes the bytes of a backup that another process has made, as `writeBackupFile` writes its own. */
export async function keepBackupFile(
  file: string,
  pieces: AsyncIterable<string | Uint8Array>,
  signal: AbortSignal,
): Promise<number> {
  return writeNewFile(file, async (writing) => pipeline(Readable.from(pieces), writing, { signal }));
}

/** The compression of a backup. */
export function openPacking() {
  return createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } });
}

async function writeNewFile(file: string, fill: (writing: WriteStream) => Promise<void>): Promise<number> {
  refuseExisting(file);
  const part = `${file}.${randomBytes(4).toString('hex')}.part`;
  try {
    const writing = createWriteStream(part, { flags: 'wx', mode: 0o600, flush: true });
    await fill(writing);
    refuseExisting(file);
    await rename(part, file);
    await syncFolder(dirname(file));
    return writing.bytesWritten;
  } catch (error) {
    await rm(part, { force: true });
    throw isOfSystem(error) ? new OperatorError(`${file}: cannot be written (${error.code})`, { cause: error }) : error;
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
    // Opening a pipe would wait for ever, and it cannot be read twice.
    if (!(await stat(file)).isFile()) throw new OperatorError(`${file}: is not a file`);
    return await open(file, 'r');
  } catch (error) {
    throw isOfSystem(error) ? new OperatorError(`${file}: cannot be read (${error.code})`, { cause: error }) : error;
  }
}

/** The lines of a backup from its beginning, newline included; little more than one of them is in memory. */
export async function* readBackupLines(handle: FileHandle, signal: AbortSignal): AsyncGenerator<Buffer> {
  const packed = Readable.from(chunksOf(handle, signal));
  const unpacking = createZstdDecompress({
    chunkSize: UNPACKED_BYTES,
    params: { [constants.ZSTD_d_windowLogMax]: WINDOW_LOG },
  });
  packed.once('error', (error) => unpacking.destroy(error));
  try {
    yield* splitLines(packed.pipe(unpacking));
  } catch (error) {
    if (!isOfCompression(error)) throw error;
    throw new Damaged('it is not a whole zstd stream', { cause: error });
  } finally {
    packed.destroy();
    unpacking.destroy();
  }
}

/** Reads by position, so that the file can be read from its beginning any number of times. */
async function* chunksOf(handle: FileHandle, signal: AbortSignal): AsyncGenerator<Buffer> {
  for (let position = 0; ;) {
    signal.throwIfAborted();
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

async function* splitLines(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      const end = chunk.subarray(from, at + 1);
      yield held.length === 0 ? end : Buffer.concat([...held, end]);
      held = [];
      bytes = 0;
      from = at + 1;
    }
    held.push(chunk.subarray(from));
    bytes += chunk.length - from;
    if (bytes > MAX_LINE_BYTES) throw new Damaged('it has a line that is too long');
  }
  if (bytes > 0) throw new Damaged('it ends in the middle of a line');
}

/** Throws `OperatorError` for a file that is there. */
export function refuseExisting(file: string): void {
  if (existsSync(file))
    throw new OperatorError(`${file}: is there already; a backup replaces no file, so name another`);
}

function isOfSystem(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error && 'code' in error;
}

function isOfCompression(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^(?:ZSTD_|Z_)/.test(String(error.code));
}
