import { z } from 'zod';
import { type Db, StoreUnavailable } from '#store/db.ts';
import type { Objects } from '#store/objects.ts';
import { readRow, readRows } from '#store/rows.ts';
import { jobOf, type Segment } from './result-segments.ts';

const KNOWN = 'select object from result_segments where object >= $1 and object <= $2';
const STATUS = 'select status from jobs where id = $1';

const KnownObject = z.object({ object: z.string().nullable() });
const Status = z.object({ status: z.string() });

type ResultObjectsParts = { readonly db: Db; readonly objects: Objects | null; readonly space: string };

/** Deletes objects of results that no row names. */
export class ResultObjects {
  readonly #parts: ResultObjectsParts;

  constructor(parts: ResultObjectsParts) {
    this.#parts = parts;
  }

  /**
   * Deletes the objects of a transaction that ended with `error`, except those that a row names: a shared commit whose
   * reply was lost is repeated, and the repetition fails because the first one was stored. Where the outcome is unknown,
   * the sweep decides.
   */
  async discard(segments: readonly Segment[], error: unknown): Promise<void> {
    const { objects } = this.#parts;
    if (error instanceof StoreUnavailable || objects === null) return;
    const keys = segments.map(({ object }) => object).filter((object) => object !== null);
    try {
      await this.#deleteUnnamed(objects, keys.toSorted());
    } catch (failure) {
      if (!(failure instanceof StoreUnavailable)) throw failure;
    }
  }

  /**
   * Deletes objects without a row. While its job may still be written, an object may get its row later, however long that
   * takes; so the state of the job decides, and it is read before the row is looked up a second time.
   */
  async sweep(signal: AbortSignal): Promise<void> {
    const { objects, space } = this.#parts;
    if (objects === null) return;
    for await (const keys of objects.list(space)) {
      if (signal.aborted) return;
      await this.#sweepKeys(objects, keys);
    }
  }

  async #sweepKeys(objects: Objects, keys: readonly string[]): Promise<void> {
    const named = await this.#namedAmong(keys);
    const unnamed = Map.groupBy(
      keys.filter((key) => !named.has(key)),
      jobOf,
    );
    for (const [jobId, own] of unnamed) {
      if (jobId !== null && !(await this.#isWritten(jobId))) await this.#deleteUnnamed(objects, own);
    }
  }

  /** Deletes those of sorted keys that no row names. */
  async #deleteUnnamed(objects: Objects, keys: readonly string[]): Promise<void> {
    const named = await this.#namedAmong(keys);
    for (const key of keys) if (!named.has(key)) await objects.delete(key);
  }

  /** Those of sorted keys that a row names. */
  async #namedAmong(keys: readonly string[]): Promise<ReadonlySet<string | null>> {
    if (keys.length === 0) return new Set();
    const rows = await this.#parts.db.query(KNOWN, [keys[0] ?? '', keys.at(-1) ?? '']);
    return new Set(readRows(KnownObject, rows).map(({ object }) => object));
  }

  async #isWritten(jobId: string): Promise<boolean> {
    const status = readRow(Status, await this.#parts.db.query(STATUS, [jobId]))?.status;
    return status === 'queued' || status === 'running';
  }
}
