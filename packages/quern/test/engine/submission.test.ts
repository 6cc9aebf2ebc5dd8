import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildFailure } from '#access/failure.ts';
import type { Visit } from '#access/page.ts';
import { STORE_KINDS } from '#store/db.ts';
import { runClaimed } from '../support/engine/queue.ts';
import { brings, type GateOptions, isBlocked, isLate, withGate } from './gate.ts';

/** Sends the request as a tier does, before it gets a result. */
function sends(visit: Visit): Visit {
  return async (request, signal) => {
    await request.submission?.once?.beforeSend();
    return visit(request, signal);
  };
}

const isLost: Visit = async () => {
  throw buildFailure('unreachable', 'the target could not be reached');
};

const ORDER = { method: 'POST', body: { json: { grain: 'rye' } } };
const KEYED = { ...ORDER, headers: { 'Idempotency-Key': 'rye-1' } };

test('inputs that do not fit the method are refused with the name of the parameter', async () => {
  const text = { text: 'rye', content_type: 'text/plain' };
  const refused: readonly (readonly [Readonly<Record<string, unknown>>, RegExp])[] = [
    [{ body: { json: {} } }, /^body: cannot be sent with GET; set method to POST/],
    [{ method: 'HEAD' }, /^method: /],
    [{ ...ORDER, max_age_ms: 1 }, /^max_age_ms: cannot be used with method POST/],
    [{ ...ORDER, body: {} }, /^body: must have exactly one of json, form and text/],
    [{ ...ORDER, body: { ...text, json: [] } }, /^body: must have exactly one/],
    [{ ...ORDER, body: { text: 'rye' } }, /^body: text needs content_type/],
    [{ ...ORDER, body: { ...text, content_type: 'text' } }, /^body\.content_type: must be a media type/],
    [{ ...ORDER, body: { ...text, content_type: 'text/a;\r\nx: y' } }, /^body\.content_type: must be a media type/],
    [{ ...ORDER, body: { json: 'rye' } }, /^body\.json: /],
    [{ ...ORDER, body: { ...text, text: 'é'.repeat(2 ** 19) + 'e' } }, /^body: is larger than 1 MiB/],
    [{ ...ORDER, headers: { 'Content-Type': 'text/plain' } }, /^headers: use body\.content_type/],
    [{ ...ORDER, wait_ms: 1000 }, /^method: POST is sent without a browser/],
    [{ ...ORDER, output: ['screenshot'] }, /^method: POST is sent without a browser/],
    [{ ...ORDER, proxy: 'stealth' }, /^proxy: stealth uses a browser/],
    [{ insecure_tls: true }, /^insecure_tls: .*QUERN_ALLOW_INSECURE_TLS=on/],
  ];
  await withGate({ tierVisits: { http: brings() } }, async ({ fetch, visits }) => {
    for (const [raw, message] of refused) {
      const { code, error } = await fetch(raw);
      assert.equal(code, 'invalid_request', JSON.stringify(raw));
      assert.match(error?.message ?? '', message);
    }
    assert.equal(visits.length, 0);
  });
});

test('json, form and text are sent with their content types, never from the cache', async () => {
  await withGate({ tierVisits: { http: brings() } }, async ({ fetch, visits }) => {
    const bodies = [
      { json: [1, { a: 'é' }] },
      { json: {}, content_type: 'application/vnd.api+json' },
      { form: { 'a b': 'c&d', é: '' } },
      { text: '<rye/>', content_type: 'text/xml; charset=utf-8' },
    ];
    await fetch({});
    for (const body of bodies) assert.equal((await fetch({ method: 'PATCH', body })).code, 'ok');
    assert.equal((await fetch({ method: 'DELETE' })).code, 'ok');
    assert.deepEqual(
      visits.map(({ submission }) => [submission?.method, submission?.body, submission?.contentType]),
      [
        [undefined, undefined, undefined],
        ['PATCH', '[1,{"a":"é"}]', 'application/json'],
        ['PATCH', '{}', 'application/vnd.api+json'],
        ['PATCH', 'a+b=c%26d&%C3%A9=', 'application/x-www-form-urlencoded'],
        ['PATCH', '<rye/>', 'text/xml; charset=utf-8'],
        ['DELETE', null, null],
      ],
    );
    // The answer of a PATCH has not replaced the page in the cache.
    const { answer } = await fetch({ max_age_ms: 60_000 });
    assert.deepEqual(answer?.body['cache'], { hit: true, age_ms: 0 });
  });
});

