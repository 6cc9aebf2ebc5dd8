import { type RunnableControl, toReply } from '#engine/call/operation.ts';
import type { Cursors } from '#engine/call/cursor.ts';
import type { Keys, NewKey } from '#engine/identity/keys.ts';
import type { Tenants } from '#engine/credits/tenants.ts';
import { toTimestamp } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import { toPage } from '#features/schema/lists.ts';
import { createKey, listAllKeys, listKeys, revokeKey, rotateKey } from './operations.ts';

export type KeyOperationParts = { readonly keys: Keys; readonly tenants: Tenants; readonly cursors: Cursors };

/** The operations on the keys of tenants. */
export function bindKeys({ keys, tenants, cursors }: KeyOperationParts): readonly RunnableControl[] {
  return [
    listAllKeys.runs(async ({ limit, cursor }, { caller }) => {
      const scope = { tenant: caller.tenant, operation: 'admin.keys.all', filters: {} };
      const rows = await keys.list({ after: cursors.read(scope, cursor ?? null), limit: limit + 1 });
      return toPage(rows, { limit, cursorOf: (last) => cursors.write(scope, last.id) });
    }),
    listKeys.runs(async ({ id, limit, cursor }, { caller }) => {
      const scope = { tenant: caller.tenant, operation: 'admin.keys.list', filters: { id } };
      const after = cursors.read(scope, cursor ?? null);
      await tenants.demand(id);
      const rows = await keys.listOf(id, { after, limit: limit + 1 });
      return toPage(rows, { limit, cursorOf: (last) => cursors.write(scope, last.id) });
    }),
    createKey.runs(async ({ id, name, expires_at: expiresAt = null }, { keep, now }) => {
      refusePast(expiresAt, now);
      await tenants.demand(id);
      const reply = (made: NewKey) => toReply(201, toView(made, expiresAt));
      const made = await keys.make({ tenant: id, name, expiresAt }, async (tx, one) => keep(tx, reply(one)));
      return reply(made);
    }),
    rotateKey.runs(async ({ id, overlap_seconds: seconds, expires_at: expiresAt = null }, { keep, now }) => {
      refusePast(expiresAt, now);
      const reply = (made: NewKey) => toReply(201, toView(made, expiresAt));
      const rotation = { overlapMs: seconds * 1000, expiresAt };
      return reply(await keys.rotate(id, rotation, async (tx, one) => keep(tx, reply(one))));
    }),
    revokeKey.runs(async ({ id }) => {
      await keys.revoke(id);
      return { status: 204, headers: {}, body: null, stream: null };
    }),
  ];
}

function refusePast(expiresAt: number | null, now: number): void {
  if (expiresAt !== null && expiresAt <= now) throw new ServiceError('invalid_request', 'expires_at: is in the past');
}

function toView({ key, keyId, tenant }: NewKey, expiresAt: number | null) {
  return { id: keyId, tenant_id: tenant, key, expires_at: expiresAt === null ? null : toTimestamp(expiresAt) };
}
