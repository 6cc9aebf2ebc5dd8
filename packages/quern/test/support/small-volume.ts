import { execFile } from 'node:child_process';
import { mkdir, open, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const CHUNK_BYTES = 64 * 1024;

/** A separate volume that a test can fill up. */
export type SmallVolume = AsyncDisposable & {
  readonly folder: string;
  /** Writes until nothing fits, including space that others free meanwhile. */
  readonly fill: () => Promise<void>;
  /** Frees the space again. */
  readonly empty: () => Promise<void>;
  /** The total and the free bytes. */
  readonly room: () => Promise<{ readonly size: number; readonly free: number }>;
};

/** Mounts a volume of some megabytes at a new folder; returns the reason as text if that is not permitted. */
export async function mountSmallVolume(folder: string, megabytes: number): Promise<SmallVolume | string> {
  await mkdir(folder, { mode: 0o700 });
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0700`, 'tmpfs', folder]);
  } catch (error) {
    return error instanceof Error ? error.message.trim() : String(error);
  }
  const filler = join(folder, 'filler');

  async function room(): Promise<{ readonly size: number; readonly free: number }> {
    const { blocks, bavail, bsize } = await statfs(folder);
    return { size: blocks * bsize, free: bavail * bsize };
  }

  return {
    folder,
    async fill() {
      const handle = await open(filler, 'a');
      try {
        for (let size = CHUNK_BYTES; size >= 1;) {
          const written = await handle.write(Buffer.alloc(size)).then(
            ({ bytesWritten }) => bytesWritten === size,
            () => false,
          );
          if (!written) size = Math.floor(size / 2);
        }
      } finally {
        await handle.close();
      }
    },
    empty: async () => rm(filler, { force: true }),
    room,
    async [Symbol.asyncDispose]() {
      await run('umount', ['-l', folder]);
    },
  };
}
