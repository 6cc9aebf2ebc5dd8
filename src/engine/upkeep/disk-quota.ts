import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import type { Clock } from '#kernel/clock.ts';
import type { Db, Row } from '#store/db.ts';
import type { Objects } from '#store/objects.ts';
import { readRow, readRows } from '#store/rows.ts';
import type { IdempotentAnswers } from '#engine/call/idempotency.ts';
import { PLAN_NAMES } from '#engine/identity/plans.ts';
import type { Plans } from '#engine/identity/plans.ts';
import type { Results } from '#engine/results/results.ts';
import { sumInPieces } from '#store/sums.ts';
import type { Walk } from '#store/sums.ts';

/** The pieces of results that are rows, or objects; each kind has an index that holds their bytes. */
function walkOfPieces(place: 'packed' | 'object'): Walk {
  const those = `from result_segments where object is ${place === 'object' ? 'not null' : 'null'} and (job_id, seq) > ($1, $2)`;
  const sum = `select coalesce(sum(packed_bytes), 0) as bytes ${those}`;
  return {
    after: `select job_id, seq ${those} order by job_id, seq limit 1 offset $3`,
    between: `${sum} and (job_id, seq) <= ($3, $4)`,
    rest: sum,
    start: ['', 0],
    toPosition(row) {
      const { job_id: job, seq } = PieceRow.parse(row);
      return [job, seq];
    },
  };
}

/** The results that have pieces which are `here`, and what these take. */
const OLDEST_RESULTS = (here: string) => `select id, finished_at as at, (select coalesce(sum(packed_bytes), 0)
    from result_segments where job_id = jobs.id and ${here}) as bytes
  from jobs where stored = 1 and status in ('completed', 'failed', 'cancelled')
    and exists (select 1 from result_segments where job_id = jobs.id and ${here})
  order by finished_at limit $1`;
const EXPIRE = `update jobs set status = 'expired', input = null, summary = null, expires_at = $2, version = version + 1
  where id = $1 and status in ('completed', 'failed', 'cancelled') returning id`;
/** Rows of one instant are in one piece. */
const FILES = walkByTime('created_at', 'from artifacts where stored = 1');
const OLDEST_FILES = `select id, object, created_at as at, bytes from artifacts where stored = 1
    and not exists (select 1 from jobs where jobs.id = artifacts.job_id and status in ('queued', 'running'))
  order by created_at limit $1`;
const EMPTY_FILE = 'update artifacts set stored = 0, packed = null, object = null where id = $1';
/** Of short answers there is nothing to be won. */
const ANSWERS = walkByTime('kept_until', 'from idempotent_answers where bytes > 4096');
const OLDEST_ANSWERS = `select tenant_id, key, request_id, kept_until - ${24 * 3600 * 1000} as at, bytes
  from idempotent_answers where bytes > 4096 order by kept_until limit $1`;
const NEXT_TENANT = `select id, plan from tenants
  where id = (select min(tenant_id) from idempotent_answers where bytes > 4096 and tenant_id > $1)`;
const OLDEST_OF_TENANT = `select tenant_id, key, request_id, kept_until - ${24 * 3600 * 1000} as at, bytes
  from idempotent_answers where bytes > 4096 and tenant_id = $2 order by kept_until limit $1`;

/** Pieces of each kind that are looked at together. */
const BATCH = 50;

const PieceRow = z.object({ job_id: z.string(), seq: z.number() });
const Instant = z.object({ at: z.number() });
const ResultRow = z.object({ id: z.string(), at: z.number(), bytes: z.number() });
const FileRow = ResultRow.extend({ object: z.string().nullable() });
const AnswerRow = ResultRow.omit({ id: true }).extend({
  tenant_id: z.string(),
  key: z.string(),
  request_id: z.string(),
});

const QuotaTenant = z.object({ id: z.string(), plan: z.enum(PLAN_NAMES) });

type Piece = { readonly at: number; readonly bytes: number; readonly drop: () => Promise<void> };

export type KeptRoom = ReturnType<typeof buildKeptRoom>;

