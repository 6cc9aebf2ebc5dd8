import { hkdfSync } from 'node:crypto';
import { z } from 'zod';
import { InvariantError } from '#extract/invariant-error.ts';
import { stringifyAnswer } from '#kernel/answer-json.ts';
import { MAX_BATCH_ROWS, toBatchResult, repeatUntilEmpty } from '#store/batches.ts';
import { type Db, type Queryable, StoreUnavailable } from '#store/db.ts';
import type { ObjectStore } from '#store/objects.ts';
import { readRow, readRows } from '#store/rows.ts';
import { HEAD_SEGMENT, ResultReader } from './result-reader.ts';
import {
  type ArchivePiece,
  buildFolder,
  parseJobId,
  storePiece,
  countLineBytes,
  type LinePieces,
  packPortion,
  type Segment,
  groupIntoPortions,
} from './result-segments.ts';

/** Reserves the numbers of the next segments. The row is locked until the commit, so that there are no gaps. */
const NUMBER = `with calls (job, added, size) as (values ($1, cast($2 as bigint), cast($3 as bigint)))
  update jobs set segments = segments + added, stored = 1, result_bytes = result_bytes + size
  from calls where id = job returning id, segments`;
/** The same for the next pieces of an archive, if the job has not ended. */
const NUMBER_ARCHIVE = `update jobs set archived = archived + $2, stored = 1, result_bytes = result_bytes + $3
  where id = $1 and status in ('queued', 'running') returning archived`;
const ADD = `insert into result_segments (job_id, seq, items, bytes, packed_bytes, packed, object)
  values ($1, $2, $3, $4, $5, $6, $7)`;
const DROP = `delete from result_segments where job_id = $1 and seq in
  (select seq from result_segments where job_id = $1 order by seq limit $2) returning object`;
const EMPTIED = 'update jobs set stored = 0, segments = 0, archived = 0, result_bytes = 0 where id = $1';
const TOTAL = 'select coalesce(sum(packed_bytes), 0) as bytes from result_segments';

const LINE_END = Buffer.from('\n');

const SegmentsRow = z.object({ segments: z.number() });
const ArchivedRow = z.object({ archived: z.number() });
const DroppedRow = z.object({ object: z.string().nullable() });
const TotalRow = z.object({ bytes: z.number() });

type ResultBody = Readonly<Record<string, unknown>>;

/** A compressed result: the body with an empty list, and the elements of the list. */
export type PackedResult = { readonly head: Segment; readonly segments: readonly Segment[] };

export type ResultParts = {
  readonly db: Db;
  /** The store of large segments; null to store all of them in rows. */
  readonly objects: ObjectStore | null;
  /**
   * The prefix of object keys, because the object store may be shared. It is the same for all services on one database.
   */
  readonly space: string;
};

/**
 * Results of jobs: a head, and a list that grows by segments. A large segment is written as an object before its row,
 * so that a crash leaves at most an object without a row, which is swept once the job has ended.
 */
export class Results extends ResultReader {
  readonly #parts: ResultParts;
  readonly #objects: ResultObjects;

  constructor(parts: ResultParts) {
    super(parts);
    this.#parts = parts;
    this.#objects = new ResultObjects(parts);
  }

  /** Compresses elements, outside of any transaction. Throws `StoreUnavailable` if objects cannot be written. */
  async pack(jobId: string, elements: readonly unknown[]): Promise<readonly Segment[]> {
    return this.packLines(
      jobId,
      elements.map((element) => [Buffer.from(`${JSON.stringify(element)}\n`)]),
    );
  }

  /** Like `pack`, for elements that are already lines of JSON Lines. */
  async packLines(jobId: string, lines: readonly LinePieces[]): Promise<readonly Segment[]> {
    const place = this.#placeOf(jobId);
    const segments: Segment[] = [];
    for (const portion of groupIntoPortions(lines, countLineBytes)) segments.push(await packPortion(portion, place));
    return segments;
  }

