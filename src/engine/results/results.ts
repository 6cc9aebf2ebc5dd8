import { hkdfSync } from 'node:crypto';
import { z } from 'zod';
import { StoreUnavailable } from '#store/db.ts';
import type { Db, Statements } from '#store/db.ts';
import type { Objects } from '#store/objects.ts';
import { readRow, readRows } from '#store/rows.ts';
import { BATCH, moreOf, untilEmpty } from '#store/batches.ts';
import { buildResultReader, HEAD } from './result-reader.ts';
import { folderOf, jobOf, keepPiece, lengthOfLine, packPortion, toPortions } from './result-segments.ts';
import type { ArchivePiece, Line, Segment } from './result-segments.ts';

/** Takes the numbers of the next segments; the row is held until the commit, so that they come without gaps. */
const NUMBER = `with calls (job, added) as (values ($1, cast($2 as bigint)))
  update jobs set segments = segments + added, stored = 1 from calls where id = job returning id, segments`;
/** The same for the next pieces of an archive, while its job may still be written. */
const NUMBER_ARCHIVE = `update jobs set archived = archived + $2, stored = 1
  where id = $1 and status in ('queued', 'running') returning archived`;
const ADD = `insert into result_segments (job_id, seq, items, bytes, packed_bytes, packed, object)
  values ($1, $2, $3, $4, $5, $6, $7)`;
const DROP = `delete from result_segments where job_id = $1 and seq in
  (select seq from result_segments where job_id = $1 order by seq limit $2) returning object`;
const EMPTIED = 'update jobs set stored = 0, segments = 0, archived = 0 where id = $1';
const TOTAL = 'select coalesce(sum(packed_bytes), 0) as bytes from result_segments';
const KNOWN = 'select object from result_segments where object >= $1 and object <= $2';
const STATUS = 'select status from jobs where id = $1';

const Segments = z.object({ segments: z.number() });
const Archived = z.object({ archived: z.number() });
const ObjectName = z.object({ object: z.string().nullable() });
const Total = z.object({ bytes: z.number() });
const Status = z.object({ status: z.string() });

type Body = Readonly<Record<string, unknown>>;

/** A result ready for its transaction: the body without the elements of its long list, and those elements. */
export type PackedResult = { readonly head: Segment; readonly segments: readonly Segment[] };

export type Results = ReturnType<typeof buildResults>;

export type ResultParts = {
  readonly db: Db;
  /** The place of what is large, null to keep all of it in the rows. */
  readonly objects: Objects | null;
  /** Names our objects in a place that others may use too; all services on one store have the same. */
  readonly space: string;
};

/**
 * Results of jobs: a head, and a list that grows by segments. Whatever is large is an object before the row that names
 * it, so that a crash leaves at most an object without a row; those are swept when their job has ended.
 */
