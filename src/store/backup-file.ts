import { randomBytes } from 'node:crypto';
import { createWriteStream, existsSync } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib';
import { OperatorError } from '#kernel/errors.ts';
import { Damaged } from './backup-format.ts';

/** The longest line: what one row may take, and what a hostile file can make this process hold. */
export const LONGEST_LINE_BYTES = 256 * 1024 * 1024;
/** Of the window of a stream, as a power of two: 8 MB, twice of what level 3 uses. */
const WINDOW_LOG = 23;
const CHUNK_BYTES = 64 * 1024;
/** Unpacked at once. */
const UNPACKED_BYTES = 1024 * 1024;
const NEWLINE = 10;

/**
 * Writes text as one zstd file that only its owner may read: beside its place first, and there under its name when all
 * of it is on the disk. Answers its size in bytes. Throws `OperatorError` when it is there already or cannot be
 * written; nothing is left then.
 */
export async function writeBackupFile(
  file: string,
  lines: AsyncIterable<string>,
  signal: AbortSignal,
): Promise<number> {
  refuseExisting(file);
  const part = `${file}.${randomBytes(4).toString('hex')}.part`;
  try {
    const packing = createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } });
    const writing = createWriteStream(part, { flags: 'wx', mode: 0o600, flush: true });
    await pipeline(Readable.from(lines), packing, writing, { signal });
    refuseExisting(file);
    await rename(part, file);
    await syncFolder(dirname(file));
    return writing.bytesWritten;
  } catch (error) {
    await rm(part, { force: true });
    throw isOfSystem(error) ? new OperatorError(`${file}: cannot be written (${error.code})`, { cause: error }) : error;
  }
}

/** Makes sure that the names in a folder are on the disk. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Opens a backup to be read; throws `OperatorError` when that cannot be. */
export async function openBackupFile(file: string): Promise<FileHandle> {
  try {
    // A pipe would never be opened, and cannot be read twice.
    if (!(await stat(file)).isFile()) throw new OperatorError(`${file}: is not a file`);
    return await open(file, 'r');
  } catch (error) {
    throw isOfSystem(error) ? new OperatorError(`${file}: cannot be read (${error.code})`, { cause: error }) : error;
  }
}

/** The lines of a backup from its beginning, newline included; never more in memory than one and a little. */
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

/** By position, so that a file is read from its beginning however often that was done before. */
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
    if (bytes > LONGEST_LINE_BYTES) throw new Damaged('it has a line that is too long');
  }
  if (bytes > 0) throw new Damaged('it ends in the middle of a line');
}

function refuseExisting(file: string): void {
  if (existsSync(file))
    throw new OperatorError(`${file}: is there already; a backup replaces no file, so name another`);
}

function isOfSystem(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error && 'code' in error;
}

function isOfCompression(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^(?:ZSTD_|Z_)/.test(String(error.code));
}
