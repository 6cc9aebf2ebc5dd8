import assert from 'node:assert/strict';
import test from 'node:test';
import { array, assert as check, constantFrom, nat, property, record } from 'fast-check';
import {
  computeHealthAfterResult,
  computeHealthAfterUse,
  type ExitResult,
  type ProxyHealth,
  isAvailable,
  MAX_HOLD_MS,
  HEALTHY,
} from '#access/proxy/proxy-health.ts';
import { createProxyPool, type TakeOptions } from '#access/proxy/proxy-pool.ts';
import { parseProxies } from '#kernel/proxy-urls.ts';
import { captureFailure } from '#testkit/visitor.ts';
import { clockAt } from '../support/clock.ts';

const MINUTE = 60_000;

/** A pool with a clock that the test sets. */
function openPool(list: string) {
  const templates = parseProxies(list);
  if (typeof templates === 'string') throw new Error(templates);
  const clock = { at: 1_000 };
  let drawn = 0;
  const pool = createProxyPool({
    templates,
    setting: 'QUERN_PROXIES_RESIDENTIAL',
    clock: clockAt(() => clock.at),
    random: () => {
      drawn += 1;
      return drawn === 1 ? 0 : (drawn * 0.618) % 1;
    },
    isOpened: ({ hostname }) => hostname === 'own.test',
  });
  const take = (host: string, options: Partial<TakeOptions> = {}) =>
    pool.take(host, { tenant: 'mill', country: null, excludedKeys: [], ...options });
  return {
    clock,
    take,
    /** The exit that a host gets. */
    keyFor: (host: string, options: Partial<TakeOptions> = {}) => take(host, options)?.upstream.key ?? null,
    nameFor: (host: string, options: Partial<TakeOptions> = {}) => take(host, options)?.upstream.name ?? null,
  };
}

test('sites are distributed over the proxies', () => {
  const { nameFor } = openPool('http://a:1,http://b:1,http://c:1');
  const seen = ['one.test', 'two.test', 'three.test', 'four.test'].map((host) => nameFor(host));
  assert.deepEqual(seen, ['http://a:1', 'http://b:1', 'http://c:1', 'http://a:1']);
});

test('all hosts of a site keep one exit for ten minutes, separately per country', () => {
  const { clock, keyFor } = openPool('http://u-{session}-{country=us}:p@a:1');
  const first = keyFor('www.shop.co.uk');
  assert.equal(keyFor('cdn.shop.co.uk'), first);
  assert.notEqual(keyFor('other.co.uk'), first);
  const german = keyFor('shop.co.uk', { country: 'de' });
  assert.notEqual(german, first);
  clock.at += 10 * MINUTE - 1;
  assert.equal(keyFor('shop.co.uk'), first);
  assert.equal(keyFor('shop.co.uk', { country: 'de' }), german);
  clock.at += 1;
  assert.notEqual(keyFor('shop.co.uk'), first);
});

test('used exits are not offered again, and other proxies come before other sessions, until none is left', () => {
  const { keyFor, nameFor } = openPool('http://u-{session}:p@a:1,http://b:1');
  const first = keyFor('shop.test') ?? '';
  assert.equal(nameFor('shop.test', { excludedKeys: [first] }), 'http://b:1');
  const second = keyFor('shop.test', { excludedKeys: [first] }) ?? '';
  const third = keyFor('shop.test', { excludedKeys: [first, second] }) ?? '';
  assert.equal(new Set([first, second, third]).size, 3);
  const { keyFor: keyOfOne } = openPool('http://a:1');
  assert.equal(keyOfOne('shop.test', { excludedKeys: [keyOfOne('shop.test') ?? ''] }), null);
});

test('after a failure of an exit, the next visit of the site uses another one', () => {
  const { take, keyFor } = openPool('http://u-{session}:p@a:1');
  const lease = take('shop.test');
  lease?.report('unclear');
  assert.notEqual(keyFor('shop.test'), lease?.upstream.key);
});

test('a country is served only by proxies that support countries; without one the setting is named', async () => {
  const { nameFor } = openPool('http://a:1,http://u-{country}:p@b:1');
  assert.equal(nameFor('one.test', { country: 'de' }), 'http://b:1');
  assert.equal(nameFor('two.test', { country: 'de' }), 'http://b:1');
  assert.deepEqual(
    ['three.test', 'four.test'].map((host) => nameFor(host)),
    ['http://a:1', 'http://a:1'],
  );
  const error = await captureFailure(() => openPool('http://a:1').take('one.test', { country: 'de' }));
  assert.equal(error.code, 'backend_unavailable');
  assert.equal(error.message, 'country de: no proxy of QUERN_PROXIES_RESIDENTIAL has the placeholder {country}');
});

test('a proxy is held after failures at three sites or one refusal, and then probed once', async () => {
  const { clock, take, nameFor } = openPool('http://a:1,http://b:1');
  for (const [host, result] of [
    ['one.test', 'fault'],
    ['two.test', 'refused'],
    ['three.test', 'fault'],
  ] as const) {
    take(host)?.report(result);
  }
  assert.equal(nameFor('four.test'), 'http://a:1', 'two faults are not enough');
  take('four.test')?.report('fault');
  const error = await captureFailure(() => take('five.test'));
  assert.equal(error.code, 'backend_unavailable');
  assert.equal(error.message, 'the proxies of QUERN_PROXIES_RESIDENTIAL are failing');
  clock.at += 15_000;
  const probe = take('five.test');
  assert.equal(probe?.upstream.name, 'http://a:1');
  await captureFailure(() => take('six.test'));
  probe?.report('ok');
  assert.equal(nameFor('six.test'), 'http://a:1');
  clock.at += MINUTE;
  assert.equal(nameFor('seven.test'), 'http://b:1');
});