export function buildResults({ db, objects, space }: ResultParts) {
  const reader = buildResultReader({ db, objects });

  /** Packs elements outside of any transaction; throws `StoreUnavailable` when their place cannot be written. */
  async function pack(jobId: string, elements: readonly unknown[]): Promise<readonly Segment[]> {
    return packLines(
      jobId,
      elements.map((element) => [Buffer.from(`${JSON.stringify(element)}\n`)]),
    );
  }

  /** The same of elements that are lines of JSON Lines already, UTF-8. */
  async function packLines(jobId: string, lines: readonly Line[]): Promise<readonly Segment[]> {
    const folder = folderOf(space, jobId);
    const segments: Segment[] = [];
    for (const portion of toPortions(lines, lengthOfLine))
      segments.push(await packPortion(portion, { objects, folder }));
    return segments;
  }

  /**
   * Deletes the objects of a transaction that ended with `error`, but for those that a row names: a shared commit whose
   * answer was lost is made again, and fails because it was there. Where the store does not say, the sweep decides.
   */
  async function discard(segments: readonly Segment[], error: unknown): Promise<void> {
    if (error instanceof StoreUnavailable || objects === null) return;
    const keys = segments.map(({ object }) => object).filter((object) => object !== null);
    try {
      await deleteStrangers(objects, keys.toSorted());
    } catch (failure) {
      if (!(failure instanceof StoreUnavailable)) throw failure;
    }
  }

  return {
    ...reader,
    pack,
    packLines,
    append,
    appendArchive,
    discard,

    /** Makes a piece of an archive ready for its transaction; one of more than `mostInRow` bytes is an object now. */
    async packArchive(jobId: string, piece: ArchivePiece): Promise<Segment> {
      return keepPiece(piece, { objects, folder: folderOf(space, jobId) });
    },

    /** Packs the body of a job that ends; `list` names its long list, null when it has none. */
    async packResult(jobId: string, body: Body, list: string | null): Promise<PackedResult> {
      const elements = list === null ? undefined : body[list];
      const isList = list !== null && Array.isArray(elements);
      const segments = isList ? await pack(jobId, elements) : [];
      // The empty list keeps the place of the member.
      const [head] = await pack(jobId, [isList ? { ...body, [list]: [] } : body]);
      if (head === undefined) throw new Error('a body is one segment');
      return { head, segments };
    },

    /** Ends the list and adds the head; the job says by itself that it keeps a result. */
    async finish(tx: Statements, jobId: string, { head, segments }: PackedResult): Promise<void> {
      if (segments.length > 0) await append(tx, jobId, segments);
      await add(tx, head, { jobId, seq: HEAD });
    },

    /** Deletes what is kept of a job that nobody may read or extend any more, rows first. */
    async drop(jobId: string): Promise<void> {
      let hasObjects = false;
      await untilEmpty(async () => {
        const dropped = await db.transaction(async (tx) => {
          const rows = readRows(ObjectName, await tx.query(DROP, [jobId, BATCH]));
          if (rows.length < BATCH) await tx.query(EMPTIED, [jobId]);
          return rows;
        });
        hasObjects ||= dropped.some(({ object }) => object !== null);
        return moreOf(dropped);
      });
      // What cannot be deleted now is without a row, and the sweep finds it.
      if (hasObjects) await objects?.deleteAll(folderOf(space, jobId)).catch(ignoreUnavailable);
    },

    /**
     * Deletes objects without a row. That one has none says nothing while its job may still be written, however long
     * that takes; so the state of the job decides, and it is read before the row is looked for once more.
     */
    async sweep(signal: AbortSignal): Promise<void> {
      if (objects === null) return;
      for await (const keys of objects.list(space)) {
        if (signal.aborted) return;
        await sweepKeys(objects, keys);
      }
    },

    /** Bytes that all results take, packed, in rows and objects. */
    async bytes(): Promise<number> {
      return readRow(Total, await db.query(TOTAL))?.bytes ?? 0;
    },
  };

  async function sweepKeys(place: Objects, keys: readonly string[]): Promise<void> {
    const known = await knownAmong(keys);
    const strangers = Map.groupBy(
      keys.filter((key) => !known.has(key)),
      jobOf,
    );
    for (const [jobId, own] of strangers) {
      if (jobId !== null && !(await isWritten(jobId))) await deleteStrangers(place, own);
    }
  }

  /** Deletes those of sorted keys that no row names. */
  async function deleteStrangers(place: Objects, keys: readonly string[]): Promise<void> {
    const known = await knownAmong(keys);
    for (const key of keys) if (!known.has(key)) await place.delete(key);
  }

  /** Those of sorted keys that a row names. */
  async function knownAmong(keys: readonly string[]): Promise<ReadonlySet<string | null>> {
    if (keys.length === 0) return new Set();
    const rows = await db.query(KNOWN, [keys[0] ?? '', keys.at(-1) ?? '']);
    return new Set(readRows(ObjectName, rows).map(({ object }) => object));
  }

  async function isWritten(jobId: string): Promise<boolean> {
    const status = readRow(Status, await db.query(STATUS, [jobId]))?.status;
    return status === 'queued' || status === 'running';
  }
}

/** Adds packed elements to the list of a job, in a transaction whose fence has found the job to be the caller's. */
async function append(tx: Statements, jobId: string, segments: readonly Segment[]): Promise<void> {
  const taken = readRow(Segments, await tx.query(NUMBER, [jobId, segments.length]));
  if (taken === null) throw new Error(`no job ${jobId}`);
  const first = taken.segments - segments.length + 1;
  for (const [at, segment] of segments.entries()) await add(tx, segment, { jobId, seq: first + at });
}

/** Adds packed pieces to the archive of a job, unless it has ended. */
async function appendArchive(tx: Statements, jobId: string, pieces: readonly Segment[]): Promise<void> {
  if (pieces.length === 0) return;
  const taken = readRow(Archived, await tx.query(NUMBER_ARCHIVE, [jobId, pieces.length]));
  if (taken === null) return;
  const first = taken.archived - pieces.length + 1;
  for (const [at, piece] of pieces.entries()) await add(tx, piece, { jobId, seq: HEAD - first - at });
}

async function add(
  tx: Statements,
  { items, bytes, packed_bytes: packedBytes, packed, object }: Segment,
  { jobId, seq }: { readonly jobId: string; readonly seq: number },
): Promise<void> {
  await tx.query(ADD, [jobId, seq, items, bytes, packedBytes, packed, object]);
}

/** The name of our objects, drawn from the secret that all services on one store share (HKDF, RFC 5869). */
export function spaceOf(secret: Uint8Array): string {
  return Buffer.from(hkdfSync('sha256', secret, '', 'artifacts', 8)).toString('hex');
}

function ignoreUnavailable(error: unknown): void {
  if (!(error instanceof StoreUnavailable)) throw error;
}
