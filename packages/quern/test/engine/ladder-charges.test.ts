import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Tier, TIERS } from '#access/page.ts';
import type { FakeTiers } from '../support/tiers.ts';
import { brings, isBlocked, isLate, withGate } from './gate.ts';

type Row = {
  readonly plan: 'free' | 'starter';
  /** The parameter `proxy`; null for the default of the plan. */
  readonly proxy?: 'basic' | 'auto' | 'stealth';
  /** The first tier that succeeds; null for none. */
  readonly opens: Tier | null;
  /** The error, or the tier that delivered the page and its cost. */
  readonly expected: string;
};

/** All combinations of plan, `proxy` and first tier that succeeds. */
const ROWS: readonly Row[] = [
  { plan: 'free', opens: 'http', expected: 'http 2' },
  { plan: 'free', opens: 'browser', expected: 'browser 2' },
  { plan: 'free', opens: 'proxy', expected: 'free_plan_proxy_required' },
  { plan: 'free', proxy: 'basic', opens: 'proxy_browser', expected: 'free_plan_proxy_required' },
  { plan: 'free', proxy: 'basic', opens: null, expected: 'free_plan_proxy_required' },
  { plan: 'free', proxy: 'auto', opens: 'http', expected: 'plan_upgrade_required' },
  { plan: 'free', proxy: 'stealth', opens: 'http', expected: 'plan_upgrade_required' },
  { plan: 'starter', proxy: 'basic', opens: 'browser', expected: 'browser 2' },
  { plan: 'starter', proxy: 'basic', opens: 'proxy', expected: 'target_blocked' },
  { plan: 'starter', opens: 'http', expected: 'http 2' },
  { plan: 'starter', opens: 'browser', expected: 'browser 2' },
  { plan: 'starter', opens: 'proxy', expected: 'proxy 10' },
  { plan: 'starter', proxy: 'auto', opens: 'proxy_browser', expected: 'proxy_browser 67' },
  { plan: 'starter', proxy: 'auto', opens: null, expected: 'target_blocked' },
  { plan: 'starter', proxy: 'stealth', opens: 'http', expected: 'proxy_browser 67' },
  { plan: 'starter', proxy: 'stealth', opens: null, expected: 'target_blocked' },
];

/** Tiers that are blocked below the one that opens the page. */
function rungsFrom(opens: Tier | null): FakeTiers {
  const first = opens === null ? TIERS.length : TIERS.indexOf(opens);
  return Object.fromEntries(TIERS.map((tier, at) => [tier, at < first ? isBlocked : brings()]));
}

for (const { plan, proxy, opens, expected } of ROWS) {
  test(`${plan} with ${proxy ?? 'no word on proxies'}, open from ${opens ?? 'nowhere'}: ${expected}`, async () => {
    await withGate({ plan, tierVisits: rungsFrom(opens) }, async ({ fetch, spent }) => {
      const { code, answer } = await fetch(proxy === undefined ? {} : { proxy });
      const usage = answer?.usage ?? null;
      assert.equal(usage === null ? code : `${usage.tier} ${usage.credits}`, expected);
      assert.deepEqual(await spent(), [usage?.credits ?? 0, 0]);
    });
  });
}

const SHELL = `<html><head><title>Rye flour</title>
<script type="application/ld+json">{"@type":"Product","name":"Rye flour","offers":{"price":"4.90","priceCurrency":"EUR"}}</script>
</head><body><div id="root"></div><script src="/app.js"></script></body></html>`;
const FILLED = SHELL.replace('<div id="root">', `<div id="root"><p>${'The mill grinds rye. '.repeat(20)}</p>`);

test('embedded fields of an app shell are read from the shell, and its text from the browser', async () => {
  const tierVisits: FakeTiers = { http: brings({ text: SHELL }), browser: brings({ text: FILLED }) };
  const cases: readonly (readonly [Readonly<Record<string, unknown>>, Tier])[] = [
    [{ output: ['json'], extract: { fields: { name: 'string', price: 'money' } } }, 'http'],
    [{ output: ['json'], extract: { fields: { name: 'string', author: 'string' } } }, 'browser'],
    [{ output: ['json', 'markdown'], extract: { fields: { name: 'string' } } }, 'browser'],
    [{ output: ['markdown'] }, 'browser'],
  ];
  for (const [raw, tier] of cases) {
    await withGate({ tierVisits }, async ({ fetch }) => {
      const { answer } = await fetch(raw);
      assert.equal(answer?.usage?.tier, tier, JSON.stringify(raw));
    });
  }
});

test('an app shell that no browser can fill is served at the HTTP price with a warning', async () => {
  await withGate({ tierVisits: { http: brings({ text: SHELL }), browser: isLate } }, async ({ fetch }) => {
    const { answer } = await fetch();
    assert.deepEqual(answer?.usage, { credits: 2, base: 2, surcharge: 0, tier: 'http' });
    const warnings = answer?.body['warnings'];
    assert.ok(Array.isArray(warnings));
    const codes = new Set(warnings.map(({ code }: { code: unknown }) => code));
    assert.deepEqual(codes, new Set(['partial_ladder', 'thin_content']));
  });
});

test('a host that blocked a tenant is requested by the tier that succeeded, at its price', async () => {
  await withGate({ tierVisits: rungsFrom('proxy') }, async ({ fetch, visits, spent }) => {
    await fetch();
    const { answer } = await fetch();
    assert.deepEqual(answer?.usage, { credits: 10, base: 2, surcharge: 8, tier: 'proxy' });
    assert.equal(visits.length, 4);
    assert.deepEqual(await spent(), [20, 0]);
  });
});
