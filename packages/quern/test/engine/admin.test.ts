import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { z } from 'zod';
import type { Operation } from '#engine/call/operation.ts';
import * as admin from '#features/admin/operations.ts';
import { fetchPage } from '#features/fetch/operation.ts';
import { showUsage } from '#features/account/operations.ts';
import { allOperations } from '#compose/registry.ts';
import { toTimestamp } from '#kernel/clock.ts';
import { onEveryStore } from '../support/store.ts';
import { brings, type Gate, type GateOptions, SITE, withGate } from './gate.ts';

const HOUR_MS = 3_600_000;
const ADMIN = allOperations.filter(({ audience }) => audience === 'operator');

type Body = Readonly<Record<string, unknown>>;
const Rows = z.object({
  data: z.array(z.record(z.string(), z.unknown())),
  next_cursor: z.string().nullable().optional(),
});
const MadeKey = z.object({ id: z.string(), key: z.string() });

function asOperator(key?: string) {
  return { isOperator: true, ...(key === undefined ? {} : { key }) };
}

/** The answer to an operator; throws if the call fails. */
async function operate(gate: Gate, operation: Operation, raw: unknown, key?: string): Promise<Body> {
  const { answer, error } = await gate.ask(operation, raw, asOperator(key));
  if (answer === null) throw error;
  return answer.body;
}

async function callForCode(gate: Gate, operation: Operation, raw: unknown, key?: string): Promise<string> {
  return (await gate.ask(operation, raw, asOperator(key))).code;
}

/** A gate on each store. */
function onGate(title: string, work: (gate: Gate) => Promise<void>, options: GateOptions = {}): void {
  onEveryStore(title, async (store) => withGate({ store, ...options }, work));
}

