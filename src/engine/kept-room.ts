import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import type { Clock } from '#kernel/clock.ts';
import type { Db, Row } from '#store/db.ts';
import type { Objects } from '#store/objects.ts';
import { readRow, readRows } from '#store/rows.ts';
import type { KeptAnswers } from './kept-answers.ts';
import { PLAN_NAMES } from './plans.ts';
import type { Plans } from './plans.ts';
import type { Results } from './results.ts';

/** A part of the pieces of results, so that a sum over all of them is many short looks into an index. */
const SLICE = (place: 'packed' | 'object') => `select count(*) as n, coalesce(sum(packed_bytes), 0) as bytes,
    max(job_id) as job, max(case when job_id = last_job then seq end) as seq
  from (select job_id, seq, packed_bytes, max(job_id) over () as last_job from (
    select job_id, seq, packed_bytes from result_segments
    where object is ${place === 'object' ? 'not null' : 'null'} and (job_id, seq) > ($1, $2)
    order by job_id, seq limit ${SLICE_ROWS}) as one) as slice`;
const SLICE_ROWS = 5000;
/** The results that have pieces which are `here`, and what these take. */
const OLDEST_RESULTS = (here: string) => `select id, finished_at as at, (select coalesce(sum(packed_bytes), 0)
    from result_segments where job_id = jobs.id and ${here}) as bytes
  from jobs where stored = 1 and status in ('completed', 'failed', 'cancelled')
    and exists (select 1 from result_segments where job_id = jobs.id and ${here})
  order by finished_at limit $1`;
const EXPIRE = `update jobs set status = 'expired', input = null, summary = null, expires_at = $2, version = version + 1
  where id = $1 and status in ('completed', 'failed', 'cancelled') returning id`;
const FILES = 'select coalesce(sum(bytes), 0) as bytes from artifacts where stored = 1';
const OLDEST_FILES = `select id, object, created_at as at, bytes from artifacts where stored = 1
    and not exists (select 1 from jobs where jobs.id = artifacts.job_id and status in ('queued', 'running'))
  order by created_at limit $1`;
const EMPTY_FILE = 'update artifacts set stored = 0, packed = null, object = null where id = $1';
/** Of short answers there is nothing to be won. */
const ANSWERS = 'select coalesce(sum(bytes), 0) as bytes from kept_answers where bytes > 4096';
const OLDEST_ANSWERS = `select tenant_id, key, request_id, kept_until - ${24 * 3600 * 1000} as at, bytes
  from kept_answers where bytes > 4096 order by kept_until limit $1`;

const ANSWERS_OF_TENANTS = `select kept.tenant_id, kept.bytes, plan from (select tenant_id, sum(bytes) as bytes
    from kept_answers where bytes > 4096 group by tenant_id) as kept join tenants on tenants.id = kept.tenant_id`;
const OLDEST_OF_TENANT = `select tenant_id, key, request_id, kept_until - ${24 * 3600 * 1000} as at, bytes
  from kept_answers where bytes > 4096 and tenant_id = $2 order by kept_until limit $1`;

/** Pieces of each kind that are looked at together. */
const BATCH = 50;

const Slice = z.object({ n: z.number(), bytes: z.number(), job: z.string().nullable(), seq: z.number().nullable() });
const Total = z.object({ bytes: z.number() });
const ResultRow = z.object({ id: z.string(), at: z.number(), bytes: z.number() });
const FileRow = ResultRow.extend({ object: z.string().nullable() });
const AnswerRow = ResultRow.omit({ id: true }).extend({
  tenant_id: z.string(),
  key: z.string(),
  request_id: z.string(),
});

const Share = z.object({ tenant_id: z.string(), bytes: z.number(), plan: z.enum(PLAN_NAMES) });

type Piece = { readonly at: number; readonly bytes: number; readonly drop: () => Promise<void> };

export type KeptRoom = ReturnType<typeof buildKeptRoom>;

