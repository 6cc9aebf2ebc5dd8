import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import type { Row } from '#store/db.ts';
import { readRow, readRows } from '#store/rows.ts';
import type { IdempotentAnswers } from '#engine/call/idempotency.ts';
import { resolvePlan, type Plans } from '#engine/identity/plans.ts';
import { sumByTenant, sumInPieces, type SumQueries } from '#store/sums.ts';
import {
  type EvictableItem,
  EvictableItems,
  type EvictableItemsParts,
  buildOldestResultsSql,
  ITEM_BATCH,
} from './storage-quota.ts';

/** Builds the scan of result segments stored in rows (`packed`) or objects. Each kind has an index with the bytes. */
function buildSegmentScan(place: 'packed' | 'object'): UsageScan {
  const those = `from result_segments where object is ${place === 'object' ? 'not null' : 'null'} and (job_id, seq) > ($1, $2)`;
  const piece = {
    after: `select job_id, seq ${those} order by job_id, seq limit 1 offset $3`,
    between: `${those} and (job_id, seq) <= ($3, $4)`,
    rest: those,
    start: ['', 0],
    toPosition(row: Row) {
      const { job_id: job, seq } = SegmentRow.parse(row);
      return [job, seq];
    },
  };
  return buildScan(piece, { bytes: 'packed_bytes', ofTenants: buildSegmentSums });
}

/** Builds the statement that sums segments by tenant. */
function buildSegmentSums(rows: string): string {
  return `select tenant_id as tenant, sum(packed_bytes) as bytes
    from (select job_id, packed_bytes ${rows}) as pieces join jobs on jobs.id = job_id group by tenant_id`;
}
function buildRowSums(rows: string): string {
  return `select tenant_id as tenant, sum(bytes) as bytes ${rows} group by tenant_id`;
}

/** The statements that sum one kind of stored data, in total and by tenant. */
type UsageScan = { readonly all: SumQueries; readonly byTenant: SumQueries };

/** Builds both sums over the same pieces. `between` and `rest` are the SQL after `select` and its columns. */
function buildScan(
  piece: SumQueries,
  { bytes, ofTenants }: { readonly bytes: string; readonly ofTenants: (rows: string) => string },
): UsageScan {
  const { between, rest } = piece;
  const sum = (rows: string): string => `select coalesce(sum(${bytes}), 0) as bytes ${rows}`;
  return {
    all: { ...piece, between: sum(between), rest: sum(rest) },
    byTenant: { ...piece, between: ofTenants(between), rest: ofTenants(rest) },
  };
}

/** Rows with the same time are summed together. */
const FILES = buildTimeScan('created_at', 'from artifacts where stored = 1');
/** Short responses are ignored, because deleting them frees hardly anything. */
const ANSWERS = buildTimeScan('kept_until', 'from idempotent_answers where bytes > 4096');
const COPIES = buildTimeScan('fetched_at', 'from page_copies where bytes > 0');
const OLDEST_COPIES = `select key, version, fetched_at as at, bytes from page_copies where tenant_id = $2
  order by fetched_at limit $1`;
const DROP_COPY = 'delete from page_copies where tenant_id = $1 and key = $2 and version = $3';
const NEXT_TENANT = `select id, plan from tenants
  where id = (select min(tenant_id) from idempotent_answers where bytes > 4096 and tenant_id > $1)`;
const OLDEST_ANSWERS = `select tenant_id, key, request_id, kept_until - ${24 * 3600 * 1000} as at, bytes
  from idempotent_answers where bytes > 4096 and tenant_id = $2 order by kept_until limit $1`;

const SegmentRow = z.object({ job_id: z.string(), seq: z.number() });
const InstantRow = z.object({ at: z.number() });
const AnswerRow = z.object({
  at: z.number(),
  bytes: z.number(),
  tenant_id: z.string(),
  key: z.string(),
  request_id: z.string(),
});

const CopyRow = z.object({ at: z.number(), bytes: z.number(), key: z.string(), version: z.string() });

const FIND_TENANT = 'select id, plan from tenants where id = $1';

const QuotaTenant = z.object({ id: z.string(), plan: z.string() });

