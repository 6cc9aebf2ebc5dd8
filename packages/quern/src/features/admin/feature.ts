import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import type { Feature } from '#engine/call/feature.ts';
import { type BoundControl, bindRawControl, bindControl } from '#engine/call/bound-operation.ts';
import { toReply } from '#engine/call/operation.ts';
import type { Processes } from '#engine/credits/processes.ts';
import { deleteExpiredSessions } from '#engine/identity/console-sessions.ts';
import { DAY_MS } from '#engine/identity/plans.ts';
import type { QueueDepth, QueueState } from '#engine/jobs/queue-state.ts';
import type { UpkeepLog } from '#engine/upkeep/upkeep-log.ts';
import { buildListPage } from '#features/schema/lists.ts';
import { type Clock, toDay, toTimestamp } from '#kernel/clock.ts';
import type { SettingSummary } from '#kernel/config.ts';
import { ServiceError } from '#kernel/errors.ts';
import { streamBackup, type ReadObject } from '#store/backup.ts';
import { type Db, StoreUnavailable } from '#store/db.ts';
import { STORE_BYTES } from '#store/measured-db.ts';
import { readRow, readRows } from '#store/rows.ts';
import { exportUsage, listSettings, readBackup, runUpkeep, showInstance, showQueue, showUpkeep } from './operations.ts';
import { bindKeys, bindTenants, type KeyOperationParts, type TenantOperationParts } from './tenants.ts';

/** The default number of rows of one page. */
const DEFAULT_USAGE_ROWS = 100;
const DAYS_BACK = 30;
/** The most tenants and running jobs listed for the queue. */
const MAX_NAMED = 100;

export type AdminParts = TenantOperationParts &
  InstanceParts &
  KeyOperationParts & {
    readonly db: Db;
    readonly queueState: QueueState;
    readonly upkeepLog: UpkeepLog;
    /** The secret of this service. A backup contains its fingerprint. */
    readonly secret: Uint8Array;
    /** The store of large results; null if they are in rows. */
    readonly objects: { readonly read: ReadObject } | null;
  };

/** The feature for operators: tenants, keys, credits, usage, the queue and upkeep. */
export function buildAdmin(parts: AdminParts): Feature {
  const { keys } = parts;
  return {
    operations: [
      ...bindTenants(parts),
      ...bindKeys(parts),
      bindUsage(parts),
      bindBackup(parts),
      bindQueue(parts),
      bindInstance(parts),
      bindSettings(parts),
      ...bindUpkeep(parts),
    ],
    rounds: [
      { name: 'keys', run: async (signal) => keys.tidy(signal) },
      { name: 'console_sessions', run: async (signal) => deleteExpiredSessions(parts, signal) },
    ],
    close: async () => keys.tidy().catch(ignoreUnavailable),
  };
}

function bindUsage({ db, tenants, cursors }: AdminParts): BoundControl {
  return bindRawControl(exportUsage, async ({ from, to, tenant = null, format, limit, cursor }, { caller, now }) => {
    if (from !== undefined && to !== undefined && from > to) {
      throw new ServiceError('invalid_request', 'from: must not be after to');
    }
    if (tenant !== null) await tenants.readPlan(tenant);
    const range = { from: from ?? toDay(now - DAYS_BACK * DAY_MS), to: to ?? toDay(now), tenant };
    if (format === 'csv') {
      const conflicting = limit === undefined ? (cursor === undefined ? null : 'cursor') : 'limit';
      if (conflicting !== null)
        throw new ServiceError(
          'invalid_request',
          `${conflicting}: cannot be combined with format csv, which returns all rows`,
        );
      const name = `usage-${range.from}-${range.to}.csv`;
      const pieces = formatCsv(readUsageRows(db, { ...range, after: null }));
      const headers = { 'content-disposition': `attachment; filename="${name}"` };
      return { status: 200, headers, body: null, stream: { type: 'text/csv', pieces } };
    }
    const scope = { tenant: caller.tenant, operation: 'admin.usage', filters: { from, to, tenant } };
    const most = limit ?? DEFAULT_USAGE_ROWS;
    const rows: TenantUsage[] = [];
    for await (const row of readUsageRows(db, { ...range, after: cursors.read(scope, cursor ?? null) })) {
      rows.push(row);
      if (rows.length > most) break;
    }
    return toReply(
      200,
      buildListPage(rows, { limit: most, cursorOf: (last) => cursors.write(scope, toPosition(last)) }),
    );
  });
}