/** What results, files made of pages and kept answers take on this machine, and the way to take it back from them. */
export function buildKeptRoom(parts: {
  readonly db: Db;
  readonly clock: Clock;
  readonly results: Pick<Results, 'drop'>;
  readonly idempotentAnswers: Pick<IdempotentAnswers, 'giveUp'>;
  readonly objects: Objects | null;
  /** Whether objects are files of this machine. */
  readonly hasFiles: boolean;
  /** They bound the kept answers of a tenant. */
  readonly plans: Plans;
}) {
  const { db, clock, results, idempotentAnswers, objects, hasFiles, plans } = parts;
  const hasRows = db.kind === 'sqlite';
  const oldestHere = OLDEST_RESULTS(
    hasRows && hasFiles ? 'packed_bytes >= 0' : `object is ${hasFiles ? 'not null' : 'null'}`,
  );
  const areFilesHere = objects === null ? hasRows : hasFiles;

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
      drop: async () => idempotentAnswers.giveUp({ tenant, key, requestId: row.request_id }),
    }));
  }

  async function oldestAnswers(): Promise<readonly Piece[]> {
    return hasRows ? toPieces(await db.query(OLDEST_ANSWERS, [BATCH])) : [];
  }

  async function tenantAfter(id: string): Promise<z.output<typeof QuotaTenant> | null> {
    return readRow(QuotaTenant, await db.query(NEXT_TENANT, [id]));
  }

  async function trimTenant(tenant: string, most: number): Promise<void> {
    let over = (await sumInPieces(db, answersOf(tenant))) - most;
    while (over > 0) {
      const oldest = toPieces(await db.query(OLDEST_OF_TENANT, [BATCH, tenant]));
      if (oldest.length === 0) return;
      for (const piece of oldest) {
        if (over <= 0) return;
        await piece.drop();
        over -= piece.bytes;
      }
      await setImmediate();
    }
  }

  const self = {
    /** Takes from each tenant the oldest kept answers beyond what its plan allows. */
    async trim(signal?: AbortSignal): Promise<void> {
      for (let tenant = await tenantAfter(''); tenant !== null; tenant = await tenantAfter(tenant.id)) {
        if (signal?.aborted === true) return;
        const most = plans[tenant.plan].kept_answer_bytes;
        if (most !== null) await trimTenant(tenant.id, most);
        await setImmediate();
      }
    },

    async bytes(): Promise<number> {
      const walks = [
        ...(hasRows ? [walkOfPieces('packed'), ANSWERS] : []),
        ...(hasFiles ? [walkOfPieces('object')] : []),
        ...(areFilesHere ? [FILES] : []),
      ];
      let bytes = 0;
      for (const walk of walks) bytes += await sumInPieces(db, walk);
      return bytes;
    },

    /** Takes back the oldest until what is left is at most `most`; nothing of a job that has not ended. */
    async evict(most: number, signal?: AbortSignal): Promise<void> {
      let total = await self.bytes();
      while (total > most) {
        const found = [...(await oldestResults()), ...(await oldestFiles()), ...(await oldestAnswers())];
        if (found.length === 0) return;
        // Beyond the first of these there may be older ones of the same kind.
        for (const { bytes, drop } of found.toSorted((a, b) => a.at - b.at).slice(0, BATCH)) {
          if (total <= most || signal?.aborted === true) return;
          await drop();
          total -= bytes;
          await setImmediate();
        }
      }
    },
  };
  return self;
}

/** Rows in the order of an instant that an index holds with their bytes; those of one instant are counted together. */
function walkByTime(column: string, those: string): Walk {
  const sum = `select coalesce(sum(bytes), 0) as bytes ${those} and ${column} > $1`;
  return {
    after: `select ${column} as at ${those} and ${column} > $1 order by ${column} limit 1 offset $2`,
    between: `${sum} and ${column} <= $2`,
    rest: sum,
    start: [-1],
    toPosition: (row) => [Instant.parse(row).at],
  };
}

/** The long kept answers of a tenant. */
function answersOf(tenant: string): Walk {
  const those = 'from idempotent_answers where bytes > 4096 and tenant_id = $1 and kept_until > $2';
  const sum = `select coalesce(sum(bytes), 0) as bytes ${those}`;
  return {
    after: `select kept_until as at ${those} order by kept_until limit 1 offset $3`,
    between: `${sum} and tenant_id = $3 and kept_until <= $4`,
    rest: sum,
    start: [tenant, -1],
    toPosition: (row) => [tenant, Instant.parse(row).at],
  };
}
