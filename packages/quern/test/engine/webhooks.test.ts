import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { z } from 'zod';
import { type WebhookDraft, Webhooks } from '#features/webhooks/webhooks.ts';
import { enqueueDelivery } from '#features/webhooks/enqueue.ts';
import { buildEnvelope } from '#features/webhooks/envelope.ts';
import { JobWebhook, MonitorWebhook, MonitorWebhookPatch } from '#features/webhooks/schema.ts';
import { createSecret, signMessage } from '#features/webhooks/signing.ts';
import { type AttemptOutcome, decideDelivery, MAX_ATTEMPTS } from '#features/webhooks/retry-policy.ts';
import { createSealer } from '#kernel/sealer.ts';
import type { Db } from '#store/db.ts';
import { openTestClock } from '../support/clock.ts';
import { onEveryStore, withStoreKind } from '../support/store.ts';
import { captureFailure, guardWith } from '#testkit/visitor.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=';
const MONITOR = { tenant: 'ten_1', id: 'mon_1' };
const URL_TEXT = 'https://hooks.example/in?token=t0psecret';

function hooksOver(db: Db, allow = '') {
  const clock = openTestClock('2026-11-21T12:00:00Z');
  const sealer = createSealer(new Uint8Array(32), 'webhooks');
  return { clock, webhooks: new Webhooks({ db, clock, sealer, guard: guardWith({ allow }).guard, formats: [] }) };
}

function buildEvent(id: string) {
  return { eventId: id, type: 'monitor.change_detected', owner: MONITOR.id, body: '{}', now: 0 } as const;
}

function isRefused(raw: unknown, schema: z.ZodType = MonitorWebhook): boolean {
  return !schema.safeParse(raw).success;
}

function answered(status: number, retryAfter: string | null = null, date: string | null = null): AttemptOutcome {
  return { kind: 'answered', status, retryAfter, date };
}

test('the signature matches the test vector, and the library verifies it', () => {
  const vector = {
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    at: 1_614_265_330_000,
    body: '{"test": 2432232314}',
  };
  assert.deepEqual(signMessage(['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'], vector), {
    'webhook-id': vector.id,
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
  const [first, second] = [createSecret(), createSecret()];
  const body = '{"text":"M\u00fchle \u2603 </script>"}';
  const headers = signMessage([first, second], { id: 'evt_1', at: Date.now(), body });
  for (const secret of [first, second]) new Webhook(secret).verify(body, headers);
  assert.throws(() => new Webhook(createSecret()).verify(body, headers), /No matching signature/);
  assert.throws(() => new Webhook(first).verify(`${body} `, headers), /No matching signature/);
  const old = signMessage([first], { id: 'evt_1', at: Date.now() - 10 * 60_000, body });
  assert.throws(() => new Webhook(first).verify(body, old), /too old/);
});

test('the code in the docs verifies signatures, and rejects changed, old or foreign ones', async () => {
  const page = readFileSync(join(import.meta.dirname, '../../../../docs/guide/webhooks.md'), 'utf8');
  const code = /```js\n([\s\S]*?)```/.exec(page)?.[1] ?? '';
  const loaded: unknown = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  const { verify } = z.object({ verify: z.instanceof(Function) }).parse(loaded);
  const secrets = [createSecret(), SECRET];
  const headers = signMessage(secrets, { id: 'evt_1', at: Date.now(), body: '{}' });
  const old = signMessage(secrets, { id: 'evt_1', at: Date.now() - 600_000, body: '{}' });
  for (const secret of secrets) assert.equal(verify(secret, headers, '{}'), true);
  assert.equal(verify(createSecret(), headers, '{}'), false);
  assert.equal(verify(SECRET, headers, '{ }'), false);
  assert.equal(verify(SECRET, old, '{}'), false);
  assert.equal(verify(SECRET, {}, '{}'), false);
});

test('a webhook is a URL or an object with known fields, and cannot set delivery headers', () => {
  const url = 'https://hooks.example/';
  assert.equal(isRefused(url), false);
  assert.equal(isRefused({ url, secret: SECRET, headers: { Authorization: 'Bearer x' }, events: null }), false);
  assert.equal(isRefused({ url, events: ['job.completed'] }, JobWebhook), false);
  assert.equal(isRefused({ secret: SECRET }, MonitorWebhookPatch), false);
  assert.equal(isRefused(null, MonitorWebhookPatch), false);
  const bad: readonly unknown[] = [
    null,
    {},
    { url, ulr: url },
    JSON.parse(`{"url":"${url}","__proto__":{"active":false}}`),
    { url, tenant: 'ten_2' },
    { url, status: 'active' },
    { url, events: ['job.completed'] },
    { url, events: [] },
    { url, secret: 'short' },
    { url, secret: `whsec_${'A'.repeat(100)}` },
    { url, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaS*' },
    ...[
      'Host',
      'content-length',
      'Cookie',
      'webhook-id',
      'X-Amz-Security-Token',
      'x-goog-user',
      'x-azure-ref',
      'te',
    ].map((name) => ({ url, headers: { [name]: 'x' } })),
    ...['User-Agent', 'Proxy-Authorization', 'quern-depth', 'a b', ''].map((name) => ({
      url,
      headers: { [name]: 'x' },
    })),
    { url, headers: { 'x-a': 'a\r\nx-b: c' } },
    { url, headers: { 'x-a': 'a'.repeat(4097) } },
    { url, headers: { 'x-a': '1', 'X-A': '2' } },
    { url, headers: Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`x-${at}`, 'x'])) },
  ];
  for (const raw of bad) assert.ok(isRefused(raw), JSON.stringify(raw));
});

