import type { Cursors } from '#engine/call/cursor.ts';
import { type BoundControl, bindRawControl, bindControl } from '#engine/call/bound-operation.ts';
import { toReply } from '#engine/call/operation.ts';
import { toBalance } from '#engine/credits/accounts.ts';
import type { TenantRow, Tenants } from '#engine/credits/tenants.ts';
import type { Keys, CreatedKey } from '#engine/identity/keys.ts';
import { getPlan, resolvePlan, type Plans } from '#engine/identity/plans.ts';
import { buildListPage } from '#features/schema/lists.ts';
import { type Clock, toTimestamp } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import {
  createKey,
  createTenantOperation,
  listAllKeys,
  listKeys,
  listPlans,
  listTenants,
  refundTenant,
  revokeKey,
  rotateKey,
  showTenant,
  topUpTenant,
  updateTenant,
} from './operations.ts';

export type TenantOperationParts = {
  readonly tenants: Tenants;
  readonly plans: Plans;
  readonly cursors: Cursors;
  readonly clock: Clock;
};

/** Binds the operations on tenants and their credits. */
export function bindTenants(parts: TenantOperationParts): readonly BoundControl[] {
  const { tenants, plans, cursors } = parts;
  const show = (row: TenantRow) => toTenantView(parts, row);
  return [
    bindControl(listTenants, async ({ limit, cursor }, { caller }) => {
      const scope = { tenant: caller.tenant, operation: 'admin.tenants.list', filters: {} };
      const rows = await tenants.listPage({ after: cursors.read(scope, cursor ?? null), limit: limit + 1 });
      const page = buildListPage(rows, { limit, cursorOf: ({ id }) => cursors.write(scope, id) });
      return { ...page, data: page.data.map(show) };
    }),
    bindRawControl(createTenantOperation, async ({ name, plan }, { storeAnswer }) => {
      const chosen = getPlan(plans, plan).name;
      const made = await tenants.createRecorded({ name, plan: chosen }, async (tx, row) =>
        storeAnswer(tx, toReply(201, show(row))),
      );
      return toReply(201, show(made));
    }),
    bindControl(showTenant, async ({ id }) => show(await tenants.read(id))),
    bindControl(updateTenant, async ({ id, plan, name, suspended }) => {
      if (plan === undefined && name === undefined && suspended === undefined) {
        throw new ServiceError('invalid_request', 'plan: one of plan, name and suspended is required');
      }
      const chosen = plan === undefined ? undefined : getPlan(plans, plan).name;
      return show(await tenants.update(id, { plan: chosen, name, isSuspended: suspended }));
    }),
    bindRawControl(topUpTenant, async ({ id, credits }, { storeAnswer }) => {
      const row = await tenants.topUp(id, credits, async (tx, topped) => storeAnswer(tx, toReply(201, show(topped))));
      return toReply(201, show(row));
    }),
    bindRawControl(refundTenant, async ({ id, charge }, { storeAnswer }) => {
      await tenants.read(id);
      const toBody = (credits: number) => toReply(201, { tenant_id: id, charge, credits });
      return toBody(await tenants.refund(id, charge, async (tx, credits) => storeAnswer(tx, toBody(credits))));
    }),
    bindControl(listPlans, async () => ({ data: Object.values(plans) })),
  ];
}

function toTenantView({ plans, clock }: TenantOperationParts, row: TenantRow) {
  const {
    cycle: _cycle,
    daily_resets_at: _at,
    plan,
    ...credits
  } = toBalance(row, resolvePlan(plans, row.plan), clock.now());
  const { id, name, created_at: createdAt, suspended_at: suspendedAt } = row;
  return { id, name, plan, created_at: createdAt, suspended_at: suspendedAt, ...credits };
}

export type KeyOperationParts = { readonly keys: Keys; readonly tenants: Tenants; readonly cursors: Cursors };

/** Binds the operations on the keys of tenants. */
export function bindKeys({ keys, tenants, cursors }: KeyOperationParts): readonly BoundControl[] {
  return [
    bindControl(listAllKeys, async ({ limit, cursor }, { caller }) => {
      const scope = { tenant: caller.tenant, operation: 'admin.keys.all', filters: {} };
      const rows = await keys.list({ after: cursors.read(scope, cursor ?? null), limit: limit + 1 });
      return buildListPage(rows, { limit, cursorOf: (last) => cursors.write(scope, last.id) });
    }),
    bindControl(listKeys, async ({ id, limit, cursor }, { caller }) => {
      const scope = { tenant: caller.tenant, operation: 'admin.keys.list', filters: { id } };
      const after = cursors.read(scope, cursor ?? null);
      await tenants.readPlan(id);
      const rows = await keys.listForTenant(id, { after, limit: limit + 1 });
      return buildListPage(rows, { limit, cursorOf: (last) => cursors.write(scope, last.id) });
    }),
    bindRawControl(createKey, async ({ id, name, expires_at: expiresAt = null }, { storeAnswer, now }) => {
      assertFuture(expiresAt, now);
      await tenants.readPlan(id);
      const reply = (made: CreatedKey) => toReply(201, toNewKeyView(made, expiresAt));
      const made = await keys.create({ tenant: id, name, expiresAt }, async (tx, one) => storeAnswer(tx, reply(one)));
      return reply(made);
    }),
    bindRawControl(
      rotateKey,
      async ({ id, overlap_seconds: seconds, expires_at: expiresAt = null }, { storeAnswer, now }) => {
        assertFuture(expiresAt, now);
        const reply = (made: CreatedKey) => toReply(201, toNewKeyView(made, expiresAt));
        const rotation = { overlapMs: seconds * 1000, expiresAt };
        return reply(await keys.rotate(id, rotation, async (tx, one) => storeAnswer(tx, reply(one))));
      },
    ),
    bindRawControl(revokeKey, async ({ id }) => {
      await keys.revoke(id);
      return { status: 204, headers: {}, body: null, stream: null };
    }),
  ];
}

function assertFuture(expiresAt: number | null, now: number): void {
  if (expiresAt !== null && expiresAt <= now)
    throw new ServiceError('invalid_request', 'expires_at: must be in the future');
}

function toNewKeyView({ key, keyId, tenant }: CreatedKey, expiresAt: number | null) {
  return { id: keyId, tenant_id: tenant, key, expires_at: expiresAt === null ? null : toTimestamp(expiresAt) };
}
