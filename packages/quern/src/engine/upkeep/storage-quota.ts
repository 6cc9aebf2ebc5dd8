import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import { resolvePlan, type Plans } from '#engine/identity/plans.ts';
import type { EvictionCause } from '#engine/results/artifacts.ts';
import type { Results } from '#engine/results/results.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Db, Row } from '#store/db.ts';
import type { ObjectStore } from '#store/objects.ts';
import { readRow, readRows } from '#store/rows.ts';
import { sumByTenant, sumInPieces, type SumQueries } from '#store/sums.ts';

/** The most results or files deleted in one round. The next round continues. */
const MAX_DROPPED_PER_ROUND = 2000;
/** How long the sum of a tenant with many rows is cached, for each piece that was read. */
const REUSE_MS_PER_PIECE = 1000;
const MAX_REUSE_MS = 60_000;
/** The most tenants whose sums are cached. */
const MAX_SUMS = 1000;

const FIND_PLAN = 'select plan from tenants where id = $1';

const PlanRow = z.object({ plan: z.string() });
const InstantRow = z.object({ at: z.number() });
const TenantInstantRow = InstantRow.extend({ tenant: z.string() });

/** One kind of data limited by plans, in the order of an index with the bytes. */
type BoundedKind = {
  readonly member: 'kept_result_bytes' | 'kept_file_bytes';
  readonly column: 'finished_at' | 'created_at';
  readonly bytes: 'result_bytes' | 'bytes';
  /** The SQL after `select` and its columns. */
  readonly those: string;
};

const RESULTS: BoundedKind = {
  member: 'kept_result_bytes',
  column: 'finished_at',
  bytes: 'result_bytes',
  those: "from jobs where stored = 1 and status in ('completed', 'failed', 'cancelled')",
};
const FILES: BoundedKind = {
  member: 'kept_file_bytes',
  column: 'created_at',
  bytes: 'bytes',
  those: 'from artifacts where stored = 1',
};

/** Bytes stored for a tenant: compressed results of ended jobs, and files. */
export type StoredBytes = { readonly results: number; readonly files: number };

/** A tenant beyond the limit of its plan, and by how many bytes. */
type Excess = { readonly tenant: string; over: number };

type CachedSum = StoredBytes & { readonly until: number };

export type StorageQuotaParts = EvictableItemsParts & { readonly db: Db; readonly clock: Clock; readonly plans: Plans };

/** Measures the results and files of tenants and enforces the limits of their plans. */
export class StorageQuota {
  readonly #parts: StorageQuotaParts;
  readonly #pieces: EvictableItems;
  readonly #sums = new Map<string, CachedSum>();

  constructor(parts: StorageQuotaParts) {
    this.#parts = parts;
    this.#pieces = new EvictableItems(parts);
  }

  /** Measures what is stored for a tenant. */
  async measure(tenant: string): Promise<StoredBytes> {
    const { clock } = this.#parts;
    const known = this.#sums.get(tenant);
    if (known !== undefined && known.until > clock.monotonic()) return known;
    const { pieces, ...totals } = await this.#count(tenant);
    this.#sums.delete(tenant);
    if (pieces === 0) return totals;
    const until = clock.monotonic() + Math.min(MAX_REUSE_MS, pieces * REUSE_MS_PER_PIECE);
    this.#sums.set(tenant, { ...totals, until });
    const [oldest] = this.#sums.keys();
    if (this.#sums.size > MAX_SUMS && oldest !== undefined) this.#sums.delete(oldest);
    return totals;
  }

  /** Deletes the oldest data of tenants beyond the limits of their plans, except data of unfinished jobs. */
  async trim(signal?: AbortSignal): Promise<void> {
    for (const kind of [RESULTS, FILES]) await this.#trimKind(kind, signal);
  }

  /** Sums in pieces. Also returns the number of pieces before the last. */
  async #count(tenant: string): Promise<StoredBytes & { readonly pieces: number }> {
    const { db } = this.#parts;
    let pieces = 0;
    const onPiece = (): void => void (pieces += 1);
    const results = await sumInPieces(db, buildTenantWalk(RESULTS, tenant, onPiece));
    const files = await sumInPieces(db, buildTenantWalk(FILES, tenant, onPiece));
    return { results, files, pieces };
  }

  async #trimKind(kind: BoundedKind, signal: AbortSignal | undefined): Promise<void> {
    let waiting = await this.#findExcess(kind);
    let left = MAX_DROPPED_PER_ROUND;
    // In turns, so that a tenant with very many items does not delay the others.
    while (waiting.length > 0 && left > 0) {
      const unfinished: Excess[] = [];
      for (const excess of waiting) {
        const pieces = await this.#findOldest(kind, excess.tenant);
        for (const { bytes, drop } of pieces) {
          if (signal?.aborted === true) return;
          if (excess.over <= 0 || left <= 0) break;
          await drop();
          excess.over -= bytes;
          left -= 1;
          await setImmediate();
        }
        if (excess.over > 0 && pieces.length > 0) unfinished.push(excess);
      }
      waiting = unfinished;
    }
  }

  /** Lists the tenants beyond the limits of their plans, largest excess first. */
  async #findExcess(kind: BoundedKind): Promise<readonly Excess[]> {
    const { db, plans } = this.#parts;
    const bounds = Object.values(plans).map((plan) => plan[kind.member] ?? Infinity);
    const least = Math.min(...bounds);
    if (least === Infinity) return [];
    const excesses: Excess[] = [];
    for (const [tenant, bytes] of await sumByTenant(db, buildAllWalk(kind))) {
      if (bytes <= least) continue;
      const row = readRow(PlanRow, await db.query(FIND_PLAN, [tenant]));
      const most = row === null ? null : resolvePlan(plans, row.plan)[kind.member];
      if (most !== null && bytes > most) excesses.push({ tenant, over: bytes - most });
    }
    return excesses.toSorted((a, b) => b.over - a.over);
  }

  async #findOldest({ member }: BoundedKind, tenant: string): Promise<readonly EvictableItem[]> {
    if (member === 'kept_file_bytes') return this.#pieces.findFiles(tenant, 'plan');
    return this.#pieces.findResults(tenant, OLDEST_RESULTS, 'plan');
  }
}