test('every administrative area has operations, and none of them is an MCP tool', () => {
  assert.equal(ADMIN.length, 20);
  for (const { id, route, agent, kind } of ADMIN) {
    assert.match(id, /^admin\./);
    assert.match(route ?? '', /^[A-Z]+ \/v1\/admin\//);
    assert.deepEqual([agent, kind], [undefined, 'control']);
  }
});

onGate('a tenant key is rejected by every admin operation before the request is read', async (gate) => {
  for (const operation of ADMIN)
    for (const raw of [operation.example, { nonsense: true }, null]) {
      const { error } = await gate.ask(operation, raw);
      assert.deepEqual([error?.code, error?.status], ['operator_key_required', 403]);
      assert.match(error?.message ?? '', new RegExp(operation.id));
    }
  // An idempotency key is not stored either.
  const refused = await gate.ask(admin.createTenantOperation, { name: 'a', plan: 'free' }, { key: 'k' });
  assert.equal(refused.code, 'operator_key_required');
  assert.equal(await callForCode(gate, admin.createTenantOperation, { name: 'a', plan: 'free' }, 'k'), 'ok');
});

onGate('every operation on an unknown tenant or key returns not found', async (gate) => {
  for (const id of ['ten_none', "' or 1=1 --", 'constructor']) {
    for (const [operation, more] of [
      [admin.showTenant, {}],
      [admin.updateTenant, { plan: 'pro' }],
      [admin.topUpTenant, { credits: 1 }],
      [admin.refundTenant, { charge: 'req_1' }],
      [admin.listKeys, {}],
      [admin.createKey, {}],
      [admin.rotateKey, {}],
      [admin.revokeKey, {}],
    ] as const)
      assert.equal(await callForCode(gate, operation, { id, ...more }), 'not_found', operation.id);
    assert.equal(await callForCode(gate, admin.exportUsage, { tenant: id }), 'not_found');
    assert.equal(await callForCode(gate, admin.exportUsage, { tenant: id, format: 'csv' }), 'not_found');
  }
});

onGate('tenants can be created, changed and listed, newest first and in pages', async (gate) => {
  gate.clock.pass(1);
  const made = await operate(gate, admin.createTenantOperation, { name: 'newsroom', plan: 'free' });
  assert.deepEqual([made['name'], made['plan'], made['credits_remaining']], ['newsroom', 'free', 31_000]);
  const id = String(made['id']);
  const changed = await operate(gate, admin.updateTenant, { id, plan: 'pro' });
  assert.deepEqual([changed['name'], changed['plan'], changed['credits_granted']], ['newsroom', 'pro', 250_000]);
  assert.equal((await operate(gate, admin.updateTenant, { id, name: 'desk' }))['plan'], 'pro');
  const shown = await operate(gate, admin.showTenant, { id });
  assert.deepEqual([shown['name'], shown['plan']], ['desk', 'pro']);
  const first = Rows.parse(await operate(gate, admin.listTenants, { limit: 1 }));
  assert.deepEqual([first.data.length, first.data[0]?.['id']], [1, id]);
  const second = Rows.parse(await operate(gate, admin.listTenants, { limit: 1, cursor: first.next_cursor }));
  assert.deepEqual([second.data[0]?.['id'], second.next_cursor], [gate.tenant, null]);
  assert.equal(await callForCode(gate, admin.listKeys, { id, cursor: first.next_cursor }), 'invalid_request');
});

onGate('invalid names and plans are rejected, and so are unknown members', async (gate) => {
  for (const raw of [
    { name: 'a', plan: 'constructor' },
    { name: 'a', plan: '__proto__' },
    { name: '', plan: 'free' },
    { name: 'a\u0000b', plan: 'free' },
    { name: 'a\r\nb', plan: 'free' },
    { name: '\ud800', plan: 'free' },
    { name: 'a'.repeat(201), plan: 'free' },
    { name: 'a', plan: 'free', used: 0 },
    { name: 'a', plan: 'free', operator: true },
    { plan: 'free' },
  ])
    assert.equal(await callForCode(gate, admin.createTenantOperation, raw), 'invalid_request', JSON.stringify(raw));
  const id = gate.tenant;
  for (const raw of [{ id }, { id, plan: 'gold' }, { id, created_at: '2020' }, { id, used: 0, plan: 'pro' }])
    assert.equal(await callForCode(gate, admin.updateTenant, raw), 'invalid_request', JSON.stringify(raw));
  for (const credits of [0, -1, 1.5, 1e12, Number.MAX_SAFE_INTEGER, '5', null])
    assert.equal(await callForCode(gate, admin.topUpTenant, { id, credits }), 'invalid_request', String(credits));
});

onGate('a top-up counts once per idempotency key, even if it is repeated concurrently', async (gate) => {
  const raw = { id: gate.tenant, credits: 500 };
  const answers = await Promise.all(
    Array.from({ length: 8 }, async () => gate.ask(admin.topUpTenant, raw, { isOperator: true, key: 'pay-1' })),
  );
  for (const { answer } of answers) assert.deepEqual([answer?.status, answer?.body['credits_topped_up']], [201, 500]);
  assert.equal((await gate.balance()).credits_topped_up, 500);
  const other = await gate.ask(admin.topUpTenant, { ...raw, credits: 7 }, { isOperator: true, key: 'pay-1' });
  assert.equal(other.code, 'idempotency_conflict');
  await operate(gate, admin.topUpTenant, raw, 'pay-2');
  assert.equal((await gate.balance()).credits_topped_up, 1000);
  const { data } = Rows.parse(await operate(gate, admin.listTenants, {}));
  assert.equal(data.find(({ id }) => id === gate.tenant)?.['credits_topped_up'], 1000);
});

onGate('top-ups above the monthly maximum are rejected and change nothing', async (gate) => {
  const raw = { id: gate.tenant, credits: 999_999_999_999 };
  await operate(gate, admin.topUpTenant, raw);
  assert.equal(await callForCode(gate, admin.topUpTenant, raw), 'invalid_request');
  assert.equal((await gate.balance()).credits_topped_up, raw.credits);
});

onGate(
  'a charge is refunded only once',
  async (gate) => {
    const { answer } = await gate.ask(fetchPage, { url: SITE });
    const charge = answer?.body['request_id'];
    const back = await operate(gate, admin.refundTenant, { id: gate.tenant, charge }, 'back');
    assert.equal(back['credits'], 2);
    assert.equal((await operate(gate, admin.refundTenant, { id: gate.tenant, charge }, 'back'))['credits'], 2);
    assert.equal(await callForCode(gate, admin.refundTenant, { id: gate.tenant, charge }), 'invalid_request');
    assert.equal((await gate.balance()).credits_used, 0);
  },
  { tierVisits: { http: brings() } },
);

onGate('a tenant key shows its prefix, and stops working when it is revoked or expires', async (gate) => {
  const id = gate.tenant;
  const expires = toTimestamp(gate.clock.now() + HOUR_MS);
  const made = MadeKey.parse(await operate(gate, admin.createKey, { id, name: 'import', expires_at: expires }));
  const caller = await gate.keys.findCaller(made.key);
  assert.deepEqual([caller?.tenant, caller?.isOperator], [id, undefined]);
  const listed = Rows.parse(await operate(gate, admin.listKeys, { id })).data[0] ?? {};
  assert.deepEqual(
    [listed['id'], listed['name'], listed['prefix'], listed['expires_at'], listed['operator'], listed['revoked_at']],
    [made.id, 'import', made.key.slice(3, 7), expires, false, null],
  );
  assert.ok(!JSON.stringify(listed).includes(made.key.slice(7)));
  gate.clock.pass(HOUR_MS);
  assert.equal(await gate.keys.findCaller(made.key), null);
  // A process of an older version ignores the expiry, so upkeep revokes the key.
  await gate.keys.tidy();
  const ended = Rows.parse(await operate(gate, admin.listKeys, { id })).data[0] ?? {};
  assert.equal(ended['revoked_at'], expires);
  assert.equal(await callForCode(gate, admin.createKey, { id, expires_at: expires }), 'invalid_request');
  const second = MadeKey.parse(await operate(gate, admin.createKey, { id }));
  await operate(gate, admin.revokeKey, { id: second.id });
  assert.equal(await gate.keys.findCaller(second.key), null);
  assert.equal(await callForCode(gate, admin.revokeKey, { id: second.id }), 'not_found');
});

onGate('a rotated key works until its overlap ends, and a second rotation does not extend it', async (gate) => {
  const old = MadeKey.parse(await operate(gate, admin.createKey, { id: gate.tenant, name: 'import' }));
  const rotate = { id: old.id, overlap_seconds: 3600 };
  const made = MadeKey.parse(await operate(gate, admin.rotateKey, rotate, 'turn'));
  const again = MadeKey.parse(await operate(gate, admin.rotateKey, rotate, 'turn'));
  assert.deepEqual(again, made);
  assert.deepEqual(
    [(await gate.keys.findCaller(old.key))?.keyId, (await gate.keys.findCaller(made.key))?.keyId],
    [old.id, made.id],
  );
  await operate(gate, admin.rotateKey, { id: old.id, overlap_seconds: 7200 });
  gate.clock.pass(HOUR_MS);
  assert.equal(await gate.keys.findCaller(old.key), null);
  for (const overlap_seconds of [0, 60])
    assert.equal(await callForCode(gate, admin.rotateKey, { id: old.id, overlap_seconds }), 'not_found');
  const now = MadeKey.parse(await operate(gate, admin.rotateKey, { id: made.id }));
  assert.equal(await gate.keys.findCaller(made.key), null);
  assert.equal((await gate.keys.findCaller(now.key))?.tenant, gate.tenant);
});

onGate('a rotated operator key is replaced by an operator key', async (gate) => {
  const own = await gate.keys.create({ tenant: gate.tenant, name: 'ours', isOperator: true });
  assert.equal((await gate.keys.findCaller(own.key))?.isOperator, true);
  const made = MadeKey.parse(await operate(gate, admin.rotateKey, { id: own.keyId }));
  assert.equal((await gate.keys.findCaller(made.key))?.isOperator, true);
});

onGate('upkeep, not the call itself, writes when a key was last used', async (gate) => {
  const { key, keyId } = await gate.keys.add(gate.tenant, 'mine');
  const lastUse = async () =>
    Rows.parse(await operate(gate, admin.listKeys, { id: gate.tenant })).data.find(({ id }) => id === keyId)?.[
      'last_used_at'
    ];
  for (let calls = 0; calls < 5; calls += 1) await gate.keys.findCaller(key);
  assert.equal(await lastUse(), null);
  await gate.keys.tidy();
  const first = toTimestamp(gate.clock.now());
  assert.equal(await lastUse(), first);
  gate.clock.pass(HOUR_MS);
  await gate.keys.tidy();
  assert.equal(await lastUse(), first);
  await gate.keys.findCaller(key);
  await gate.keys.tidy();
  assert.equal(await lastUse(), toTimestamp(gate.clock.now()));
});

onGate(
  'usage is listed by tenant, day and operation, in pages and as CSV without formula injection',
  async (gate) => {
    gate.clock.pass(1);
    const other = String(
      (await operate(gate, admin.createTenantOperation, { name: '=HYPERLINK("x")', plan: 'pro' }))['id'],
    );
    for (const as of [gate.tenant, gate.tenant, other])
      assert.equal((await gate.ask(fetchPage, { url: SITE }, { as })).code, 'ok');
    const [today, yesterday] = ['2026-11-22', '2026-11-21'];
    gate.clock.pass(24 * HOUR_MS);
    await gate.ask(fetchPage, { url: SITE });
    const all = Rows.parse(await operate(gate, admin.exportUsage, {})).data;
    assert.deepEqual(
      all.map(({ date, tenant_id: tenant, calls, credits }) => [date, tenant, calls, credits]),
      [
        [yesterday, gate.tenant, 2, 4],
        [today, gate.tenant, 1, 2],
        [yesterday, other, 1, 2],
      ],
    );
    const pages: unknown[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page = Rows.parse(await operate(gate, admin.exportUsage, { limit: 1, ...(cursor ? { cursor } : {}) }));
      pages.push(...page.data);
      cursor = page.next_cursor ?? null;
    }
    assert.deepEqual(pages, all);
    const one = Rows.parse(await operate(gate, admin.exportUsage, { tenant: other, from: yesterday, to: yesterday }));
    assert.deepEqual(one.data, all.slice(2));
    assert.deepEqual(Rows.parse(await operate(gate, admin.exportUsage, { to: '2026-11-20' })).data, []);
    const { answer } = await gate.ask(admin.exportUsage, { format: 'csv', from: yesterday }, { isOperator: true });
    assert.equal(answer?.stream?.type, 'text/csv');
    const csv = await text(Readable.from(answer.stream.pieces));
    assert.deepEqual(csv.split('\r\n'), [
      'date,tenant_id,tenant,operation,calls,credits',
      `"${yesterday}","${gate.tenant}","t","fetch",2,4`,
      `"${today}","${gate.tenant}","t","fetch",1,2`,
      `"${yesterday}","${other}","'=HYPERLINK(""x"")","fetch",1,2`,
      '',
    ]);
    for (const raw of [
      { from: 'x' },
      { from: today, to: yesterday },
      { format: 'csv', limit: 5 },
      { format: 'xml' },
      { cursor: 'x' },
    ])
      assert.equal(await callForCode(gate, admin.exportUsage, raw), 'invalid_request', JSON.stringify(raw));
    // The tenant's own view has not changed.
    assert.equal((await gate.ask(showUsage, {})).answer?.body['credits_used'], 6);
  },
  { tierVisits: { http: brings() } },
);

onGate('usage is complete for more tenants than one statement reads', async (gate) => {
  const day = '2026-11-21';
  for (let at = 0; at < 230; at += 1) {
    const id = await gate.tenants.create(`t${at}`, 'free');
    await gate.db.query(
      `insert into ledger_days (tenant_id, day, operation, calls, credits) values ($1, $2, 'fetch', 1, $3)`,
      [id, day, at],
    );
  }
  const rows = Rows.parse(await operate(gate, admin.exportUsage, { limit: 1000 })).data;
  assert.equal(rows.length, 230);
  assert.equal(new Set(rows.map(({ tenant_id: tenant }) => tenant)).size, 230);
});

onGate('the operation returns the plans of this instance', async (gate) => {
  const { data } = Rows.parse(await operate(gate, admin.listPlans, {}));
  assert.deepEqual(
    data.map(({ name }) => name),
    ['free', 'starter', 'pro', 'scale', 'unlimited'],
  );
});

onGate('the answer says if upkeep runs in another process', async (gate) => {
  assert.equal(await callForCode(gate, admin.runUpkeep, {}), 'backend_unavailable');
  assert.deepEqual((await operate(gate, admin.showUpkeep, {}))['state'], 'idle');
});
