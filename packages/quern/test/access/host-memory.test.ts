import assert from 'node:assert/strict';
import test from 'node:test';
import * as fc from 'fast-check';
import { createHostMemory, type HostRecord, getSite, chooseStartTier } from '#access/tiers/host-memory.ts';
import { TIERS } from '#access/page.ts';
import { clockAt } from '../support/clock.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const URL_A = new URL('https://www.mill.example/a');

/** What is known of a host, and for how many minutes it counts. */
const LIFETIMES: readonly (readonly [title: string, known: Omit<HostRecord, 'at'>, lastsMs: number])[] = [
  ['a browser that succeeded', { tier: 'browser', served: true, outcome: 'challenge' }, 6 * HOUR],
  ['a proxy that succeeded', { tier: 'proxy', served: true, outcome: 'blocked' }, 6 * HOUR],
  ['a way around a rate limit', { tier: 'proxy', served: true, outcome: 'rate_limited' }, 30 * MINUTE],
  ['the most expensive tier', { tier: 'proxy_browser', served: true, outcome: 'blocked' }, 30 * MINUTE],
  ['a blocked proxy', { tier: 'proxy', served: false, outcome: 'blocked' }, 30 * MINUTE],
];

for (const [title, known, lastsMs] of LIFETIMES) {
  test(`${title} is remembered for ${lastsMs / MINUTE} minutes`, () => {
    const start = (now: number) =>
      chooseStartTier({ ...known, at: 1_000 }, { now: now + 1_000, highest: 'proxy_browser' });
    assert.deepEqual(start(lastsMs - 1), { tier: known.tier, outcome: known.outcome });
    assert.equal(start(lastsMs), null);
    assert.equal(start(-1), null);
  });
}

test('no start tier is above the highest tier, or at the costliest without recent evidence', () => {
  const anything = fc.record({
    tier: fc.constantFrom(...TIERS),
    served: fc.boolean(),
    outcome: fc.constantFrom('challenge' as const, 'blocked' as const, 'rate_limited' as const),
    at: fc.nat(HOUR),
  });
  fc.assert(
    fc.property(anything, fc.constantFrom(...TIERS), fc.nat(12 * HOUR), (known, highest, now) => {
      const start = chooseStartTier(known, { now, highest });
      if (start === null) return;
      assert.ok(TIERS.indexOf(start.tier) <= TIERS.indexOf(highest));
      assert.ok(now - known.at < 6 * HOUR);
      if (start.tier === 'proxy_browser') assert.ok(now - known.at < 30 * MINUTE);
    }),
  );
});

test('hosts of one site share an entry, and those under a public suffix do not', () => {
  const sites = [
    'https://www.mill.example/',
    'https://mill.example:8443/x',
    'https://ilse.github.io/',
    'http://127.0.0.1:81/',
  ];
  assert.deepEqual(
    sites.map((url) => getSite(new URL(url))),
    ['mill.example', 'mill.example', 'ilse.github.io', '127.0.0.1:81'],
  );
});

test('the experience of one tenant does not count for another', () => {
  const memory = createHostMemory({ clock: clockAt(() => 0) });
  memory.of('ilse', 'proxy_browser').remember(URL_A, { tier: 'proxy', served: true, outcome: 'blocked' });
  assert.equal(memory.of('ilse', 'proxy_browser').findStart(new URL('https://mill.example/b'))?.tier, 'proxy');
  assert.equal(memory.of('otto', 'proxy_browser').findStart(URL_A), null);
});

test('the least recently used hosts are forgotten first', () => {
  const memory = createHostMemory({ clock: clockAt(() => 0), most: 2 }).of('ilse', 'proxy_browser');
  const urls = ['a', 'b', 'c'].map((name) => new URL(`https://${name}.example/`));
  const [a, b, c] = urls;
  if (a === undefined || b === undefined || c === undefined) throw new Error('three were asked for');
  const known = { tier: 'browser', served: true, outcome: 'blocked' } as const;
  memory.remember(a, known);
  memory.remember(b, known);
  memory.findStart(a);
  memory.remember(c, known);
  assert.deepEqual(
    urls.map((url) => memory.findStart(url) !== null),
    [true, false, true],
  );
  memory.forget(a);
  assert.equal(memory.findStart(a), null);
});

test('the entries of a tenant are not evicted by a tenant with very many hosts', () => {
  const memory = createHostMemory({ clock: clockAt(() => 0), most: 100 });
  const known = { tier: 'browser', served: true, outcome: 'blocked' } as const;
  const [few, many] = [memory.of('ilse', 'proxy_browser'), memory.of('otto', 'proxy_browser')];
  few.remember(URL_A, known);
  for (let at = 0; at < 500; at += 1) many.remember(new URL(`https://site-${at}.example/`), known);
  assert.equal(few.findStart(URL_A)?.tier, 'browser');
  const kept = Array.from({ length: 500 }, (_none, at) => many.findStart(new URL(`https://site-${at}.example/`)));
  assert.equal(kept.filter((start) => start !== null).length, 99);
  assert.equal(kept.at(-1)?.tier, 'browser');
});