/** What results, files made of pages and kept answers take on this machine, and the way to take it back from them. */
export function buildKeptRoom(parts: {
  readonly db: Db;
  readonly clock: Clock;
  readonly results: Pick<Results, 'drop'>;
  readonly keptAnswers: Pick<KeptAnswers, 'giveUp'>;
  readonly objects: Objects | null;
  /** Whether objects are files of this machine. */
  readonly hasFiles: boolean;
  /** They bound the kept answers of a tenant. */
  readonly plans: Plans;
}) {
  const { db, clock, results, keptAnswers, objects, hasFiles, plans } = parts;
  const hasRows = db.kind === 'sqlite';
  const oldestHere = OLDEST_RESULTS(
    hasRows && hasFiles ? 'packed_bytes >= 0' : `object is ${hasFiles ? 'not null' : 'null'}`,
  );
  const areFilesHere = objects === null ? hasRows : hasFiles;

  async function bytesOfResults(place: 'packed' | 'object'): Promise<number> {
    let total = 0;
    let [job, seq] = ['', 0];
    for (;;) {
      const slice = readRow(Slice, await db.query(SLICE(place), [job, seq]));
      total += slice?.bytes ?? 0;
      if (slice === null || slice.n < SLICE_ROWS || slice.job === null) return total;
      [job, seq] = [slice.job, slice.seq ?? 0];
      await setImmediate();
    }
  }

  async function totalOf(sql: string): Promise<number> {
    return readRow(Total, await db.query(sql))?.bytes ?? 0;
  }

  async function oldestResults(): Promise<readonly Piece[]> {
    if (!hasRows && !hasFiles) return [];
    return readRows(ResultRow, await db.query(oldestHere, [BATCH])).map(({ id, at, bytes }) => ({
      at,
      bytes,
      async drop() {
        if ((await db.query(EXPIRE, [id, clock.now()])).length > 0) await results.drop(id);
      },
    }));
  }

  async function oldestFiles(): Promise<readonly Piece[]> {
    if (!areFilesHere) return [];
    return readRows(FileRow, await db.query(OLDEST_FILES, [BATCH])).map(({ id, object, at, bytes }) => ({
      at,
      bytes,
      async drop() {
        // On a full disk no row can change before there is room again.
        if (object !== null) await objects?.delete(object);
        await db.query(EMPTY_FILE, [id]);
      },
    }));
  }

  function toPieces(rows: readonly Row[]): readonly Piece[] {
    return readRows(AnswerRow, rows).map(({ tenant_id: tenant, key, ...row }) => ({
      at: row.at,
      bytes: row.bytes,
      drop: async () => keptAnswers.giveUp({ tenant, key, requestId: row.request_id }),
    }));
  }

  async function oldestAnswers(): Promise<readonly Piece[]> {
    return hasRows ? toPieces(await db.query(OLDEST_ANSWERS, [BATCH])) : [];
  }

  const self = {
    /** Takes from each tenant the oldest kept answers beyond what its plan allows. */
    async trim(): Promise<void> {
      for (const { tenant_id: tenant, bytes, plan } of readRows(Share, await db.query(ANSWERS_OF_TENANTS))) {
        let over = bytes - (plans[plan].kept_answer_bytes ?? bytes);
        while (over > 0) {
          const oldest = toPieces(await db.query(OLDEST_OF_TENANT, [BATCH, tenant]));
          if (oldest.length === 0) break;
          for (const piece of oldest) {
            if (over <= 0) break;
            await piece.drop();
            over -= piece.bytes;
          }
          await setImmediate();
        }
      }
    },

    async bytes(): Promise<number> {
      const rows = hasRows ? (await bytesOfResults('packed')) + (await totalOf(ANSWERS)) : 0;
      const pieces = hasFiles ? await bytesOfResults('object') : 0;
      return rows + pieces + (areFilesHere ? await totalOf(FILES) : 0);
    },

    /** Takes back the oldest until what is left is at most `most`; nothing of a job that has not ended. */
    async evict(most: number): Promise<void> {
      let total = await self.bytes();
      while (total > most) {
        const found = [...(await oldestResults()), ...(await oldestFiles()), ...(await oldestAnswers())];
        if (found.length === 0) return;
        // Beyond the first of these there may be older ones of the same kind.
        for (const { bytes, drop } of found.toSorted((a, b) => a.at - b.at).slice(0, BATCH)) {
          if (total <= most) return;
          await drop();
          total -= bytes;
          await setImmediate();
        }
      }
    },
  };
  return self;
}
