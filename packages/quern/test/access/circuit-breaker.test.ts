import assert from 'node:assert/strict';
import test from 'node:test';
import * as fc from 'fast-check';
import {
  admitCall,
  recordCall,
  type Breaker,
  createBreakers,
  CLOSED_BREAKER,
  type TierCall,
  type TierCallResult,
  toCallResult,
  findAuthor,
  type OutcomeAuthor,
} from '#access/tiers/circuit-breaker.ts';
import { type Outcome, OUTCOMES } from '#access/page.ts';
import { clockAt } from '#support/clock.ts';

const RESULTS: readonly TierCallResult[] = ['worked', 'fault', 'unknown'];
const SOURCES = ['mill', 'inn', 'smithy'];

/** The given number of calls with a result, by alternating sources. */
const times = (count: number, result: TierCallResult, sources = SOURCES): readonly TierCall[] =>
  Array.from({ length: count }, (_, at) => ({ source: sources[at % sources.length] ?? '', result }));

/** The breaker after calls at one moment, each admitted first. */
function after(calls: readonly TierCall[], { from = CLOSED_BREAKER, now = 0 }: { from?: Breaker; now?: number } = {}) {
  return calls.reduce((breaker, call) => recordCall(admitCall(breaker, call.source, now).breaker, call, now), from);
}

/** An outcome and reason, its cause, and the result for the tier. */
const AUTHORS: readonly (readonly [Outcome, reason: string | undefined, OutcomeAuthor, TierCallResult])[] = [
  ['ok', undefined, 'target', 'worked'],
  ['thin', undefined, 'target', 'worked'],
  ['thin', 'framework', 'target', 'worked'],
  ['js_required', undefined, 'target', 'worked'],
  ['challenge', 'cloudflare', 'target', 'worked'],
  ['blocked', undefined, 'target', 'worked'],
  ['rate_limited', undefined, 'target', 'worked'],
  ['auth_required', undefined, 'target', 'worked'],
  ['geo_or_legal', undefined, 'target', 'worked'],
  ['not_found', undefined, 'target', 'worked'],
  ['http_error', undefined, 'target', 'worked'],
  ['unreachable', 'connection_refused', 'target', 'worked'],
  ['tls_error', 'cert_has_expired', 'target', 'worked'],
  ['too_large', 'decoded_bytes', 'target', 'worked'],
  ['unusable', 'protocol', 'target', 'worked'],
  ['timeout', undefined, 'unclear', 'unknown'],
  ['timeout', 'render', 'unclear', 'unknown'],
  ['timeout', 'wait_for_selector', 'caller', 'unknown'],
  ['proxy_error', undefined, 'machine', 'fault'],
  ['proxy_error', 'proxy_unreachable', 'machine', 'fault'],
  ['proxy_error', 'proxy_auth', 'machine', 'fault'],
  ['proxy_error', 'proxy_malformed', 'machine', 'fault'],
  ['proxy_error', 'all_held', 'machine', 'fault'],
  ['proxy_error', 'held_for_tenant', 'unclear', 'unknown'],
  ['proxy_error', 'proxy_refused', 'unclear', 'unknown'],
  ['proxy_error', 'proxy_timeout', 'unclear', 'unknown'],
  ['proxy_error', 'proxy_closed', 'unclear', 'unknown'],
  ['proxy_error', 'proxy_failed', 'unclear', 'unknown'],
  ['proxy_error', 'exit_unreached', 'target', 'worked'],
  ['render_failed', undefined, 'machine', 'fault'],
  ['render_failed', 'crash', 'machine', 'fault'],
  ['render_failed', 'start', 'machine', 'fault'],
  ['render_failed', 'constructor', 'machine', 'fault'],
  ['render_failed', 'error_page', 'target', 'worked'],
];

for (const [outcome, reason, author, result] of AUTHORS) {
  const name = reason === undefined ? outcome : `${outcome} by ${reason}`;
  test(`${name}: caused by ${author}, with the tier result ${result}`, () => {
    assert.deepEqual([findAuthor(outcome, reason), toCallResult(outcome, reason)], [author, result]);
  });
}

test('each outcome is in the table, and a cancelled call does not count', () => {
  const rows = new Set(AUTHORS.map(([outcome]) => outcome));
  assert.deepEqual([...rows].toSorted(), [...OUTCOMES].toSorted());
  assert.equal(toCallResult(null), 'unknown');
});

test('a tier is disabled from the fiftieth call on if four in five failed', () => {
  assert.equal(after(times(49, 'fault')).phase, 'closed');
  assert.equal(after(times(50, 'fault')).phase, 'open');
  assert.equal(after([...times(11, 'worked'), ...times(43, 'fault')]).phase, 'closed');
  assert.equal(after([...times(12, 'worked'), ...times(51, 'fault')]).phase, 'open');
});

test('only the last hundred calls count', () => {
  assert.equal(after([...times(501, 'worked'), ...times(78, 'fault')]).phase, 'closed');
  assert.equal(after([...times(501, 'worked'), ...times(84, 'fault')]).phase, 'open');
});

test('any number of failures of a single source does not open the breaker', () => {
  assert.equal(after(times(500, 'fault', ['mill'])).phase, 'closed');
  assert.equal(after([...times(2, 'fault', ['inn']), ...times(90, 'fault', ['mill'])]).phase, 'closed');
  assert.equal(after([...times(3, 'fault', ['inn']), ...times(90, 'fault', ['mill'])]).phase, 'open');
});

test('a source with successful calls keeps a tier available despite any number of failures of others', () => {
  const working = times(3, 'worked', ['inn']);
  assert.equal(after([...working, ...times(97, 'fault', ['mill', 'smithy'])]).phase, 'closed');
});

