import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import type { Clock } from '#kernel/clock.ts';
import type { Db, Row } from '#store/db.ts';
import type { Objects } from '#store/objects.ts';
import { readRow, readRows } from '#store/rows.ts';
import type { IdempotentAnswers } from '#engine/call/idempotency.ts';
import { planNamed } from '#engine/identity/plans.ts';
import type { Plans } from '#engine/identity/plans.ts';
import type { Results } from '#engine/results/results.ts';
import { sumInPieces } from '#store/sums.ts';
import type { Walk } from '#store/sums.ts';

/** The segments of results that are rows, or objects; each kind has an index that holds their bytes. */
function scanOfPieces(place: 'packed' | 'object'): Walk {
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

/** The oldest results with segments that match `here`, and the bytes of these. */
const OLDEST_RESULTS = (here: string) => `select id, finished_at as at, (select coalesce(sum(packed_bytes), 0)
    from result_segments where job_id = jobs.id and ${here}) as bytes
  from jobs where stored = 1 and status in ('completed', 'failed', 'cancelled')
    and exists (select 1 from result_segments where job_id = jobs.id and ${here})
  order by finished_at limit $1`;
const EXPIRE = `update jobs set status = 'expired', input = null, summary = null, expires_at = $2, version = version + 1
  where id = $1 and status in ('completed', 'failed', 'cancelled') returning id`;
/** Rows of one instant are summed together. */
const FILES = scanByTime('created_at', 'from artifacts where stored = 1');
const OLDEST_FILES = `select id, object, created_at as at, bytes from artifacts where stored = 1
    and not exists (select 1 from jobs where jobs.id = artifacts.job_id and status in ('queued', 'running'))
  order by created_at limit $1`;
const EMPTY_FILE = 'update artifacts set stored = 0, packed = null, object = null where id = $1';
/** Short answers are left out: deleting them frees hardly anything. */
const ANSWERS = scanByTime('kept_until', 'from idempotent_answers where bytes > 4096');
const OLDEST_ANSWERS = `select tenant_id, key, request_id, kept_until - ${24 * 3600 * 1000} as at, bytes
  from idempotent_answers where bytes > 4096 order by kept_until limit $1`;
const NEXT_TENANT = `select id, plan from tenants
  where id = (select min(tenant_id) from idempotent_answers where bytes > 4096 and tenant_id > $1)`;
const OLDEST_OF_TENANT = `select tenant_id, key, request_id, kept_until - ${24 * 3600 * 1000} as at, bytes
  from idempotent_answers where bytes > 4096 and tenant_id = $2 order by kept_until limit $1`;

/** Pieces of each kind that are read together. */
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

const QuotaTenant = z.object({ id: z.string(), plan: z.string() });

/** Something that can be deleted to free space. */
type Piece = { readonly at: number; readonly bytes: number; readonly drop: () => Promise<void> };

type DiskUsageParts = {
  readonly db: Db;
  readonly clock: Clock;
  readonly results: Pick<Results, 'drop'>;
  readonly idempotentAnswers: Pick<IdempotentAnswers, 'giveUp'>;
  readonly objects: Objects | null;
  /** Whether objects are files of this machine. */
  readonly hasFiles: boolean;
  /** They limit the kept answers of a tenant. */
  readonly plans: Plans;
};

/** The space that results, files made of pages and kept answers take on this machine, and the way to free it. */
export class DiskUsage {
  readonly #parts: DiskUsageParts;
  /** Whether rows are on this machine. */
  readonly #hasRows: boolean;
  readonly #oldestResults: string;

  constructor(parts: DiskUsageParts) {
    this.#parts = parts;
    const { db, hasFiles } = parts;
    this.#hasRows = db.kind === 'sqlite';
    const isHere = this.#hasRows && hasFiles ? 'packed_bytes >= 0' : `object is ${hasFiles ? 'not null' : 'null'}`;
    this.#oldestResults = OLDEST_RESULTS(isHere);
  }

  /** Deletes the oldest kept answers of each tenant that exceed the limit of its plan. */
  async trim(signal?: AbortSignal): Promise<void> {
    for (let tenant = await this.#tenantAfter(''); tenant !== null; tenant = await this.#tenantAfter(tenant.id)) {
      if (signal?.aborted === true) return;
      const most = planNamed(this.#parts.plans, tenant.plan).kept_answer_bytes;
      if (most !== null) await this.#trimTenant(tenant.id, most);
      await setImmediate();
    }
  }

  async bytes(): Promise<number> {
    const { db, hasFiles } = this.#parts;
    const scans = [
      ...(this.#hasRows ? [scanOfPieces('packed'), ANSWERS] : []),
      ...(hasFiles ? [scanOfPieces('object')] : []),
      ...(this.#areFilesHere() ? [FILES] : []),
    ];
    let bytes = 0;
    for (const scan of scans) bytes += await sumInPieces(db, scan);
    return bytes;
  }

  /** Deletes the oldest until at most `most` bytes are left; nothing of a job that has not ended. */
  async evict(most: number, signal?: AbortSignal): Promise<void> {
    let total = await this.bytes();
    while (total > most) {
      const found = [...(await this.#results()), ...(await this.#files()), ...(await this.#answers())];
      if (found.length === 0) return;
      // After the first of these there may be older ones of the same kind.
      for (const { bytes, drop } of found.toSorted((a, b) => a.at - b.at).slice(0, BATCH)) {
        if (total <= most || signal?.aborted === true) return;
        await drop();
        total -= bytes;
        await setImmediate();
      }
    }
  }

  /** The oldest results. */
  async #results(): Promise<readonly Piece[]> {
    const { db, clock, results, hasFiles } = this.#parts;
    if (!this.#hasRows && !hasFiles) return [];
    return readRows(ResultRow, await db.query(this.#oldestResults, [BATCH])).map(({ id, at, bytes }) => ({
      at,
      bytes,
      async drop() {
        if ((await db.query(EXPIRE, [id, clock.now()])).length > 0) await results.drop(id);
      },
    }));
  }

  /** The oldest files made of pages. */
  async #files(): Promise<readonly Piece[]> {
    const { db, objects } = this.#parts;
    if (!this.#areFilesHere()) return [];
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

  /** The oldest kept answers. */
  async #answers(): Promise<readonly Piece[]> {
    return this.#hasRows ? this.#toPieces(await this.#parts.db.query(OLDEST_ANSWERS, [BATCH])) : [];
  }

  #toPieces(rows: readonly Row[]): readonly Piece[] {
    const { idempotentAnswers } = this.#parts;
    return readRows(AnswerRow, rows).map(({ tenant_id: tenant, key, ...row }) => ({
      at: row.at,
      bytes: row.bytes,
      drop: async () => idempotentAnswers.giveUp({ tenant, key, requestId: row.request_id }),
    }));
  }

  #areFilesHere(): boolean {
    const { objects, hasFiles } = this.#parts;
    return objects === null ? this.#hasRows : hasFiles;
  }

  async #tenantAfter(id: string): Promise<z.output<typeof QuotaTenant> | null> {
    return readRow(QuotaTenant, await this.#parts.db.query(NEXT_TENANT, [id]));
  }

  async #trimTenant(tenant: string, most: number): Promise<void> {
    const { db } = this.#parts;
    let over = (await sumInPieces(db, answersOf(tenant))) - most;
    while (over > 0) {
      const oldest = this.#toPieces(await db.query(OLDEST_OF_TENANT, [BATCH, tenant]));
      if (oldest.length === 0) return;
      for (const piece of oldest) {
        if (over <= 0) return;
        await piece.drop();
        over -= piece.bytes;
      }
      await setImmediate();
    }
  }
}

/** Rows in the order of an instant that an index holds with their bytes; those of one instant are counted together. */
function scanByTime(column: string, those: string): Walk {
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