test('an event that is too large is truncated, with the path of the full record', () => {
  const event = {
    id: 'evt_1',
    type: 'monitor.change_detected',
    at: Date.parse('2026-11-21T12:00:00Z'),
    about: { monitor_id: 'mon_1', change_id: 'chg_1' },
    data: { changes: [{ field: 'price', previous_value: 1, new_value: '</script>{{7*7}}' }] },
    path: '/v1/monitors/mon_1/changes/latest',
  } as const;
  assert.equal(
    buildEnvelope(event),
    '{"id":"evt_1","type":"monitor.change_detected","timestamp":"2026-11-21T12:00:00.000Z","api_version":"1.0.0","monitor_id":"mon_1","change_id":"chg_1","data":{"changes":[{"field":"price","previous_value":1,"new_value":"</script>{{7*7}}"}]}}',
  );
  const Cut = z.object({
    id: z.literal('evt_1'),
    truncated: z.literal(true),
    url: z.literal(event.path),
    data: z.object({ changes: z.array(z.object({ field: z.string() })).optional() }),
  });
  const change = { field: 'text', previous_value: 'a'.repeat(2000), new_value: 'b'.repeat(2000) };
  const nested = Array.from({ length: 5000 }).reduce<object>((inner) => ({ inner }), {});
  for (const data of [
    { changes: Array.from({ length: 500 }, () => change) },
    { changes: [{ field: 'one', new_value: '\u0000'.repeat(1_000_000) }] },
    Object.fromEntries(Array.from({ length: 30_000 }, (_, at) => [`member ${at}`, at])),
    { nested, text: 'c'.repeat(300_000) },
  ]) {
    const text = buildEnvelope({ ...event, data });
    assert.ok(Buffer.byteLength(text) <= 20 * 1024);
    Cut.parse(JSON.parse(text));
  }
  const heavy = buildEnvelope({ ...event, about: { metadata: 'm'.repeat(300_000) } });
  assert.ok(Buffer.byteLength(heavy) < 1000);
});