/** Tiers of which each first one fails in another way. */
const FAILING: readonly (readonly [string, GateOptions['tierVisits'], string])[] = [
  ['a block', { http: sends(isBlocked), proxy: sends(brings()) }, 'target_blocked'],
  ['a timeout', { http: sends(isLate), proxy: sends(brings()) }, 'timeout'],
  ['an empty 503', { http: sends(brings({ status: 503, text: '' })), proxy: sends(brings()) }, 'target_unreachable'],
  ['a lost connection', { http: sends(isLost), proxy: sends(brings()) }, 'target_unreachable'],
];

for (const [name, tierVisits = {}, code] of FAILING) {
  test(`after ${name} a request is not sent again, and the error says so and is stored for its key`, async () => {
    await withGate({ tierVisits }, async ({ fetch, visits }) => {
      const failed = await fetch(ORDER, { key: 'once' });
      assert.deepEqual([failed.code, failed.error?.retryable, visits.length], [code, false, 1]);
      assert.match(failed.error?.message ?? '', /; the target may have got the POST, which is not sent again$/);
      await fetch(ORDER, { key: 'once' });
      assert.equal(visits.length, 1);
    });
  });
}

test('with an Idempotency-Key for the target, and before it is sent, a request goes on to the next tier', async () => {
  await withGate({ tierVisits: { http: sends(isBlocked), proxy: sends(brings()) } }, async ({ fetch, visits }) => {
    assert.equal((await fetch(KEYED)).answer?.usage?.tier, 'proxy');
    assert.equal(visits.length, 2);
  });
  await withGate({ tierVisits: { http: isLate, browser: brings(), proxy: sends(brings()) } }, async ({ fetch }) => {
    assert.equal((await fetch(ORDER)).answer?.usage?.tier, 'proxy');
  });
});

test('a caller that disconnects after the request was sent does not send it again with the same key', async () => {
  const leave = new AbortController();
  const http = sends(async () => {
    leave.abort(new Error('gone'));
    return brings()({ url: new URL('https://mill.example/'), headers: {}, cookies: [] }, leave.signal);
  });
  await withGate({ tierVisits: { http } }, async ({ fetch, visits }) => {
    assert.equal((await fetch(ORDER, { key: 'once', signal: leave.signal })).code, 'timeout');
    await fetch(ORDER, { key: 'once' });
    assert.equal(visits.length, 1);
  });
});

for (const store of STORE_KINDS) {
  test(`${store}: a job sends its request once, whether it fails or its worker dies`, async () => {
    const died = Promise.withResolvers<never>();
    const third = Promise.withResolvers<void>();
    let sent = 0;
    const http: Visit = async (request, signal) => {
      await request.submission?.once?.beforeSend();
      sent += 1;
      if (sent === 1) return brings()(request, signal);
      if (sent === 2) throw buildFailure('timeout', 'the target took too long');
      third.resolve();
      return died.promise;
    };
    await withGate({ store, tierVisits: { http } }, async (gate) => {
      const { jobs, leases } = gate.queue;
      const run = async () => {
        await gate.fetch({ ...ORDER, timeout_ms: 100_000 });
        const [claimed] = await leases.claim('w1', 1);
        assert.ok(claimed);
        return claimed;
      };
      const read = async (id: string) => {
        const { record } = await jobs.read(gate.tenant, id);
        return [record.status, record.attempt, record.error?.message ?? null] as const;
      };
      const good = await run();
      assert.equal(await runClaimed(gate, good), 'ok');
      assert.deepEqual(await read(good.row.id), ['completed', 1, null]);
      const failing = await run();
      assert.equal(await runClaimed(gate, failing), 'timeout');
      const [status, attempt, message] = await read(failing.row.id);
      assert.deepEqual([status, attempt], ['failed', 1]);
      assert.match(message ?? '', /may have got the POST, which is not sent again/);
      const dying = await run();
      const running = runClaimed(gate, dying);
      await third.promise;
      await leases.recover('w1', async () => gate.plan);
      const [end, attempts, says] = await read(dying.row.id);
      assert.deepEqual([end, attempts], ['failed', 1]);
      assert.match(says ?? '', /stopped after its first action, which may have reached the target/);
      died.reject(buildFailure('timeout', 'the worker is gone'));
      assert.equal(await running, 'lost');
      assert.deepEqual(await leases.claim('w1', 1), []);
    });
  });
}
