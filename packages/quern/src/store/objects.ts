import { open, readdir, rmdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { addAbortSignal } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { Disk } from 'flydrive';
import { FSDriver } from 'flydrive/drivers/fs';
import type { ArtifactsPlace } from '#kernel/artifacts-url.ts';
import type { Clock } from '#kernel/clock.ts';
import { StoreUnavailable } from './db.ts';
import type { SqliteOptions } from './sqlite.ts';

/**
 * Immutable objects by their keys, `a/b/c`, outside of the rows that name them. Every call has a deadline; where the place
 * itself fails it throws `StoreUnavailable`.
 */
export type Objects = {
  readonly put: (key: string, bytes: Uint8Array) => Promise<void>;
  /** The object; null if there is none with this key and this number of bytes. */
  readonly read: (key: string, bytes: number) => Promise<Uint8Array | null>;
  readonly delete: (key: string) => Promise<void>;
  /** Deletes every object of a folder; no other folder's name may begin with the name of this one. */
  readonly deleteAll: (folder: string) => Promise<void>;
  /** The keys below a folder in their order, at most a thousand at a time. */
  readonly list: (folder: string) => AsyncIterable<readonly string[]>;
};

/** A disk, and the operations that differ by its kind. */
type ObjectDisk = {
  readonly disk: Disk;
  /** The prefix of every key on that disk, empty or with a slash at its end. */
  readonly prefix: string;
  /** Makes an object safe from a power cut. */
  readonly sync: (key: string) => Promise<void>;
  /** The subfolders in which a folder is listed, in order. */
  readonly listSubfolders: (folder: string) => Promise<readonly string[]>;
  /** Removes a subfolder that is empty. */
  readonly prune: (part: string) => Promise<void>;
};

/** The place of large results cannot be used. */
class ResultsUnavailable extends StoreUnavailable {
  override readonly part = 'results';
}

export type ObjectStoreOptions = {
  /** `full`: an object is safe from a power cut before a row can name it. */
  readonly sync: SqliteOptions['sync'];
  /** How long one call may take, and one that deletes a whole folder. */
  readonly callMs: number;
  readonly deleteAllMs: number;
  readonly clock: Clock;
};

export const OBJECT_LIMITS = { callMs: 30_000, deleteAllMs: 120_000 } as const;

const MAX_KEYS = 1000;

/** Opens the place of large results; null where they stay in the rows. */
export async function openObjects(place: ArtifactsPlace, options: ObjectStoreOptions): Promise<Objects | null> {
  if (place.kind === 'rows') return null;
  if (place.kind === 'folder') return createObjectStore(openFolderDisk(resolve(place.folder), options.sync), options);
  // The client is loaded only where there is a bucket.
  const { openBucket } = await import('./bucket.ts');
  const prefix = place.prefix === '' ? '' : `${place.prefix}/`;
  // A bucket is listed a thousand keys at a time, keeps what it has acknowledged, and has no folders.
  const medium = {
    disk: openBucket(place),
    prefix,
    sync: doNothing,
    listSubfolders: listWholeFolder,
    prune: doNothing,
  };
  return createObjectStore(medium, options);
}

async function listWholeFolder(folder: string): Promise<readonly string[]> {
  return [folder];
}

async function doNothing(): Promise<void> {}

function openFolderDisk(folder: string, sync: SqliteOptions['sync']): ObjectDisk {
  return {
    disk: new Disk(new FSDriver({ location: folder, visibility: 'private' })),
    prefix: '',
    sync: sync === 'full' ? async (key) => syncPath(folder, join(folder, key)) : doNothing,
    // The disk lists a whole folder at once, so it is asked for one subfolder at a time.
    async listSubfolders(key) {
      const entries = await readdir(join(folder, key), { withFileTypes: true }).catch((error: unknown) => {
        if (isMissing(error)) return [];
        throw error;
      });
      const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
      return names.toSorted().map((name) => `${key}/${name}`);
    },
    // A folder that is not empty after all stays.
    async prune(part) {
      const path = join(folder, part);
      for (const name of await readdir(path).catch(() => [])) await rmdir(join(path, name)).catch(() => undefined);
      await rmdir(path).catch(() => undefined);
    },
  };
}

/** Syncs a file and each folder on the path to it. */
async function syncPath(folder: string, path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
  if (path !== folder) await syncPath(folder, dirname(path));
}

function createObjectStore(
  { disk, prefix, sync, listSubfolders, prune }: ObjectDisk,
  options: ObjectStoreOptions,
): Objects {
  const { callMs, deleteAllMs, clock } = options;
  const within = async <T>(ms: number, verb: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> =>
    runWithDeadline(clock, ms, work).catch((error: unknown) => {
      throw new ResultsUnavailable(`results cannot be ${verb} in their place: ${getRootMessage(error)}`, {
        cause: error,
      });
    });
  return {
    async put(key, bytes) {
      await within(callMs, 'written', async () => {
        await disk.put(prefix + key, bytes);
        await sync(key);
      });
    },

    async read(key, bytes) {
      return within(callMs, 'read', async (signal) => {
        try {
          const stream = addAbortSignal(signal, await disk.getStream(prefix + key));
          const found = await buffer(limitBytes(stream, bytes));
          return found.length === bytes ? found : null;
        } catch (error) {
          if (isMissing(error)) return null;
          throw error;
        }
      });
    },

    async delete(key) {
      await within(callMs, 'deleted', async () => disk.delete(prefix + key));
    },

    async deleteAll(folder) {
      await within(deleteAllMs, 'deleted', async () => disk.deleteAll(prefix + folder));
    },

    async *list(folder) {
      for (const part of await within(callMs, 'listed', async () => listSubfolders(folder))) {
        let isEmpty = true;
        for await (const keys of listPart(part)) {
          isEmpty &&= keys.length === 0;
          for (let at = 0; at < keys.length; at += MAX_KEYS) yield keys.slice(at, at + MAX_KEYS);
        }
        if (isEmpty) await prune(part);
      }
    },
  };

  async function* listPart(part: string): AsyncGenerator<readonly string[]> {
    let token: string | undefined;
    do {
      const asked = { recursive: true, ...(token === undefined ? {} : { paginationToken: token }) };
      const page = await within(callMs, 'listed', async () => disk.listAll(prefix + part, asked));
      const keys = [...page.objects].flatMap((one) => (one.isFile ? [one.key.slice(prefix.length)] : []));
      // A bucket lists every key that begins with the text, which may be the beginning of another folder's name too.
      yield keys.filter((key) => key.startsWith(`${part}/`)).toSorted();
      token = page.paginationToken;
    } while (token !== undefined);
  }
}

/** Reads at most one chunk beyond the expected number of bytes. */
async function* limitBytes(stream: AsyncIterable<Uint8Array>, bytes: number): AsyncGenerator<Uint8Array> {
  let seen = 0;
  for await (const chunk of stream) {
    seen += chunk.length;
    yield chunk;
    if (seen > bytes) return;
  }
}

/** Runs work with a deadline, past which it fails even if it ignores its signal. */
async function runWithDeadline<T>(clock: Clock, ms: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const done = new AbortController();
  const signal = clock.deadline(ms);
  const late = clock.sleep(ms, done.signal).then(() => {
    throw new Error(`no answer within ${ms} ms`);
  });
  // The first of the two to end decides; a later failure of the other is ignored.
  late.catch(() => undefined);
  const working = work(signal);
  working.catch(() => undefined);
  try {
    return await Promise.race([working, late]);
  } finally {
    done.abort();
  }
}

/** The message of the innermost cause. */
function getRootMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? getRootMessage(error.cause) : `${error.name}: ${error.message}`;
}

function isMissing(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('code' in error && error.code === 'ENOENT') return true;
  return error.name === 'NoSuchKey' || isMissing(error.cause);
}
