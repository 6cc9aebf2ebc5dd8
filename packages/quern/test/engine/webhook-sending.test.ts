import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import type { Resolution } from '#access/guard/resolver.ts';
import type { DeliveryRecord } from '#features/webhooks/delivery-log.ts';
import { onEveryStore } from '../support/store.ts';
import { startHttpServer, startSocketServer } from '#testkit/servers.ts';
import { captureFailure } from '#testkit/visitor.ts';
import { SECRET, TENANT } from '#testkit/deliveries.ts';
import { withSending } from '../support/engine/deliveries.ts';

const DAY_MS = 24 * 3_600_000;

type Got = { readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: string };

/** A receiver that stores its requests and returns configured responses. */
async function openReceiver(answer: (got: Got, response: ServerResponse) => void = (_got, response) => response.end()) {
  const all: Got[] = [];
  const listener: RequestListener = (request, response) => {
    void take(request, response);
  };
  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const got = { path: request.url ?? '', headers: request.headers, body: await text(request) };
    all.push(got);
    answer(got, response);
  }
  const site = await startHttpServer(listener);
  return { all, origin: site.origin, [Symbol.asyncDispose]: async () => site[Symbol.asyncDispose]() };
}

async function resolveInner(name: string): Promise<Resolution> {
  if (name !== 'inner.example') throw new Error(`${name} does not exist`);
  return { addresses: [{ address: '10.0.0.5', family: 4 }], ttlMs: 1000 };
}

function hasEnded({ status }: DeliveryRecord): boolean {
  return status !== 'pending' && status !== 'delivering';
}

function verified({ headers, body }: Got): unknown {
  const pick = (name: string): string => String(headers[name]);
  return new Webhook(SECRET).verify(body, {
    'webhook-id': pick('webhook-id'),
    'webhook-timestamp': pick('webhook-timestamp'),
    'webhook-signature': pick('webhook-signature'),
  });
}

onEveryStore("an event arrives once, signed, with the webhook's headers, and is logged", async (store) => {
  await using receiver = await openReceiver((_got, response) => response.end('thanks\r\n\u001B[31mred\u0000'));
  await withSending(store, {}, async (sending) => {
    sending.start();
    const url = `${receiver.origin}/in?key=k1`;
    await sending.hook('mon_1', { url, secret: SECRET, headers: { authorization: 'Bearer b' } });
    const id = await sending.enqueue('mon_1', '{"text":"</script>{{7*7}}${jndi:x}=cmd|M\u00fchle"}');
    const record = await sending.until(id, hasEnded);
    const [got] = receiver.all;
    assert.ok(got !== undefined && receiver.all.length === 1);
    assert.deepEqual(verified(got), { text: '</script>{{7*7}}${jndi:x}=cmd|M\u00fchle' });
    assert.equal(got.path, '/in?key=k1');
    const { host: _host, connection: _connection, ...headers } = got.headers;
    assert.equal(headers['webhook-id'], record.event_id);
    assert.deepEqual(
      { ...headers, 'webhook-id': '', 'webhook-signature': '', 'webhook-timestamp': '' },
      {
        'webhook-id': '',
        'webhook-signature': '',
        'webhook-timestamp': '',
        authorization: 'Bearer b',
        'content-type': 'application/json; charset=utf-8',
        'user-agent': 'Quern-Webhooks/1.0',
        accept: '*/*',
        'accept-encoding': 'identity',
        'quern-depth': '1',
        'webhook-event': 'monitor.change_detected',
        'webhook-attempt': '1',
        'content-length': String(Buffer.byteLength(got.body)),
      },
    );
    const [tried] = record.attempts;
    assert.deepEqual(
      { ...record, attempts: [{ ...tried, duration_ms: 0 }] },
      {
        id,
        event_id: record.event_id,
        type: 'monitor.change_detected',
        monitor_id: 'mon_1',
        url: `${receiver.origin}/in?key=********`,
        status: 'succeeded',
        attempts: [
          {
            n: 1,
            at: record.created_at,
            duration_ms: 0,
            status_code: 200,
            error: null,
            response_excerpt: 'thanks [31mred',
            next_attempt_at: null,
          },
        ],
        next_attempt_at: null,
        created_at: record.created_at,
      },
    );
    assert.deepEqual(sending.reported, []);
  });
});