/** Builds the walk that sums by tenant. */
function buildAllWalk({ column, bytes, those }: BoundedKind): SumQueries {
  const rows = `${those} and (tenant_id, ${column}) > ($1, $2)`;
  const sum = `select tenant_id as tenant, sum(${bytes}) as bytes ${rows}`;
  return {
    after: `select tenant_id as tenant, ${column} as at ${rows} order by tenant_id, ${column} limit 1 offset $3`,
    between: `${sum} and (tenant_id, ${column}) <= ($3, $4) group by tenant_id`,
    rest: `${sum} group by tenant_id`,
    start: ['', -1],
    toPosition(row: Row) {
      const { tenant, at } = TenantInstantRow.parse(row);
      return [tenant, at];
    },
  };
}

/** Builds the walk that sums the data of one tenant. */
function buildTenantWalk({ column, bytes, those }: BoundedKind, tenant: string, onPiece: () => void): SumQueries {
  const rows = `${those} and tenant_id = $1 and ${column} > $2`;
  const sum = `select coalesce(sum(${bytes}), 0) as bytes ${rows}`;
  return {
    after: `select ${column} as at ${rows} order by ${column} limit 1 offset $3`,
    between: `${sum} and tenant_id = $3 and ${column} <= $4`,
    rest: sum,
    start: [tenant, -1],
    toPosition(row) {
      onPiece();
      return [tenant, InstantRow.parse(row).at];
    },
  };
}

/** Items of each kind that are read together. */
export const ITEM_BATCH = 50;

const OLDEST_ENDED = `from jobs where tenant_id = $2 and stored = 1 and status in ('completed', 'failed', 'cancelled')`;
const EXPIRE = `update jobs set status = 'expired', input = null, summary = null, expires_at = $2, evicted_for = $3,
    version = version + 1
  where id = $1 and status in ('completed', 'failed', 'cancelled') returning id`;
const OLDEST_FILES = `select id, object, created_at as at, bytes from artifacts where tenant_id = $2 and stored = 1
    and not exists (select 1 from jobs where jobs.id = artifacts.job_id and status in ('queued', 'running'))
  order by created_at limit $1`;
const EMPTY_FILE = 'update artifacts set stored = 0, packed = null, object = null, evicted_for = $2 where id = $1';

/** The statement for the oldest results of a tenant and their total bytes. */
const OLDEST_RESULTS = `select id, finished_at as at, result_bytes as bytes ${OLDEST_ENDED}
  order by finished_at limit $1`;

/**
 * Builds the statement for the oldest results of a tenant with segments that match `here`, and the bytes of those
 * segments.
 */
export function buildOldestResultsSql(here: string): string {
  return `select id, finished_at as at, (select coalesce(sum(packed_bytes), 0)
      from result_segments where job_id = jobs.id and ${here}) as bytes
    ${OLDEST_ENDED} and exists (select 1 from result_segments where job_id = jobs.id and ${here})
    order by finished_at limit $1`;
}

const ResultRow = z.object({ id: z.string(), at: z.number(), bytes: z.number() });
const FileRow = ResultRow.extend({ object: z.string().nullable() });

/** Something that can be deleted to free space. */
export type EvictableItem = { readonly at: number; readonly bytes: number; readonly drop: () => Promise<void> };

export type EvictableItemsParts = {
  readonly db: Db;
  readonly clock: Clock;
  readonly results: Pick<Results, 'drop'>;
  readonly objects: ObjectStore | null;
};

/** Finds the oldest results and files of tenants. When one is deleted, the cause is recorded for its readers. */
export class EvictableItems {
  readonly #parts: EvictableItemsParts;

  constructor(parts: EvictableItemsParts) {
    this.#parts = parts;
  }

  /** Finds the oldest results of ended jobs with one of the statements above. */
  async findResults(tenant: string, oldest: string, why: EvictionCause): Promise<readonly EvictableItem[]> {
    const { db, clock, results } = this.#parts;
    return readRows(ResultRow, await db.query(oldest, [ITEM_BATCH, tenant])).map(({ id, at, bytes }) => ({
      at,
      bytes,
      async drop() {
        if ((await db.query(EXPIRE, [id, clock.now(), why])).length > 0) await results.drop(id);
      },
    }));
  }

  /** Finds the oldest files of a tenant, except those of unfinished jobs. */
  async findFiles(tenant: string, why: EvictionCause): Promise<readonly EvictableItem[]> {
    const { db, objects } = this.#parts;
    return readRows(FileRow, await db.query(OLDEST_FILES, [ITEM_BATCH, tenant])).map(({ id, object, at, bytes }) => ({
      at,
      bytes,
      async drop() {
        // Objects are deleted first, because on a full disk no row can be changed.
        if (object !== null) await objects?.delete(object);
        await db.query(EMPTY_FILE, [id, why]);
      },
    }));
  }
}
