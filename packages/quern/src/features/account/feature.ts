import type { Accounts } from '#engine/credits/accounts.ts';
import type { Cursors } from '#engine/call/cursor.ts';
import type { Feature } from '#engine/call/feature.ts';
import type { Instance } from '#engine/call/instance.ts';
import { type BoundControl, bindControl } from '#engine/call/bound-operation.ts';
import type { RequestLog } from '#engine/call/request-log.ts';
import type { UnpaidWork } from '#engine/call/unpaid-work.ts';
import type { Keys } from '#engine/identity/keys.ts';
import type { StorageQuota } from '#engine/upkeep/storage-quota.ts';
import { DAY_MS } from '#engine/identity/plans.ts';
import { toDay } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import { Attempts } from '#features/schema/page-outputs.ts';
import { showCapabilities, toCapabilities } from './capabilities.ts';
import { readListPage, buildListPage } from '#features/schema/lists.ts';
import { listOwnKeys, showUsage, showRequest, listRequests, listUsage } from './operations.ts';

const DAYS_BACK = 30;
const EARLIEST = '0000-01-01T00:00:00Z';
const LATEST = '9999-12-31T23:59:59Z';

export type AccountParts = {
  readonly accounts: Accounts;
  readonly unpaid: Pick<UnpaidWork, 'computeLevel'>;
  readonly keptRoom: Pick<StorageQuota, 'measure'>;
  readonly requestLog: RequestLog;
  readonly cursors: Cursors;
  readonly instance: Instance;
  readonly keys: Pick<Keys, 'listForTenant'>;
};

/** The feature with usage, keys and logged requests of a tenant, and the capabilities of the service. */
export function buildAccount(parts: AccountParts): Feature {
  const { accounts, unpaid, keptRoom, requestLog, instance } = parts;
  return {
    operations: [
      bindControl(showUsage, async (_input, { caller }) => {
        const { tenant, plan } = caller;
        const storedBytes = await keptRoom.measure(tenant);
        return {
          ...(await accounts.readBalance(tenant, plan)),
          unpaid_seconds: Math.round(unpaid.computeLevel(caller)),
          result_bytes: storedBytes.results,
          kept_result_bytes: plan.kept_result_bytes,
          file_bytes: storedBytes.files,
          kept_file_bytes: plan.kept_file_bytes,
        };
      }),
      bindHistory(parts),
      bindRequests(parts),
      bindOwnKeys(parts),
      bindControl(showRequest, async ({ request_id }, { caller }) => {
        const request = await requestLog.find(caller.tenant, request_id);
        if (request === null) throw new ServiceError('not_found', `no request ${request_id} in the last 24 hours`);
        return { ...request, attempts: Attempts.parse(request.attempts) };
      }),
      bindControl(showCapabilities, async (_input, { caller }) => toCapabilities(instance, caller.plan)),
    ],
  };
}

function bindHistory({ accounts, cursors }: AccountParts): BoundControl {
  return bindControl(listUsage, async ({ from, to, by, limit, cursor }, { caller, now }) => {
    if (from !== undefined && to !== undefined && from > to) {
      throw new ServiceError('invalid_request', 'from: must not be after to');
    }
    const range = { from: from ?? toDay(now - DAYS_BACK * DAY_MS), to: to ?? toDay(now), by };
    const scope = { tenant: caller.tenant, operation: 'usage.history', filters: { from, to, by } };
    const after = cursors.read(scope, cursor ?? null);
    const rows = await accounts.listSpending({ tenant: caller.tenant, ...range, after, limit: limit + 1 });
    const page = buildListPage(rows, { limit, cursorOf: (last) => cursors.write(scope, last.position) });
    return {
      ...page,
      data: page.data.map(({ date, operation, calls, credits }) => ({ date, operation, calls, credits })),
    };
  });
}

function bindOwnKeys({ keys, cursors }: AccountParts): BoundControl {
  return bindControl(listOwnKeys, async ({ limit, cursor }, { caller: { tenant, keyId } }) => {
    const scope = { tenant, operation: 'account.keys', filters: {} };
    const rows = await keys.listForTenant(tenant, { after: cursors.read(scope, cursor ?? null), limit: limit + 1 });
    const page = buildListPage(rows, { limit, cursorOf: (last) => cursors.write(scope, last.id) });
    return {
      ...page,
      data: page.data.map(({ tenant_id: _tenant, ...key }) => ({ ...key, current: key.id === keyId })),
    };
  });
}

function bindRequests({ requestLog, cursors }: AccountParts): BoundControl {
  return bindControl(listRequests, async ({ status, operation, from, to, limit, cursor }, { caller }) => {
    const scope = { tenant: caller.tenant, operation: 'requests', filters: { status, operation, from, to } };
    const filter = { tenant: caller.tenant, from: from ?? EARLIEST, to: to ?? LATEST, operation: operation ?? null };
    return readListPage({
      limit,
      after: cursors.read(scope, cursor ?? null),
      load: async (after, most) => requestLog.list({ ...filter, status: status ?? null, after, limit: most }),
      getPosition: ({ id }) => id,
      writeCursor: (last) => cursors.write(scope, last),
    });
  });
}
