import { z } from 'zod';
import type { Clock } from '#kernel/clock.ts';
import type { EvictedFor } from '#engine/results/eviction.ts';
import type { Results } from '#engine/results/results.ts';
import type { Db } from '#store/db.ts';
import type { Objects } from '#store/objects.ts';
import { readRows } from '#store/rows.ts';

/** Pieces of each kind that are read together. */
export const PIECE_BATCH = 50;

const OLDEST_ENDED = `from jobs where tenant_id = $2 and stored = 1 and status in ('completed', 'failed', 'cancelled')`;
const EXPIRE = `update jobs set status = 'expired', input = null, summary = null, expires_at = $2, evicted_for = $3,
    version = version + 1
  where id = $1 and status in ('completed', 'failed', 'cancelled') returning id`;
const OLDEST_FILES = `select id, object, created_at as at, bytes from artifacts where tenant_id = $2 and stored = 1
    and not exists (select 1 from jobs where jobs.id = artifacts.job_id and status in ('queued', 'running'))
  order by created_at limit $1`;
const EMPTY_FILE = 'update artifacts set stored = 0, packed = null, object = null, evicted_for = $2 where id = $1';

/** The statement for the oldest results of a tenant, and their bytes wherever they are. */
export const OLDEST_RESULTS = `select id, finished_at as at, result_bytes as bytes ${OLDEST_ENDED}
  order by finished_at limit $1`;

/** The statement for the oldest results of a tenant with segments that match `here`, and the bytes of these. */
export function oldestResultsWhere(here: string): string {
  return `select id, finished_at as at, (select coalesce(sum(packed_bytes), 0)
      from result_segments where job_id = jobs.id and ${here}) as bytes
    ${OLDEST_ENDED} and exists (select 1 from result_segments where job_id = jobs.id and ${here})
    order by finished_at limit $1`;
}

const ResultRow = z.object({ id: z.string(), at: z.number(), bytes: z.number() });
const FileRow = ResultRow.extend({ object: z.string().nullable() });

/** Something that can be deleted to free space. */
export type EvictablePiece = { readonly at: number; readonly bytes: number; readonly drop: () => Promise<void> };

export type KeptPiecesParts = {
  readonly db: Db;
  readonly clock: Clock;
  readonly results: Pick<Results, 'drop'>;
  readonly objects: Objects | null;
};

/** The oldest results and files of tenants, which can be deleted, and tell their readers why they are gone. */
export class KeptPieces {
  readonly #parts: KeptPiecesParts;

  constructor(parts: KeptPiecesParts) {
    this.#parts = parts;
  }

  /** The oldest results of a tenant whose jobs have ended, found by one of the statements above. */
  async findResults(tenant: string, oldest: string, why: EvictedFor): Promise<readonly EvictablePiece[]> {
    const { db, clock, results } = this.#parts;
    return readRows(ResultRow, await db.query(oldest, [PIECE_BATCH, tenant])).map(({ id, at, bytes }) => ({
      at,
      bytes,
      async drop() {
        if ((await db.query(EXPIRE, [id, clock.now(), why])).length > 0) await results.drop(id);
      },
    }));
  }

  /** The oldest files made of pages for a tenant, without those of jobs that have not ended. */
  async findFiles(tenant: string, why: EvictedFor): Promise<readonly EvictablePiece[]> {
    const { db, objects } = this.#parts;
    return readRows(FileRow, await db.query(OLDEST_FILES, [PIECE_BATCH, tenant])).map(({ id, object, at, bytes }) => ({
      at,
      bytes,
      async drop() {
        // On a full disk no row can change before there is room again.
        if (object !== null) await objects?.delete(object);
        await db.query(EMPTY_FILE, [id, why]);
      },
    }));
  }
}