test('after the pause five trials run, at most two per source, and their success restores the tier', () => {
  const open = after(times(50, 'fault'));
  assert.equal(admitCall(open, 'mill', 4_999).admitted, false);
  let trying = open;
  const admitted: boolean[] = [];
  for (const source of ['mill', 'mill', 'mill', 'inn', 'inn', 'smithy', 'smithy']) {
    const admission = admitCall(trying, source, 5_000);
    trying = admission.breaker;
    admitted.push(admission.admitted);
  }
  assert.deepEqual(admitted, [true, true, false, true, true, true, false]);
  const back = ['mill', 'mill', 'inn', 'inn', 'smithy'].reduce(
    (breaker, source) => recordCall(breaker, { source, result: 'worked' }, 6_000),
    trying,
  );
  assert.deepEqual(back, CLOSED_BREAKER);
});

test('failed trials of two sources double the pause, up to a minute', () => {
  let breaker = after(times(50, 'fault'));
  const pauses: number[] = [];
  for (let round = 0, now = 0; round < 6; round++) {
    if (breaker.phase !== 'open') throw new Error('it is not open');
    pauses.push(breaker.pauseMs);
    now = breaker.until;
    breaker = after(times(2, 'fault'), { from: breaker, now });
  }
  assert.deepEqual(pauses, [5_000, 10_000, 20_000, 40_000, 60_000, 60_000]);
});

test('failed trials of one source neither extend the pause nor block trials of others', () => {
  const open = after(times(50, 'fault'));
  const tried = after(times(20, 'fault', ['mill']), { from: open, now: 5_000 });
  assert.equal(tried.phase, 'trying');
  assert.deepEqual(after(times(5, 'worked', ['inn']), { from: tried, now: 5_000 }), CLOSED_BREAKER);
});

test('an inconclusive trial releases its slot', () => {
  const trying = admitCall(after(times(50, 'fault')), 'mill', 5_000).breaker;
  const given = after(times(20, 'unknown'), { from: trying, now: 5_000 });
  assert.equal(admitCall(given, 'mill', 5_000).admitted, true);
});

test('for any events, a breaker opens only after failures of two sources and later admits calls again', () => {
  const call = fc.record({
    result: fc.constantFrom(...RESULTS),
    source: fc.constantFrom(...SOURCES),
    pause: fc.nat(30_000),
  });
  fc.assert(
    fc.property(fc.array(call, { maxLength: 300 }), (story) => {
      let breaker = CLOSED_BREAKER;
      let now = 0;
      const broke = new Set<string>();
      for (const { pause, ...one } of story) {
        now += pause;
        const before = breaker;
        const admission = admitCall(breaker, one.source, now);
        if (admission.admitted && one.result === 'fault') broke.add(one.source);
        breaker = admission.admitted ? recordCall(admission.breaker, one, now) : admission.breaker;
        if (before.phase !== 'open' && breaker.phase === 'open')
          assert.deepEqual([one.result, broke.size >= 2], ['fault', true]);
        if (breaker.phase === 'open') assert.ok(breaker.until <= now + 60_000 && breaker.pauseMs >= 5_000);
        if (breaker.phase === 'closed') assert.ok(breaker.recent.length <= 100);
        assert.ok(breaker.phase === 'closed' || admitCall(breaker, one.source, now + 60_000).admitted);
      }
    }),
  );
});

/** Breakers after calls of tier `browser` whose page crashed, each by a tenant at a host. */
function afterCrashes(calls: readonly (readonly [tenant: string, host: string])[]) {
  const breakers = createBreakers({ clock: clockAt(() => 0) });
  for (const [tenant, host] of calls) {
    const call = { tier: 'browser', tenant, host } as const;
    if (breakers.admits(call)) breakers.report(call, 'render_failed', 'crash');
  }
  const admits = (tenant: string, tier: 'browser' | 'proxy' = 'browser') =>
    breakers.admits({ tier, tenant, host: 'new.test' });
  return { admits, resting: breakers.resting() };
}

const crashes = (count: number, tenants: readonly string[], hosts: readonly string[]) =>
  Array.from(
    { length: count },
    (_, at) => [tenants[at % tenants.length] ?? '', hosts[at % hosts.length] ?? ''] as const,
  );

const HOSTS = ['a.test', 'b.test', 'c.test'];

test('crashing pages of one host disable the tier for nobody', () => {
  const { admits, resting } = afterCrashes(crashes(200, ['mill'], ['a.test']));
  assert.deepEqual([admits('mill'), admits('inn'), resting], [true, true, []]);
});

test('failures of one tenant at several hosts disable the tier only for that tenant', () => {
  const { admits, resting } = afterCrashes(crashes(200, ['mill'], HOSTS));
  assert.deepEqual([admits('mill'), admits('inn'), admits('mill', 'proxy')], [false, true, true]);
  assert.deepEqual(resting, ['browser']);
});

test('failures of several tenants disable the tier for all, but no other tier', () => {
  const { admits } = afterCrashes(crashes(60, ['mill', 'inn'], HOSTS));
  assert.deepEqual([admits('smithy'), admits('smithy', 'proxy')], [false, true]);
});

test('hundreds of failures of one tenant do not count if the calls of another succeed', () => {
  const breakers = createBreakers({ clock: clockAt(() => 0) });
  for (let n = 0; n < 400; n++) {
    const tenant = n % 8 === 0 ? 'inn' : `mill ${n % 3}`;
    const call = { tier: 'browser', tenant, host: `${n}.test` } as const;
    if (breakers.admits(call)) breakers.report(call, tenant === 'inn' ? 'ok' : 'render_failed', 'crash');
  }
  assert.ok(breakers.admits({ tier: 'browser', tenant: 'inn', host: 'a.test' }));
});
