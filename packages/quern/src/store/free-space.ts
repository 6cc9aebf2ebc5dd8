import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Db, type StoreKind, StoreUnavailable } from './db.ts';
import type { Clock } from '#kernel/clock.ts';

/** Size of the test file in a folder. */
const PROBE_BYTES = 1024 * 1024;
const PROBE_FILE = 'room.tmp';
/** A successful check is valid for this time if the store did not fail since. */
const CHECK_VALID_MS = 10_000;

/**
 * Fills some pages of a test table and empties it: an update of an existing row may succeed on a full disk. SQLite writes to
 * its log first, whose file may have free pages, so a file in its folder is written instead.
 */
const FILL_TABLE: Readonly<Record<StoreKind, string | null>> = {
  sqlite: null,
  postgres: 'truncate room; insert into room (filler) select * from generate_series(1, 300); truncate room',
};

export type FreeSpaceOptions = {
  readonly db: Pick<Db, 'kind' | 'query'>;
  /** The folders of the store on this machine. */
  readonly folders: readonly string[];
  /** Number of store failures so far; the check is repeated after a new one. */
  readonly failures: () => number;
  readonly clock: Pick<Clock, 'monotonic'>;
};

/** Checks by writing whether the disks of the store have free space. */
export class FreeSpaceCheck {
  readonly #parts: FreeSpaceOptions;
  #found: { readonly at: number; readonly failures: number } | null = null;
  #trying: Promise<void> | null = null;

  constructor(parts: FreeSpaceOptions) {
    this.#parts = parts;
  }

  /** Throws `StoreUnavailable` if there is no free space. */
  async assertFree(): Promise<void> {
    const { clock, failures } = this.#parts;
    const cached = this.#found;
    if (cached !== null && cached.failures === failures() && clock.monotonic() - cached.at < CHECK_VALID_MS) return;
    this.#trying ??= this.#try().finally(() => {
      this.#trying = null;
    });
    await this.#trying;
  }

  async #try(): Promise<void> {
    const { db, folders, failures, clock } = this.#parts;
    this.#found = null;
    const before = failures();
    const fill = FILL_TABLE[db.kind];
    if (fill !== null) await db.query(fill);
    for (const folder of folders) await assertFolderHasSpace(folder);
    this.#found = { at: clock.monotonic(), failures: before };
  }
}

async function assertFolderHasSpace(folder: string): Promise<void> {
  const file = join(folder, PROBE_FILE);
  try {
    const handle = await open(file, 'w', 0o600);
    try {
      await handle.writeFile(Buffer.alloc(PROBE_BYTES));
    } finally {
      await handle.close();
    }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new StoreUnavailable(`no space left in ${folder}: ${why}`, { cause: error });
  } finally {
    await rm(file, { force: true });
  }
}