test('the decision after an attempt follows the table of answers', () => {
  const facts = { attempts: 1, maxAttempts: MAX_ATTEMPTS, now: Date.parse('2026-11-21T12:00:00Z'), random: 0.5 };
  const computeWait = (outcome: AttemptOutcome, more: Partial<typeof facts> = {}): number | string => {
    const verdict = decideDelivery(outcome, { ...facts, ...more });
    return verdict.end === 'retry' ? verdict.waitMs : verdict.end;
  };
  for (const status of [200, 201, 204, 299]) assert.equal(computeWait(answered(status)), 'succeeded');
  assert.equal(computeWait(answered(410)), 'gone');
  for (const status of [199, 301, 302, 307, 400, 401, 404, 500, 501]) assert.equal(computeWait(answered(status)), 5000);
  for (const kind of ['unreachable', 'tls_error', 'malformed'] as const) assert.equal(computeWait({ kind }), 5000);
  assert.equal(computeWait({ kind: 'timeout' }), 60_000);
  for (const status of [429, 502, 503, 504]) assert.equal(computeWait(answered(status)), 60_000);
  assert.equal(computeWait(answered(503, '120')), 120_000);
  assert.equal(computeWait(answered(503, '1')), 60_000);
  assert.equal(computeWait(answered(503, '999999999')), 3_600_000);
  assert.equal(computeWait(answered(503, '-5')), 60_000);
  assert.equal(computeWait(answered(503, 'Sat, 21 Nov 2026 12:05:00 GMT')), 300_000);
  assert.equal(computeWait(answered(503, 'Sat, 21 Nov 2026 12:05:00 GMT', 'Sat, 21 Nov 2026 12:02:00 GMT')), 180_000);
  assert.equal(computeWait(answered(500, '120')), 5000);
  assert.equal(computeWait(answered(503, '999999'), { attempts: 4 }), 4 * 3_600_000);
  assert.deepEqual(
    [0, 0.5, 1].map((random) => computeWait(answered(500), { attempts: 2, random })),
    [240_000, 300_000, 360_000],
  );
  const waits = Array.from({ length: 9 }, (_, at) => Number(computeWait(answered(500), { attempts: at + 1 })));
  assert.equal(
    waits.reduce((sum, wait) => sum + wait),
    (75 * 3600 + 35 * 60 + 5) * 1000,
  );
  assert.equal(computeWait(answered(500), { attempts: 10 }), 'exhausted');
  assert.equal(computeWait(answered(500), { maxAttempts: 1 }), 'exhausted');
});

onEveryStore('a webhook is stored sealed, shows its secret once, and can be patched', async (store) => {
  await withStoreKind(store, async (db) => {
    const { webhooks, clock } = hooksOver(db);
    const save = async (draft: WebhookDraft) => db.transaction(async (tx) => webhooks.saveWebhook(tx, MONITOR, draft));
    const patch = async (draft: WebhookDraft) =>
      db.transaction(async (tx) => webhooks.patchWebhook(tx, MONITOR, draft));
    const readSecrets = async () => (await webhooks.findTargets(db, [MONITOR.id])).get(MONITOR.id)?.secrets ?? [];
    const headers = { authorization: 'Bearer hidden' };
    const made = await save(webhooks.checkInput({ url: URL_TEXT, headers }));
    assert.match(made.secret ?? '', /^whsec_/);
    const shown = await webhooks.findWebhook(db, MONITOR.id);
    assert.deepEqual(shown, {
      url: 'https://hooks.example/in?token=********',
      secret_set: true,
      status: 'active',
      headers: { authorization: '********' },
      events: null,
    });
    assert.doesNotMatch(JSON.stringify(await db.query('select * from webhooks')), /t0psecret|hidden|whsec_/);
    assert.deepEqual((await webhooks.findWebhooks(db, ['mon_2', MONITOR.id])).get(MONITOR.id), shown);
    assert.equal(await webhooks.findWebhook(db, 'mon_2'), null);

    const changed = await patch(webhooks.checkInput({ secret: SECRET, events: ['monitor.digest'] }));
    assert.equal(changed.secret, undefined);
    assert.deepEqual(changed.events, ['monitor.digest']);
    assert.deepEqual(await readSecrets(), [SECRET, made.secret]);
    assert.deepEqual((await patch(webhooks.checkInput('https://other.example/'))).headers, shown?.headers);
    const rotated = await webhooks.rotateSecret(MONITOR, null);
    assert.deepEqual(await readSecrets(), [rotated.secret, SECRET, made.secret]);
    clock.pass(24 * 3_600_000);
    assert.deepEqual(await readSecrets(), [rotated.secret]);
    for (let times = 0; times < 12; times += 1) await webhooks.rotateSecret(MONITOR, null);
    assert.equal((await readSecrets()).length, 11);
    const stranger = { tenant: 'ten_2', id: MONITOR.id };
    assert.equal((await captureFailure(async () => webhooks.rotateSecret(stranger, null))).code, 'not_found');
    await db.transaction(async (tx) => webhooks.clearWebhook(tx, MONITOR.id));
    assert.equal(await webhooks.findWebhook(db, MONITOR.id), null);
    const missing = await captureFailure(async () => patch(webhooks.checkInput({ secret: SECRET })));
    assert.match(missing.message, /^webhook\.url: is required$/);
  });
});