test('failures that targets can cause hold a proxy only for the tenant with failures at three sites', async () => {
  const { clock, take } = openPool('http://a:1');
  for (const site of ['one.test', 'www.one.test', 'one.test', 'two.test']) take(site)?.report('doubtful');
  assert.notEqual(take('four.test'), null, 'two sites are not enough');
  take('three.test')?.report('doubtful');
  const error = await captureFailure(() => take('four.test'));
  assert.equal(error.message, 'the proxies of QUERN_PROXIES_RESIDENTIAL are failing');
  const other = take('four.test', { tenant: 'inn' });
  other?.report('ok');
  await captureFailure(() => take('five.test'));
  clock.at += 15_000;
  take('five.test')?.report('ok');
  assert.notEqual(take('six.test'), null);
});

test('a proxy that fails at a single site is not held, and one success resets the count', () => {
  const { take } = openPool('http://a:1');
  for (let n = 0; n < 9; n += 1) take('one.test')?.report('fault');
  take('two.test')?.report('fault');
  take('two.test')?.report('ok');
  for (const site of ['three.test', 'four.test']) take(site)?.report('fault');
  assert.notEqual(take('five.test'), null);
});

test('a refused country holds a proxy only for the tenant that requested it', async () => {
  const { take } = openPool('http://u-{country=us}:p@a:1');
  take('one.test', { country: 'zz' })?.report('refused');
  await captureFailure(() => take('two.test'));
  assert.notEqual(take('two.test', { tenant: 'inn' }), null);
  take('two.test', { tenant: 'inn' })?.report('refused');
  await captureFailure(() => take('two.test', { tenant: 'smithy' }));
});

test('a probe that ends without contacting the proxy lets another visit probe it', async () => {
  const { clock, take } = openPool('http://a:1');
  for (const site of ['one.test', 'two.test', 'three.test']) take(site)?.report('fault');
  clock.at += 15_000;
  const probe = take('one.test', { tenant: 'inn' });
  await captureFailure(() => take('four.test'));
  probe?.leave();
  const next = take('four.test');
  next?.report('doubtful');
  assert.notEqual(take('five.test', { tenant: 'inn' }), null, 'a doubtful probe tells others nothing');
});

test('failures of one tenant at a site do not change the exit of another', () => {
  const { take, keyFor } = openPool('http://u-{session}:p@a:1');
  const first = keyFor('shop.test');
  take('shop.test', { tenant: 'inn' })?.report('doubtful');
  assert.equal(keyFor('shop.test'), first);
});

test('a connection refused by the proxy of another host is reported to the pool separately', async () => {
  const { take } = openPool('http://127.0.0.1:1');
  const url = new URL('http://shop.test/');
  const address = { address: '93.184.216.34', family: 4 } as const;
  for (let n = 0; n < 3; n += 1) {
    await captureFailure(async () => take(`s${n}.test`)?.upstream.open(url, [address], AbortSignal.timeout(5_000)));
  }
  assert.match((await captureFailure(() => take('last.test'))).message, /are failing/);
});

test('a held proxy is never used, has at most one probe, and is released within ten minutes', () => {
  const results: readonly ExitResult[] = ['ok', 'fault', 'doubtful', 'refused', 'unclear'];
  const step = record({
    waitMs: nat({ max: 200_000 }),
    result: constantFrom(...results, null),
    site: constantFrom('a', 'b', 'c', 'd'),
  });
  check(
    property(array(step, { maxLength: 60 }), (steps) => {
      let health: ProxyHealth = HEALTHY;
      let now = 1;
      for (const { waitMs, result, site } of steps) {
        now += waitMs;
        if (isAvailable(health, now)) {
          const held = health.heldUntil !== 0;
          health = computeHealthAfterUse(health, now);
          assert.equal(isAvailable(health, now), !held);
          if (result !== null) health = computeHealthAfterResult(health, { result, site }, now);
          if (result === 'ok') assert.deepEqual(health, HEALTHY);
          if (result === 'refused') assert.ok(!isAvailable(health, now));
        }
        assert.ok(health.heldUntil <= now + MAX_HOLD_MS);
        assert.ok(isAvailable(health, now + MAX_HOLD_MS));
      }
    }),
  );
});

test('holds grow from 15 seconds to ten minutes, and one good answer ends them', () => {
  let health: ProxyHealth = HEALTHY;
  let now = 0;
  const holds = [];
  for (let n = 0; n < 10; n += 1) {
    health = computeHealthAfterResult(health, { result: 'fault', site: `${n}.test` }, now);
    if (health.heldUntil === 0) continue;
    holds.push(health.heldUntil - now);
    now = health.heldUntil;
    health = computeHealthAfterUse(health, now);
  }
  assert.deepEqual(
    holds,
    [15, 30, 60, 120, 240, 480, 600, 600].map((seconds) => seconds * 1_000),
  );
  assert.deepEqual(computeHealthAfterResult(health, { result: 'ok', site: 'a.test' }, now), HEALTHY);
});
