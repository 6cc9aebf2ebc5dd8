import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { getPlan, findPlan, loadPlans, PLAN_NAMES, resolvePlan } from '#engine/identity/plans.ts';
import { PRICES, sumUsage, SURCHARGES, toUsage } from '#engine/credits/prices.ts';
import { inTemporaryFolder } from '../support/store.ts';

/** The plans of a file with this content. */
async function loadPlansFile(content: unknown): Promise<ReturnType<typeof loadPlans>> {
  return inTemporaryFolder(async (folder) => {
    const file = join(folder, 'plans.json');
    await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
    return loadPlans(file);
  });
}

test('a plans file replaces the whole table of plans', async () => {
  const { name: _, ...limits } = loadPlans(null).free;
  const table = Object.fromEntries(PLAN_NAMES.map((plan) => [plan, { ...limits, daily_cap: 7 }]));
  assert.equal((await loadPlansFile(table)).scale.daily_cap, 7);
});

test('a plans file contains only differences from a built-in plan or from the base of a new one', async () => {
  const usual = loadPlans(null);
  const plans = await loadPlansFile({
    starter: { daily_cap: 7 },
    newsroom: { like: 'starter', credits_per_month: null },
    archive: { like: 'newsroom', crawl_pages: 9 },
    pro: { like: 'pro', monitors: 1 },
  });
  assert.deepEqual(plans.free, usual.free);
  assert.deepEqual(plans.starter, { ...usual.starter, daily_cap: 7 });
  assert.deepEqual(plans['newsroom'], { ...plans.starter, name: 'newsroom', credits_per_month: null });
  assert.deepEqual(plans['archive'], { ...plans['newsroom'], name: 'archive', crawl_pages: 9 });
  assert.deepEqual(plans.pro, { ...usual.pro, monitors: 1 });
});

test('an unknown plan has the limits of the smallest one, and no plan name reaches a prototype', () => {
  const plans = loadPlans(null);
  assert.deepEqual(resolvePlan(plans, 'gone'), { ...plans.free, name: 'gone' });
  for (const name of ['constructor', '__proto__', 'toString']) {
    assert.equal(findPlan(plans, name), null);
    assert.throws(() => getPlan(plans, name), /must be one of free, starter/);
  }
});

const FAULTS: readonly (readonly [string, unknown, RegExp])[] = [
  ['an unknown member', { pro: { colour: 'red' } }, /plans\.json: pro.*colour/],
  ['a member of the wrong type', { pro: { monitors: 'many' } }, /plans\.json: pro\.monitors/],
  [
    'a new plan without a base',
    { newsroom: { monitors: 1 } },
    /plans\.json: newsroom: a new plan needs "like".*daily_cap/,
  ],
  ['a plan with an unknown base', { newsroom: { like: 'gone' } }, /plans\.json: newsroom\.like: there is no plan gone/],
  [
    'plans based on each other',
    { a: { like: 'b' }, b: { like: 'a' } },
    /plans\.json: a\.like: circular reference to a/,
  ],
  ['a new plan based on itself', { a: { like: 'a' } }, /plans\.json: a\.like: circular reference to a/],
  ['an invalid name', '{"__proto__x":{}}', /plans\.json: .*name/],
  ['a name of a prototype', '{"__proto__":{"daily_cap":1}}', /plans\.json: .*name/],
  ['a list', [], /plans\.json: /],
];
for (const [what, content, message] of FAULTS)
  test(`a plans file with ${what} prevents the start, with an error that names it`, async () => {
    await assert.rejects(loadPlansFile(content), message);
  });

test('a missing plans file prevents the start', () => {
  assert.throws(() => loadPlans('/none/none.json'), /QUERN_PLANS_FILE .*none\.json/);
});

test('the charge of a fetch is the base price plus the surcharge of the tier that served', () => {
  const table = [
    ['cache', 1, 1, 0],
    ['http', 2, 2, 0],
    ['browser', 2, 2, 0],
    ['proxy', 10, 2, 8],
    ['proxy_browser', 67, 2, 65],
  ] as const;
  for (const [tier, credits, base, surcharge] of table) {
    assert.deepEqual(toUsage(PRICES.fetch, tier), { credits, base, surcharge, tier });
  }
  assert.equal(SURCHARGES.proxy_browser, 65);
});

const CRAWLS = [
  ['nothing', {}, { credits: 0, base: 0, surcharge: 0, tier: 'http' }],
  ['a page', { http: 1 }, { credits: 2, base: 2, surcharge: 0, tier: 'http' }],
  [
    'plain pages and some that needed a browser',
    { http: 7, browser: 3 },
    { credits: 20, base: 20, surcharge: 0, tier: 'browser' },
  ],
  [
    '8 plain and 2 hardened pages',
    { http: 8, proxy_browser: 2 },
    { credits: 150, base: 20, surcharge: 130, tier: 'proxy_browser' },
  ],
  [
    'one page of each tier',
    { http: 1, browser: 1, proxy: 1, proxy_browser: 1 },
    { credits: 81, base: 8, surcharge: 73, tier: 'proxy_browser' },
  ],
] as const;

for (const [what, tiers, sum] of CRAWLS)
  test(`a crawl of ${what} costs ${sum.credits} credits`, () => {
    assert.deepEqual(sumUsage(PRICES.crawl, tiers), { ...sum, tiers });
  });
