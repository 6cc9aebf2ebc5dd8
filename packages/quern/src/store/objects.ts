import { open, readdir, rmdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { addAbortSignal } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { Disk } from 'flydrive';
import { FSDriver } from 'flydrive/drivers/fs';
import type { ArtifactStorage } from '#kernel/artifacts-url.ts';
import type { Clock } from '#kernel/clock.ts';
import { StoreUnavailable } from './db.ts';
import type { SqliteOptions } from './sqlite.ts';

/**
 * Immutable objects by key (`a/b/c`), stored outside of the database rows that refer to them. Every call has a time limit and
 * throws `StoreUnavailable` if the storage fails.
 */
export type ObjectStore = {
  readonly put: (key: string, bytes: Uint8Array) => Promise<void>;
  /** The object; null if there is none with this key and this number of bytes. */
  readonly read: (key: string, bytes: number) => Promise<Uint8Array | null>;
  readonly delete: (key: string) => Promise<void>;
  /** Deletes all objects of a folder. No other folder name may start with this name. */
  readonly deleteAll: (folder: string) => Promise<void>;
  /** Lists the keys below a folder in order, at most a thousand at a time. */
  readonly list: (folder: string) => AsyncIterable<readonly string[]>;
};

/** A disk, and the operations that differ between a folder and a bucket. */
type ObjectDisk = {
  readonly disk: Disk;
  /** Prefix of every key on the disk: empty, or with a trailing slash. */
  readonly prefix: string;
  /** Syncs an object, so that it survives a power cut. */
  readonly sync: (key: string) => Promise<void>;
  /** The subfolders by which a folder is listed, in order. */
  readonly listSubfolders: (folder: string) => Promise<readonly string[]>;
  /** Removes a subfolder if it is empty. */
  readonly prune: (part: string) => Promise<void>;
};

/** The storage of large results cannot be used. */
class ResultsUnavailable extends StoreUnavailable {
  override readonly part = 'results';
}

export type ObjectStoreOptions = {
  /** `full`: an object is synced before a row refers to it. */
  readonly sync: SqliteOptions['sync'];
  /** Time limits of a call, and of one that deletes a whole folder. */
  readonly callMs: number;
  readonly deleteAllMs: number;
  readonly clock: Clock;
};

export const OBJECT_LIMITS = { callMs: 30_000, deleteAllMs: 120_000 } as const;

const MAX_KEYS = 1000;

/** Opens the storage of large results; null if they are stored in rows. */
export async function openObjectStore(
  place: ArtifactStorage,
  options: ObjectStoreOptions,
): Promise<ObjectStore | null> {
  if (place.kind === 'rows') return null;
  if (place.kind === 'folder') return createObjectStore(openFolderDisk(resolve(place.folder), options.sync), options);
  // The S3 client is loaded only if there is a bucket.
  const { openBucket } = await import('./bucket.ts');
  const prefix = place.prefix === '' ? '' : `${place.prefix}/`;
  // A bucket lists a thousand keys at a time, is durable without a sync, and has no folders to remove.
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
    // The disk lists a whole folder at once, so list one subfolder at a time.
    async listSubfolders(key) {
      const entries = await readdir(join(folder, key), { withFileTypes: true }).catch((error: unknown) => {
        if (isMissing(error)) return [];
        throw error;
      });
      const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
      return names.toSorted().map((name) => `${key}/${name}`);
    },
    // `rmdir` fails for folders that are not empty, and they stay.
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
): ObjectStore {
  const { callMs, deleteAllMs, clock } = options;
  const within = async <T>(ms: number, verb: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> =>
    runWithDeadline(clock, ms, work).catch((error: unknown) => {
      throw new ResultsUnavailable(`stored results cannot be ${verb}: ${getRootMessage(error)}`, {
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
          const content = await buffer(limitBytes(stream, bytes));
          return content.length === bytes ? content : null;
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
      const listing = { recursive: true, ...(token === undefined ? {} : { paginationToken: token }) };
      const page = await within(callMs, 'listed', async () => disk.listAll(prefix + part, listing));
      const keys = [...page.objects].flatMap((one) => (one.isFile ? [one.key.slice(prefix.length)] : []));
      // A bucket lists by prefix, which also matches longer folder names.
      yield keys.filter((key) => key.startsWith(`${part}/`)).toSorted();
      token = page.paginationToken;
    } while (token !== undefined);
  }
}

/** Stops after the first chunk that exceeds the expected number of bytes. */
async function* limitBytes(stream: AsyncIterable<Uint8Array>, bytes: number): AsyncGenerator<Uint8Array> {
  let seen = 0;
  for await (const chunk of stream) {
    seen += chunk.length;
    yield chunk;
    if (seen > bytes) return;
  }
}

/** Runs work with a time limit, after which it fails even if the work ignores its signal. */
async function runWithDeadline<T>(clock: Clock, ms: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const done = new AbortController();
  const signal = clock.deadline(ms);
  const late = clock.sleep(ms, done.signal).then(() => {
    throw new Error(`no answer within ${ms} ms`);
  });
  // The one that settles first decides; a later failure of the other is ignored.
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