  /**
   * Prepares a piece of an archive for its transaction. If it has more than `mostInRow` bytes, it is written as an
   * object now.
   */
  async packArchive(jobId: string, piece: ArchivePiece): Promise<Segment> {
    return storePiece(piece, this.#placeOf(jobId));
  }

  /** Compresses the body of a job. `list` is the name of its long list; null if it has none. */
  async packResult(jobId: string, body: ResultBody, list: string | null): Promise<PackedResult> {
    const elements = list === null ? undefined : body[list];
    const isList = list !== null && Array.isArray(elements);
    const segments = isList ? await this.pack(jobId, elements) : [];
    // The empty list preserves the order of the fields.
    const json = stringifyAnswer(isList ? { ...body, [list]: [] } : body);
    const [head] = await this.packLines(jobId, [
      [...(typeof json === 'string' ? [Buffer.from(json)] : json), LINE_END],
    ]);
    if (head === undefined) throw new InvariantError('a body must be one segment');
    return { head, segments };
  }

  /**
   * Adds compressed elements to the list of a job, in a transaction that has checked the lease. Returns the number of
   * the first segment.
   */
  async append(tx: Queryable, jobId: string, segments: readonly Segment[]): Promise<number> {
    const taken = readRow(SegmentsRow, await tx.query(NUMBER, [jobId, segments.length, sumPackedBytes(segments)]));
    if (taken === null) throw new InvariantError(`no job ${jobId}`);
    const first = taken.segments - segments.length + 1;
    for (const [at, segment] of segments.entries()) await addSegment(tx, segment, { jobId, seq: first + at });
    return first;
  }

  /** Adds pieces to the archive of a job, unless it has ended. */
  async appendArchive(tx: Queryable, jobId: string, pieces: readonly Segment[]): Promise<void> {
    if (pieces.length === 0) return;
    const taken = readRow(ArchivedRow, await tx.query(NUMBER_ARCHIVE, [jobId, pieces.length, sumPackedBytes(pieces)]));
    if (taken === null) return;
    const first = taken.archived - pieces.length + 1;
    for (const [at, piece] of pieces.entries()) await addSegment(tx, piece, { jobId, seq: HEAD_SEGMENT - first - at });
  }

  /** Adds the last segments and the head. The statement that completes the job records the size of the result. */
  async finish(tx: Queryable, jobId: string, { head, segments }: PackedResult): Promise<void> {
    if (segments.length > 0) await this.append(tx, jobId, segments);
    await addSegment(tx, head, { jobId, seq: HEAD_SEGMENT });
  }

  /** Deletes the objects of a transaction that failed with `error`, except those that have a row. */
  async discard(segments: readonly Segment[], error: unknown): Promise<void> {
    await this.#objects.discard(segments, error);
  }

  /** Deletes the result of a job that is no longer read or extended, rows first. */
  async drop(jobId: string): Promise<void> {
    const { db, objects, space } = this.#parts;
    let hasObjects = false;
    await repeatUntilEmpty(async () => {
      const dropped = await db.transaction(async (tx) => {
        const rows = readRows(DroppedRow, await tx.query(DROP, [jobId, MAX_BATCH_ROWS]));
        if (rows.length < MAX_BATCH_ROWS) await tx.query(EMPTIED, [jobId]);
        return rows;
      });
      hasObjects ||= dropped.some(({ object }) => object !== null);
      return toBatchResult(dropped);
    });
    // If an object cannot be deleted now, the sweep deletes it later, because it has no row.
    if (hasObjects) await objects?.deleteAll(buildFolder(space, jobId)).catch(ignoreUnavailable);
  }

  /** Deletes objects without a row whose job has ended. */
  async sweep(signal: AbortSignal): Promise<void> {
    await this.#objects.sweep(signal);
  }

  /** Measures the compressed bytes of all results, in rows and objects. */
  async measureBytes(): Promise<number> {
    return readRow(TotalRow, await this.#parts.db.query(TOTAL))?.bytes ?? 0;
  }

  #placeOf(jobId: string) {
    const { objects, space } = this.#parts;
    return { objects, folder: buildFolder(space, jobId) };
  }
}

async function addSegment(
  tx: Queryable,
  { items, bytes, packed_bytes: packedBytes, packed, object }: Segment,
  { jobId, seq }: { readonly jobId: string; readonly seq: number },
): Promise<void> {
  await tx.query(ADD, [jobId, seq, items, bytes, packedBytes, packed, object]);
}

/** Derives the prefix of object keys from the secret that all services on one database share (HKDF, RFC 5869). */
export function deriveSpace(secret: Uint8Array): string {
  return Buffer.from(hkdfSync('sha256', secret, '', 'artifacts', 8)).toString('hex');
}

function sumPackedBytes(segments: readonly Segment[]): number {
  return segments.reduce((sum, { packed_bytes: bytes }) => sum + bytes, 0);
}

function ignoreUnavailable(error: unknown): void {
  if (!(error instanceof StoreUnavailable)) throw error;
}

const KNOWN = 'select object from result_segments where object >= $1 and object <= $2';
const STATUS = 'select status from jobs where id = $1';

const ObjectRow = z.object({ object: z.string().nullable() });
const StatusRow = z.object({ status: z.string() });

type ResultObjectsParts = { readonly db: Db; readonly objects: ObjectStore | null; readonly space: string };

/** Deletes objects of results that have no row. */
class ResultObjects {
  readonly #parts: ResultObjectsParts;

  constructor(parts: ResultObjectsParts) {
    this.#parts = parts;
  }

  /**
   * Deletes the objects of a transaction that failed with `error`, except those that have a row: a group commit whose
   * reply was lost is repeated, and fails because the first one was stored. If the outcome is unknown, the sweep
   * decides later.
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
   * Deletes objects without a row. As long as its job has not ended, an object may still get its row. So the state of
   * the job is read first, and then the row is looked up again.
   */
  async sweep(signal: AbortSignal): Promise<void> {
    const { objects, space } = this.#parts;
    if (objects === null) return;
    for await (const keys of objects.list(space)) {
      if (signal.aborted) return;
      await this.#sweepKeys(objects, keys);
    }
  }

  async #sweepKeys(objects: ObjectStore, keys: readonly string[]): Promise<void> {
    const named = await this.#namedAmong(keys);
    const unnamed = Map.groupBy(
      keys.filter((key) => !named.has(key)),
      parseJobId,
    );
    for (const [jobId, own] of unnamed) {
      if (jobId !== null && !(await this.#isWritten(jobId))) await this.#deleteUnnamed(objects, own);
    }
  }

  /** Deletes the objects among `keys` (sorted) that have no row. */
  async #deleteUnnamed(objects: ObjectStore, keys: readonly string[]): Promise<void> {
    const named = await this.#namedAmong(keys);
    for (const key of keys) if (!named.has(key)) await objects.delete(key);
  }

  /** Lists those of `keys` (sorted) that have a row. */
  async #namedAmong(keys: readonly string[]): Promise<ReadonlySet<string | null>> {
    if (keys.length === 0) return new Set();
    const rows = await this.#parts.db.query(KNOWN, [keys[0] ?? '', keys.at(-1) ?? '']);
    return new Set(readRows(ObjectRow, rows).map(({ object }) => object));
  }

  async #isWritten(jobId: string): Promise<boolean> {
    const status = readRow(StatusRow, await this.#parts.db.query(STATUS, [jobId]))?.status;
    return status === 'queued' || status === 'running';
  }
}