/** Binds the backup download: one at a time, streamed, and without the secret that decrypts the data. */
function bindBackup({ db, secret, objects }: AdminParts): BoundControl {
  let isRead = false;
  async function* pieces(facts: Parameters<typeof streamBackup>[1]): AsyncGenerator<Uint8Array> {
    assertNoBackup(isRead);
    isRead = true;
    try {
      yield* streamBackup(db, facts);
    } finally {
      isRead = false;
    }
  }
  return bindRawControl(readBackup, async (_, { now, signal }) => {
    assertNoBackup(isRead);
    const facts = {
      secret: { bytes: secret, included: false },
      readObject: objects?.read ?? null,
      now,
      progress: () => undefined,
      signal,
    };
    const headers = { 'content-disposition': `attachment; filename="quern-${toDay(now)}.quern"` };
    return { status: 200, headers, body: null, stream: { type: 'application/zstd', pieces: pieces(facts) } };
  });
}

function assertNoBackup(isRead: boolean): void {
  if (!isRead) return;
  const why = 'a backup is already being downloaded from this process';
  throw new ServiceError('backend_unavailable', why, { retryAfterSeconds: 60 });
}

function bindQueue({ queueState }: AdminParts): BoundControl {
  return bindControl(showQueue, async () => {
    const { queued, running, isCut, oldest, byKind, byTenant } = await queueState.read();
    const jobs = await queueState.listRunning(MAX_NAMED);
    return {
      queued,
      running,
      ...(isCut ? { cut: true as const } : {}),
      oldest:
        oldest === null
          ? null
          : { id: oldest.id, tenant_id: oldest.tenant, kind: oldest.kind, waits_ms: Math.round(oldest.lateMs) },
      by_kind: sortByCount(byKind).map(([kind, depth]) => ({ kind, ...depth })),
      by_tenant: sortByCount(byTenant)
        .slice(0, MAX_NAMED)
        .map(([tenant, depth]) => ({ tenant_id: tenant, ...depth })),
      running_jobs: jobs.map(({ id, tenant_id, kind, worker_id: worker, attempt, started_at: at }) => ({
        id,
        tenant_id,
        kind,
        worker,
        attempt,
        started_at: at === null ? null : toTimestamp(at),
      })),
    };
  });
}

function bindUpkeep({ upkeepLog }: AdminParts): readonly BoundControl[] {
  return [
    bindControl(showUpkeep, async () => ({
      state: upkeepLog.isRunning ? ('running' as const) : ('idle' as const),
      rounds: upkeepLog.rounds(),
    })),
    bindRawControl(runUpkeep, async () => {
      const state = upkeepLog.runNow();
      if (state !== null) return toReply(202, { state, rounds: upkeepLog.rounds() });
      const why = 'this process runs no upkeep; services and workers do';
      throw new ServiceError('backend_unavailable', why, { retryable: false });
    }),
  ];
}

function sortByCount(depths: ReadonlyMap<string, QueueDepth>): readonly (readonly [string, QueueDepth])[] {
  return [...depths].toSorted((one, other) => countJobs(other) - countJobs(one) || (one[0] < other[0] ? -1 : 1));
}

function countJobs([, { queued, running }]: readonly [string, QueueDepth]): number {
  return queued + running;
}

function ignoreUnavailable(error: unknown): void {
  if (!(error instanceof StoreUnavailable)) throw error;
}

const COLUMNS = ['date', 'tenant_id', 'tenant', 'operation', 'calls', 'credits'] as const;
/** The minimum size of a piece of the file, except the last. */
const PIECE_CHARS = 16 * 1024;

/** Formats rows as CSV (RFC 4180) with a header line. */
async function* formatCsv(rows: AsyncIterable<TenantUsage>): AsyncGenerator<string> {
  let piece = `${COLUMNS.join(',')}\r\n`;
  for await (const row of rows) {
    piece += `${COLUMNS.map((name) => formatCell(row[name])).join(',')}\r\n`;
    if (piece.length < PIECE_CHARS) continue;
    yield piece;
    piece = '';
  }
  yield piece;
}

/** Quotes a text. A text that a spreadsheet would treat as a formula is prefixed with an apostrophe. */
function formatCell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return `"${safe.replaceAll('"', '""')}"`;
}

const SCHEMA = 'select max(version) as version from migrations';

const SchemaRow = z.object({ version: z.number() });
const BytesRow = z.object({ bytes: z.number() });