/** The bytes used by a tenant, and its fair share. */
type TenantUsage = { readonly id: string; bytes: number; readonly share: number };

type DiskUsageParts = EvictableItemsParts & {
  readonly idempotentAnswers: Pick<IdempotentAnswers, 'dropAnswer'>;
  /** Whether objects are files on this machine. */
  readonly hasFiles: boolean;
  /** They limit the stored responses of a tenant and determine its share. */
  readonly plans: Plans;
};

/** Measures and frees the disk space that results, files, stored responses and copies of pages use on this machine. */
export class DiskUsage {
  readonly #parts: DiskUsageParts;
  /** Whether rows are stored on this machine. */
  readonly #hasRows: boolean;
  readonly #pieces: EvictableItems;
  readonly #oldestResults: string;

  constructor(parts: DiskUsageParts) {
    this.#parts = parts;
    const { db, hasFiles } = parts;
    this.#hasRows = db.kind === 'sqlite';
    const isHere = this.#hasRows && hasFiles ? 'packed_bytes >= 0' : `object is ${hasFiles ? 'not null' : 'null'}`;
    this.#pieces = new EvictableItems(parts);
    this.#oldestResults = buildOldestResultsSql(isHere);
  }

  /** Deletes the oldest stored responses of tenants beyond the limit of their plan. */
  async trim(signal?: AbortSignal): Promise<void> {
    for (let tenant = await this.#tenantAfter(''); tenant !== null; tenant = await this.#tenantAfter(tenant.id)) {
      if (signal?.aborted === true) return;
      const most = resolvePlan(this.#parts.plans, tenant.plan).kept_answer_bytes;
      if (most !== null) await this.#trimTenant(tenant.id, most);
      await setImmediate();
    }
  }

  async measureBytes(): Promise<number> {
    const { db } = this.#parts;
    let bytes = 0;
    for (const { all } of this.#scans()) bytes += await sumInPieces(db, all);
    return bytes;
  }

  #scans(): readonly UsageScan[] {
    return [
      ...(this.#hasRows ? [buildSegmentScan('packed'), ANSWERS, COPIES] : []),
      ...(this.#parts.hasFiles ? [buildSegmentScan('object')] : []),
      ...(this.#areFilesHere() ? [FILES] : []),
    ];
  }

  /**
   * Deletes data until at most `most` bytes remain, except data of unfinished jobs. It always deletes the oldest data
   * of the tenant that exceeds its share most.
   */
  async evict(most: number, signal?: AbortSignal): Promise<void> {
    let total = await this.measureBytes();
    const tenants = total > most ? await this.#tenants(most) : [];
    while (total > most) {
      const [tenant, next] = tenants.toSorted((one, other) => other.bytes / other.share - one.bytes / one.share);
      if (tenant === undefined || tenant.bytes <= 0) return;
      const dropped = await this.#evictOf(tenant, {
        bytes: Math.min(total - most, tenant.bytes - ((next?.bytes ?? 0) / (next?.share ?? 1)) * tenant.share),
        signal,
      });
      if (signal?.aborted === true) return;
      // The remaining data belongs to unfinished jobs.
      tenant.bytes = dropped === 0 ? 0 : tenant.bytes - dropped;
      total -= dropped;
    }
  }

  /** Deletes the oldest data of a tenant until about `bytes` are freed, at least one item. Returns the bytes freed. */
  async #evictOf(
    { id }: TenantUsage,
    { bytes: wanted, signal }: { readonly bytes: number; readonly signal: AbortSignal | undefined },
  ): Promise<number> {
    const items = [
      ...(await this.#results(id)),
      ...(await this.#files(id)),
      ...(await this.#answers(id)),
      ...(await this.#copies(id)),
    ];
    let dropped = 0;
    // Limited to one batch, because beyond it there may be older items of the same kind.
    for (const { bytes, drop } of items.toSorted((a, b) => a.at - b.at).slice(0, ITEM_BATCH)) {
      if (signal?.aborted === true || (dropped > 0 && dropped >= wanted)) break;
      await drop();
      dropped += bytes;
      await setImmediate();
    }
    return dropped;
  }

  /** Lists what each tenant stores here, and its share of `room`. */
  async #tenants(room: number): Promise<TenantUsage[]> {
    const { db, plans } = this.#parts;
    const sums = new Map<string, number>();
    for (const { byTenant } of this.#scans())
      for (const [id, bytes] of await sumByTenant(db, byTenant)) sums.set(id, (sums.get(id) ?? 0) + bytes);
    const heaviest = Math.max(...Object.values(plans).map(({ turn_weight: weight }) => weight));
    const tenants: TenantUsage[] = [];
    for (const [id, bytes] of sums) {
      const row = readRow(QuotaTenant, await db.query(FIND_TENANT, [id]));
      const plan = resolvePlan(plans, row?.plan ?? 'free');
      const { kept_result_bytes: results, kept_file_bytes: files } = plan;
      const planShare = results === null || files === null ? (room * plan.turn_weight) / heaviest : results + files;
      tenants.push({ id, bytes, share: Math.max(1, Math.min(planShare, room)) });
    }
    return tenants;
  }

  /** Lists the oldest results of a tenant. */
  async #results(tenant: string): Promise<readonly EvictableItem[]> {
    if (!this.#hasRows && !this.#parts.hasFiles) return [];
    return this.#pieces.findResults(tenant, this.#oldestResults, 'disk');
  }

  /** Lists the oldest files of a tenant. */
  async #files(tenant: string): Promise<readonly EvictableItem[]> {
    return this.#areFilesHere() ? this.#pieces.findFiles(tenant, 'disk') : [];
  }

  /** Lists the oldest stored responses of a tenant. */
  async #answers(tenant: string): Promise<readonly EvictableItem[]> {
    return this.#hasRows ? this.#toPieces(await this.#parts.db.query(OLDEST_ANSWERS, [ITEM_BATCH, tenant])) : [];
  }

  /** Lists the oldest copies of pages of a tenant. */
  async #copies(tenant: string): Promise<readonly EvictableItem[]> {
    if (!this.#hasRows) return [];
    const { db } = this.#parts;
    return readRows(CopyRow, await db.query(OLDEST_COPIES, [ITEM_BATCH, tenant])).map(
      ({ key, version, at, bytes }) => ({
        at,
        bytes,
        drop: async () => void (await db.query(DROP_COPY, [tenant, key, version])),
      }),
    );
  }

  #toPieces(rows: readonly Row[]): readonly EvictableItem[] {
    const { idempotentAnswers } = this.#parts;
    return readRows(AnswerRow, rows).map(({ tenant_id: tenant, key, ...row }) => ({
      at: row.at,
      bytes: row.bytes,
      drop: async () => idempotentAnswers.dropAnswer({ tenant, key, requestId: row.request_id }),
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
    let over = (await sumInPieces(db, buildAnswerWalk(tenant))) - most;
    while (over > 0) {
      const oldest = this.#toPieces(await db.query(OLDEST_ANSWERS, [ITEM_BATCH, tenant]));
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

/** Builds a scan in the order of a time column that is indexed together with the bytes. */
function buildTimeScan(column: string, those: string): UsageScan {
  const rows = `${those} and ${column} > $1`;
  const piece = {
    after: `select ${column} as at ${rows} order by ${column} limit 1 offset $2`,
    between: `${rows} and ${column} <= $2`,
    rest: rows,
    start: [-1],
    toPosition: (row: Row) => [InstantRow.parse(row).at],
  };
  return buildScan(piece, { bytes: 'bytes', ofTenants: buildRowSums });
}

/** Builds the walk over the long stored responses of a tenant. */
function buildAnswerWalk(tenant: string): SumQueries {
  const those = 'from idempotent_answers where bytes > 4096 and tenant_id = $1 and kept_until > $2';
  const sum = `select coalesce(sum(bytes), 0) as bytes ${those}`;
  return {
    after: `select kept_until as at ${those} order by kept_until limit 1 offset $3`,
    between: `${sum} and tenant_id = $3 and kept_until <= $4`,
    rest: sum,
    start: [tenant, -1],
    toPosition: (row) => [tenant, InstantRow.parse(row).at],
  };
}