test('each unsuccessful answer is a failed attempt with its reason, and is retried on schedule', async () => {
  const reset = await startSocketServer((socket) => socket.resetAndDestroy());
  const stall = await startSocketServer((socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf'));
  const mute = await startSocketServer(() => undefined);
  const garbage = await startSocketServer((socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: many\r\n\r\n'));
  const huge = await startSocketServer((socket) => {
    socket.write(`HTTP/1.1 200 OK\r\ncontent-length: 900000000\r\n\r\n${'x'.repeat(100_000)}`);
  });
  const elsewhere = await openReceiver();
  const closed = await startHttpServer(() => undefined);
  await closed[Symbol.asyncDispose]();
  await using receiver = await openReceiver(({ path }, response) => {
    const status = Number(path.slice(1));
    response.writeHead(status, status === 302 ? { location: elsewhere.origin } : { 'retry-after': '90' });
    response.end('x'.repeat(5000));
  });
  const cases: readonly (readonly [string, string, number | null, number | null])[] = [
    [`${receiver.origin}/302`, 'redirect', 302, 5000],
    [`${receiver.origin}/500`, 'status', 500, 5000],
    [`${receiver.origin}/404`, 'status', 404, 5000],
    [`${receiver.origin}/503`, 'status', 503, 90_000],
    [`${receiver.origin}/429`, 'status', 429, 90_000],
    [closed.origin, 'unreachable', null, 5000],
    [reset.origin, 'unreachable', null, 5000],
    [stall.origin, 'timeout', null, 60_000],
    [mute.origin, 'timeout', null, 60_000],
    [garbage.origin, 'malformed', null, 5000],
    ['http://10.255.255.1:8080/', 'unreachable', null, 5000],
    ['https://gone.example/', 'unreachable', null, 5000],
    ['https://inner.example/', 'unreachable', null, 5000],
  ];
  try {
    // The egress guard allows the address when the webhook is set, but not when an event is sent.
    await withSending('sqlite', { attemptMs: 4000, guard: { resolve: resolveInner } }, async (sending) => {
      const early = sending.webhooks;
      for (const [at, [url]] of cases.entries()) {
        const draft = { ...early.checkInput('https://gone.example/'), url: new URL(url) };
        await sending.db.transaction(async (tx) => early.saveWebhook(tx, { tenant: TENANT, id: `mon_${at}` }, draft));
      }
      const ids: string[] = [];
      for (const at of cases.keys()) ids.push(await sending.enqueue(`mon_${at}`));
      await sending.hook('mon_huge', huge.origin);
      const large = await sending.enqueue('mon_huge');
      const sender = sending.start();
      for (const [at, [url, error, code, waitMs]] of cases.entries()) {
        const record = await sending.until(ids[at] ?? '', (found) => found.attempts.length > 0);
        const [tried] = record.attempts;
        assert.equal(record.status, 'failed', url);
        assert.equal(tried?.error, error, `${url} ${tried?.duration_ms} ms`);
        assert.equal(tried?.status_code, code, url);
        assert.equal(Date.parse(record.next_attempt_at ?? '') - sending.clock.now(), waitMs, url);
        assert.equal(tried?.next_attempt_at, record.next_attempt_at);
        assert.ok((tried?.response_excerpt ?? '').length <= 2048);
        assert.equal((await sending.webhooks.findWebhook(sending.db, `mon_${at}`))?.status, 'failing');
      }
      assert.equal((await sending.until(large, hasEnded)).status, 'succeeded');
      assert.equal(elsewhere.all.length, 0);
      // Only the operator learns that the name resolves to a private address.
      assert.deepEqual(sending.refusals.map(({ host }) => host).toSorted(), ['inner.example']);
      assert.equal(reset.connections(), 2);
      assert.equal(sender.counts().get('timeout'), 2);
      assert.deepEqual(sending.reported, []);
    });
  } finally {
    for (const server of [reset, stall, mute, garbage, huge, elsewhere]) await server[Symbol.asyncDispose]();
  }
});

test('a failed delivery keeps its id over its attempts, heals the webhook, and ends exhausted after ten', async () => {
  let isWell = false;
  await using receiver = await openReceiver((_got, response) => response.writeHead(isWell ? 204 : 500).end());
  await withSending('sqlite', {}, async (sending) => {
    sending.start();
    await sending.hook('mon_1', { url: receiver.origin, secret: SECRET });
    const id = await sending.enqueue('mon_1');
    for (let n = 1; n <= 10; n += 1) {
      const record = await sending.until(id, (found) => found.attempts.length === n);
      assert.equal(record.status, n < 10 ? 'failed' : 'exhausted');
      if (record.next_attempt_at !== null) sending.clock.set(record.next_attempt_at);
    }
    const ids = new Set(receiver.all.map((got) => got.headers['webhook-id']));
    assert.deepEqual([...ids], [(await sending.log.find(TENANT, id)).event_id]);
    assert.deepEqual(
      receiver.all.map((got) => got.headers['webhook-attempt']),
      Array.from({ length: 10 }, (_, at) => String(at + 1)),
    );
    isWell = true;
    const sent = await sending.log.redeliver(TENANT, id);
    assert.equal(sent.event_id, [...ids][0]);
    assert.notEqual(sent.status, 'failed', 'no attempt of its new round has failed');
    const again = await sending.until(id, (found) => found.status === 'succeeded');
    assert.equal(again.attempts.length, 11);
    assert.equal((await sending.webhooks.findWebhook(sending.db, 'mon_1'))?.status, 'active');
    assert.equal((await captureFailure(async () => sending.log.redeliver('ten_2', id))).code, 'not_found');
  });
});

onEveryStore(
  'a receiver that answers 410 is disabled at once, and gets waiting events when it is set again',
  async (store) => {
    let status = 410;
    await using receiver = await openReceiver((_got, response) => response.writeHead(status).end());
    await withSending(store, {}, async (sending) => {
      await sending.hook('mon_1', receiver.origin);
      const [first, second] = [await sending.enqueue('mon_1'), await sending.enqueue('mon_1')];
      sending.start();
      for (const id of [first, second]) {
        assert.equal((await sending.until(id, hasEnded)).status, 'suspended');
      }
      assert.equal(receiver.all.length, 1);
      assert.equal((await sending.webhooks.findWebhook(sending.db, 'mon_1'))?.status, 'disabled');
      await assert.rejects(sending.enqueue('mon_1'), /no webhook/);
      assert.match(
        (await captureFailure(async () => sending.log.redeliver(TENANT, first))).message,
        /deleted or disabled/,
      );
      assert.match((await captureFailure(async () => sending.log.test(TENANT, 'mon_1'))).message, /is disabled/);
      status = 200;
      const draft = sending.webhooks.checkInput({ events: null });
      const owner = { tenant: TENANT, id: 'mon_1' };
      await sending.db.transaction(async (tx) => sending.webhooks.patchWebhook(tx, owner, draft));
      for (const id of [first, second]) await sending.until(id, (found) => found.status === 'succeeded');
    });
  },
);

test('a receiver that failed for five days is disabled, and one success resets the count', async () => {
  let status = 500;
  await using receiver = await openReceiver((_got, response) => response.writeHead(status).end());
  await withSending('sqlite', {}, async (sending) => {
    sending.start();
    await sending.hook('mon_1', receiver.origin);
    const readStatus = async () => (await sending.webhooks.findWebhook(sending.db, 'mon_1'))?.status;
    const sendOne = async () => {
      const id = await sending.enqueue('mon_1');
      await sending.until(id, (found) => found.attempts.length > 0);
      // The remaining deliveries would be sent too, in any order.
      await sending.db.query("update deliveries set status = 'cancelled' where id = $1", [id]);
    };
    await sendOne();
    sending.clock.pass(5 * DAY_MS - 1);
    await sendOne();
    assert.equal(await readStatus(), 'failing');
    status = 200;
    await sendOne();
    assert.equal(await readStatus(), 'active');
    status = 500;
    sending.clock.pass(DAY_MS);
    await sendOne();
    sending.clock.pass(5 * DAY_MS);
    assert.equal(await readStatus(), 'failing');
    await sendOne();
    assert.equal(await readStatus(), 'disabled');
  });
});

test('the service itself cannot be a receiver, neither when a webhook is set nor when an event is sent', async () => {
  await using service = await openReceiver();
  const own = { host: '127.0.0.1', port: Number(new URL(service.origin).port) };
  const endpoints: (typeof own)[] = [];
  await withSending('sqlite', { guard: { own: endpoints } }, async (sending) => {
    sending.start();
    const url = `${service.origin}/v1/monitors/mon_1/trigger`;
    await sending.hook('mon_1', url);
    endpoints.push(own);
    assert.match((await captureFailure(() => sending.webhooks.checkInput(url))).message, /is this service itself/);
    const id = await sending.enqueue('mon_1');
    const record = await sending.until(id, (found) => found.attempts.length > 0);
    assert.equal(record.attempts[0]?.error, 'unreachable');
    assert.equal(service.all.length, 0);
  });
});

test('a hundred monitors of one dead receiver use at most four connections and delay nobody', async () => {
  await using dead = await startSocketServer(() => undefined);
  await using alive = await openReceiver();
  await withSending('sqlite', { attemptMs: 20_000 }, async (sending) => {
    for (let at = 0; at < 100; at += 1) await sending.hook(`mon_dead${at}`, `${dead.origin}/${at}`);
    await sending.hook('mon_alive', alive.origin);
    for (let at = 0; at < 100; at += 1) await sending.enqueue(`mon_dead${at}`);
    sending.start(false);
    const ids: string[] = [];
    for (let at = 0; at < 20; at += 1) ids.push(await sending.enqueue('mon_alive'));
    for (const id of ids) await sending.until(id, (found) => found.status === 'succeeded');
    assert.ok(dead.connections() >= 1 && dead.connections() <= 4, String(dead.connections()));
    assert.equal(alive.all.length, 20);
  });
});

onEveryStore('a receiver that hangs delays no other URL of its host, of whatever tenant', async (store) => {
  await using receiver = await openReceiver(({ path }, response) => {
    if (!path.startsWith('/hangs')) response.end();
  });
  await withSending(store, { attemptMs: 29_000 }, async (sending) => {
    await sending.hook('mon_stuck', `${receiver.origin}/hangs`);
    await sending.hook('mon_1', `${receiver.origin}/answers`);
    await sending.hook('mon_2', `${receiver.origin}/answers`, 'ten_2');
    const stuck = await sending.enqueue('mon_stuck');
    sending.start();
    await sending.until(stuck, ({ status }) => status === 'delivering');
    await sending.until(await sending.enqueue('mon_1'), hasEnded);
    await sending.until(await sending.enqueue('mon_2'), hasEnded, 'ten_2');
    assert.equal((await sending.log.find(TENANT, stuck)).status, 'delivering');
  });
});

onEveryStore('hanging URLs of one tenant do not block another tenant at the same host', async (store) => {
  await using receiver = await openReceiver(({ path }, response) => {
    if (!path.startsWith('/hangs')) response.end();
  });
  await withSending(store, { attemptMs: 29_000 }, async (sending) => {
    for (const tenant of [TENANT, 'ten_2', 'ten_3']) {
      for (let at = 0; at < 30; at += 1) {
        await sending.hook(`mon_${tenant}_${at}`, `${receiver.origin}/hangs/${at}`, tenant);
        await sending.enqueue(`mon_${tenant}_${at}`);
      }
    }
    await sending.hook('mon_4', `${receiver.origin}/answers`, 'ten_4');
    sending.start();
    while (receiver.all.length < 9) await sending.notifications.next('nothing', 20, new AbortController().signal);
    for (let at = 0; at < 3; at += 1) {
      await sending.until(await sending.enqueue('mon_4'), ({ status }) => status === 'succeeded', 'ten_4');
    }
    assert.equal(receiver.all.filter(({ path }) => path.startsWith('/hangs')).length, 9);
  });
});

test('an endpoint that gets stuck has at most four concurrent deliveries', async () => {
  let isStuck = false;
  let most = 0;
  let now = 0;
  await using receiver = await openReceiver((_got, response) => {
    now += 1;
    most = Math.max(most, now);
    response.once('close', () => (now -= 1));
    if (!isStuck) response.end();
  });
  await withSending('sqlite', { attemptMs: 3000 }, async (sending) => {
    const sender = sending.start();
    await sending.hook('mon_1', receiver.origin);
    await sending.until(await sending.enqueue('mon_1'), (found) => found.status === 'succeeded');
    isStuck = true;
    await Promise.all(Array.from({ length: 30 }, async () => sending.enqueue('mon_1')));
    // The receiver sees the end of a connection later than the sender, which may have the next one by then.
    let seen = 0;
    while (!sender.counts().has('timeout')) {
      seen = most;
      await sending.notifications.next('nothing', 20, new AbortController().signal);
    }
    assert.ok(seen >= 2 && seen <= 4, String(seen));
  });
});

onEveryStore(
  'deliveries of a killed sender are sent again with the same id, and its late end is ignored',
  async (store) => {
    const arrived: IncomingMessage[] = [];
    await using receiver = await startHttpServer((request, response) => {
      arrived.push(request);
      if (arrived.length > 1) response.end();
    });
    await withSending(store, {}, async (sending) => {
      await sending.hook('mon_1', receiver.origin);
      const id = await sending.enqueue('mon_1');
      // Claimed as by a process that died before it wrote the outcome.
      const [claimed] = await sending.rows.claim(1, () => 1);
      assert.ok(claimed !== undefined);
      assert.equal((await sending.log.find(TENANT, id)).status, 'delivering');
      const killed = fetch(receiver.origin, { method: 'POST', headers: { 'webhook-id': claimed.event_id } });
      while (arrived.length === 0) await once(process, 'never', { signal: AbortSignal.timeout(10) }).catch(() => null);
      if (store === 'postgres') {
        // On PostgreSQL other processes may be alive, so only the end of the lease shows that it is dead.
        await sending.rows.recover('dead');
        assert.equal((await sending.log.find(TENANT, id)).status, 'delivering');
        sending.clock.pass(30_001);
        await sending.rows.recover('dead');
      }
      sending.start(store === 'sqlite');
      await sending.until(id, (found) => found.status === 'succeeded');
      assert.deepEqual(
        arrived.map((request) => request.headers['webhook-id']),
        [claimed.event_id, claimed.event_id],
      );
      const late = { claimed, status: 'pending', dueAt: 0, attempt: null, isGone: false } as const;
      await sending.endDeliveries([late]);
      assert.equal((await sending.log.find(TENANT, id)).status, 'succeeded');
      killed.catch(() => undefined);
    });
  },
);

test('a test is sent once regardless of the event filter, and does not affect the health of the webhook', async () => {
  await using receiver = await openReceiver((_got, response) => response.writeHead(500).end());
  await withSending('sqlite', {}, async (sending) => {
    sending.start();
    await sending.hook('mon_1', { url: receiver.origin, secret: SECRET, events: ['monitor.digest'] });
    const { id, type } = await sending.log.test(TENANT, 'mon_1');
    assert.equal(type, 'webhook.test');
    assert.equal((await sending.until(id, hasEnded)).status, 'exhausted');
    assert.equal((await sending.webhooks.findWebhook(sending.db, 'mon_1'))?.status, 'active');
    const [got] = receiver.all;
    assert.ok(got !== undefined);
    assert.match(JSON.stringify(verified(got)), /"type":"webhook\.test"/);
    assert.equal((await captureFailure(async () => sending.log.test('ten_2', 'mon_1'))).code, 'not_found');
  });
});

onEveryStore('the number of tests per day is limited, and a delivery keeps its last attempts', async (store) => {
  await using receiver = await openReceiver();
  await withSending(store, {}, async (sending) => {
    await sending.hook('mon_1', receiver.origin);
    sending.start();
    const { id } = await sending.log.test(TENANT, 'mon_1');
    await sending.until(id, hasEnded);
    for (let n = 2; n <= 53; n += 1) {
      await sending.log.redeliver(TENANT, id);
      await sending.until(id, ({ attempts }) => attempts.at(-1)?.n === n);
      await sending.until(id, hasEnded);
    }
    const kept = await sending.db.query('select n from delivery_attempts where delivery_id = $1 order by n', [id]);
    assert.deepEqual(
      kept.map((row) => row['n']),
      Array.from({ length: 50 }, (_, at) => at + 4),
    );
    for (let n = 2; n <= 100; n += 1) await sending.log.test(TENANT, 'mon_1');
    assert.equal((await captureFailure(async () => sending.log.test(TENANT, 'mon_1'))).code, 'rate_limited');
    sending.clock.pass(DAY_MS + 1000);
    await sending.log.test(TENANT, 'mon_1');
  });
});
