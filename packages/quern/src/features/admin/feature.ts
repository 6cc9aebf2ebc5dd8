import type { Feature } from '#engine/call/feature.ts';
import { type RunnableControl, toReply } from '#engine/call/operation.ts';
import { forgetConsoleSessions } from '#engine/identity/console-sessions.ts';
import { DAY_MS } from '#engine/identity/plans.ts';
import type { Depth, QueueState } from '#engine/jobs/queue-state.ts';
import type { UpkeepLog } from '#engine/upkeep/upkeep-log.ts';
import { toPage } from '#features/schema/lists.ts';
import { toDay, toTimestamp } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import { streamBackup } from '#store/backup-stream.ts';
import type { ReadObject } from '#store/backup.ts';
import { type Db, StoreUnavailable } from '#store/db.ts';
import { bindInstance, bindSettings, type InstanceParts } from './instance.ts';
import { bindKeys, type KeyOperationParts } from './keys.ts';
import { exportUsage, readBackup, runUpkeep, showQueue, showUpkeep } from './operations.ts';
import { bindTenants, type TenantOperationParts } from './tenants.ts';
import { positionOf, readUsageRows, type TenantUsage } from './usage-rows.ts';

/** Rows of one answer unless more or fewer are asked for. */
const USAGE_ROWS = 100;
const DAYS_BACK = 30;
/** Tenants, and running jobs, that the queue names. */
const MAX_NAMED = 100;

export type AdminParts = TenantOperationParts &
  InstanceParts &
  KeyOperationParts & {
    readonly db: Db;
    readonly queueState: QueueState;
    readonly upkeepLog: UpkeepLog;
    /** The secret of this instance, of which a backup tells the fingerprint. */
    readonly secret: Uint8Array;
    /** Where large results are; null for the rows. */
    readonly objects: { readonly read: ReadObject } | null;
  };

/** What operators see and change: tenants, keys, credits, usage, the queue and upkeep. */
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
      { name: 'console_sessions', run: async (signal) => forgetConsoleSessions(parts, signal) },
    ],
    close: async () => keys.tidy().catch(ignoreUnavailable),
  };
}

function bindUsage({ db, tenants, cursors }: AdminParts): RunnableControl {
  return exportUsage.runs(async ({ from, to, tenant = null, format, limit, cursor }, { caller, now }) => {
    if (from !== undefined && to !== undefined && from > to) {
      throw new ServiceError('invalid_request', 'from: is after to');
    }
    if (tenant !== null) await tenants.demand(tenant);
    const range = { from: from ?? toDay(now - DAYS_BACK * DAY_MS), to: to ?? toDay(now), tenant };
    if (format === 'csv') {
      const given = limit === undefined ? (cursor === undefined ? null : 'cursor') : 'limit';
      if (given !== null) throw new ServiceError('invalid_request', `${given}: csv is all rows`);
      const name = `usage-${range.from}-${range.to}.csv`;
      const pieces = toCsv(readUsageRows(db, { ...range, after: null }));
      const headers = { 'content-disposition': `attachment; filename="${name}"` };
      return { status: 200, headers, body: null, stream: { type: 'text/csv', pieces } };
    }
    const scope = { tenant: caller.tenant, operation: 'admin.usage', filters: { from, to, tenant } };
    const most = limit ?? USAGE_ROWS;
    const rows: TenantUsage[] = [];
    for await (const row of readUsageRows(db, { ...range, after: cursors.read(scope, cursor ?? null) })) {
      rows.push(row);
      if (rows.length > most) break;
    }
    return toReply(200, toPage(rows, { limit: most, cursorOf: (last) => cursors.write(scope, positionOf(last)) }));
  });
}

/** A backup for a reader that may be far away: one at a time, at its pace, and without the secret that opens what is sealed. */
function bindBackup({ db, secret, objects }: AdminParts): RunnableControl {
  let isRead = false;
  async function* pieces(facts: Parameters<typeof streamBackup>[1]): AsyncGenerator<Uint8Array> {
    refuseSecond(isRead);
    isRead = true;
    try {
      yield* streamBackup(db, facts);
    } finally {
      isRead = false;
    }
  }
  return readBackup.runs(async (_, { now, signal }) => {
    refuseSecond(isRead);
    const facts = {
      secret: { bytes: secret, carried: false },
      readObject: objects?.read ?? null,
      now,
      progress: () => undefined,
      signal,
    };
    const headers = { 'content-disposition': `attachment; filename="quern-${toDay(now)}.quern"` };
    return { status: 200, headers, body: null, stream: { type: 'application/zstd', pieces: pieces(facts) } };
  });
}

function refuseSecond(isRead: boolean): void {
  if (!isRead) return;
  const why = 'a backup is being read from this process already';
  throw new ServiceError('backend_unavailable', why, { retryAfterSeconds: 60 });
}

function bindQueue({ queueState }: AdminParts): RunnableControl {
  return showQueue.runs(async () => {
    const { queued, running, isCut, oldest, byKind, byTenant } = await queueState.read();
    const jobs = await queueState.running(MAX_NAMED);
    return {
      queued,
      running,
      ...(isCut ? { cut: true as const } : {}),
      oldest:
        oldest === null
          ? null
          : { id: oldest.id, tenant_id: oldest.tenant, kind: oldest.kind, waits_ms: Math.round(oldest.lateMs) },
      by_kind: largest(byKind).map(([kind, depth]) => ({ kind, ...depth })),
      by_tenant: largest(byTenant)
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

function bindUpkeep({ upkeepLog }: AdminParts): readonly RunnableControl[] {
  return [
    showUpkeep.runs(async () => ({ state: upkeepLog.isRunning ? 'running' : 'idle', rounds: upkeepLog.rounds() })),
    runUpkeep.runs(async () => {
      const state = upkeepLog.runNow();
      if (state !== null) return toReply(202, { state, rounds: upkeepLog.rounds() });
      const why = 'no upkeep runs in this process: it does in every service and worker';
      throw new ServiceError('backend_unavailable', why, { retryable: false });
    }),
  ];
}

function largest(depths: ReadonlyMap<string, Depth>): readonly (readonly [string, Depth])[] {
  return [...depths].toSorted((one, other) => sumOf(other) - sumOf(one) || (one[0] < other[0] ? -1 : 1));
}

function sumOf([, { queued, running }]: readonly [string, Depth]): number {
  return queued + running;
}

function ignoreUnavailable(error: unknown): void {
  if (!(error instanceof StoreUnavailable)) throw error;
}

const COLUMNS = ['date', 'tenant_id', 'tenant', 'operation', 'calls', 'credits'] as const;
/** Characters that one piece of the file has at least, but for the last. */
const PIECE_CHARS = 16 * 1024;

/** The rows as CSV by RFC 4180, with a line of names. */
async function* toCsv(rows: AsyncIterable<TenantUsage>): AsyncGenerator<string> {
  let piece = `${COLUMNS.join(',')}\r\n`;
  for await (const row of rows) {
    piece += `${COLUMNS.map((name) => toCell(row[name])).join(',')}\r\n`;
    if (piece.length < PIECE_CHARS) continue;
    yield piece;
    piece = '';
  }
  yield piece;
}

/** A text that a spreadsheet would take for a formula begins with an apostrophe, and every text is quoted. */
function toCell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return `"${safe.replaceAll('"', '""')}"`;
}