onEveryStore('an event is enqueued once, for a subscribed webhook, in the transaction of its cause', async (store) => {
  await withStoreKind(store, async (db) => {
    const { webhooks } = hooksOver(db);
    const enqueue = async (id: string) => db.transaction(async (tx) => enqueueDelivery(tx, buildEvent(id)));
    assert.equal(await enqueue('evt_1'), null);
    const draft = webhooks.checkInput({ url: URL_TEXT, events: ['monitor.digest'] });
    await db.transaction(async (tx) => webhooks.saveWebhook(tx, MONITOR, draft));
    assert.equal(await enqueue('evt_1'), null);
    await db.transaction(async (tx) => webhooks.patchWebhook(tx, MONITOR, webhooks.checkInput({ events: null })));
    const first = await enqueue('evt_1');
    assert.match(first ?? '', /^dlv_/);
    assert.equal(await enqueue('evt_1'), first);
    await assert.rejects(
      db.transaction(async (tx) => {
        await enqueueDelivery(tx, buildEvent('evt_2'));
        throw new Error('rolled back');
      }),
    );
    assert.equal((await db.query('select id from deliveries')).length, 1);
    await db.transaction(async (tx) => webhooks.clearWebhook(tx, MONITOR.id));
    assert.equal((await db.query("select id from deliveries where status = 'cancelled'")).length, 1);
  });
});

test('a webhook URL must pass the egress guard, and be https unless the operator allowed the host', async () => {
  await withStoreKind('sqlite', async (db) => {
    const { webhooks } = hooksOver(db, 'mill.example');
    const checkForError = async (url: string) => (await captureFailure(() => webhooks.checkInput(url))).message;
    assert.match(
      await checkForError('http://hooks.example/'),
      /^webhook\.url: must be https; to allow http, add the host to QUERN_ALLOW_TARGETS/,
    );
    assert.match(
      await checkForError('https://10.0.0.1/'),
      /^webhook\.url: 10\.0\.0\.1 is not a public address; to allow it, add it to QUERN_ALLOW/,
    );
    assert.match(await checkForError('https://u:p@hooks.example/'), /^webhook\.url: a user name/);
    assert.match(await checkForError('ftp://hooks.example/'), /^webhook\.url: only http/);
    assert.match(await checkForError('https://169.254.169.254/'), /never be fetched/);
    assert.match(await checkForError('nonsense'), /^webhook\.url: is not an absolute URL/);
    assert.equal(webhooks.checkInput('http://mill.example/hook#part').url?.href, 'http://mill.example/hook');
  });
});