type InstanceParts = {
  readonly db: Db;
  readonly clock: Clock;
  readonly version: string;
  readonly settings: readonly SettingSummary[];
  /** The folder of cached pages, in the data folder. */
  readonly cache: { readonly location: string };
  readonly processes: Pick<Processes, 'listSeen'>;
  readonly upkeepLog: UpkeepLog;
};

/** Binds the settings of this process. */
function bindSettings({ version, settings }: InstanceParts): BoundControl {
  return bindControl(listSettings, async () => ({ version, data: settings }));
}

/** Binds the status of the process, its store and its disk. */
function bindInstance({ db, clock, version, cache, processes, upkeepLog }: InstanceParts): BoundControl {
  const startedAt = clock.now();
  return bindControl(showInstance, async () => {
    const { stored } = upkeepLog;
    const living = await processes.listSeen();
    return {
      version,
      node: process.version,
      started_at: toTimestamp(startedAt),
      store: {
        kind: db.kind,
        schema: readRow(SchemaRow, await db.query(SCHEMA))?.version ?? 0,
        bytes: readRow(BytesRow, await db.query(STORE_BYTES[db.kind]))?.bytes ?? 0,
      },
      disk: await measureDisk(dirname(cache.location)),
      kept: stored.size === 0 ? null : { cache: stored.get('cache') ?? 0, results: stored.get('results') ?? 0 },
      processes: living.map(({ id, seenAt }) => ({ id, seen_at: toTimestamp(seenAt) })),
    };
  });
}

async function measureDisk(folder: string) {
  try {
    const { bavail, blocks, bsize } = await statfs(folder);
    return { data_dir: folder, free_bytes: bavail * bsize, total_bytes: blocks * bsize };
  } catch {
    return null;
  }
}

const TENANTS = 'select id, name from tenants where id >= $1 order by id limit $2';
const ONE_TENANT = 'select id, name from tenants where id = $1 and id >= $2';
const ROWS = `select day as date, operation, calls, credits from ledger_days
  where tenant_id = $1 and day >= $2 and day <= $3 and (day > $4 or (day = $4 and operation > $5))
  order by day, operation limit $6`;

/** The most tenants and rows per statement, so that other calls on an embedded store are not delayed. */
const TENANTS_PER_QUERY = 100;
const ROWS_PER_QUERY = 500;

const TenantNameRow = z.object({ id: z.string(), name: z.string() });
const DayRow = z.object({ date: z.string(), operation: z.string(), calls: z.number(), credits: z.number() });
const PositionTuple = z.tuple([z.string(), z.string(), z.string()]);

/** The usage of one operation by a tenant on one day. */
type TenantUsage = z.output<typeof DayRow> & { readonly tenant_id: string; readonly tenant: string };

type UsageRange = {
  /** First and last day, inclusive, as `2026-11-21`. */
  readonly from: string;
  readonly to: string;
  /** Null for all tenants. */
  readonly tenant: string | null;
  /** The position of the last row already returned; null for none. */
  readonly after: string | null;
};

/** Converts a row to its position, for a cursor. */
function toPosition({ tenant_id: tenant, date, operation }: TenantUsage): string {
  return JSON.stringify([tenant, date, operation]);
}

/** Reads rows by tenant, day and operation. Each statement reads a limited range of one index. */
async function* readUsageRows(db: Db, { from, to, tenant, after }: UsageRange): AsyncGenerator<TenantUsage, void> {
  let [first, day, operation] = after === null ? ['', '', ''] : PositionTuple.parse(JSON.parse(after));
  for (;;) {
    const found =
      tenant === null
        ? await db.query(TENANTS, [first, TENANTS_PER_QUERY])
        : await db.query(ONE_TENANT, [tenant, first]);
    const tenants = readRows(TenantNameRow, found);
    for (const tenantRow of tenants) {
      if (tenantRow.id !== first) [day, operation] = ['', ''];
      for (;;) {
        const rows = readRows(DayRow, await db.query(ROWS, [tenantRow.id, from, to, day, operation, ROWS_PER_QUERY]));
        for (const row of rows) yield { ...row, tenant_id: tenantRow.id, tenant: tenantRow.name };
        const last = rows.at(-1);
        if (last === undefined || rows.length < ROWS_PER_QUERY) break;
        ({ date: day, operation } = last);
      }
    }
    const last = tenants.at(-1);
    if (tenant !== null || last === undefined || tenants.length < TENANTS_PER_QUERY) return;
    // Continue after every id that starts with this one.
    first = `${last.id}\u0001`;
  }
}
