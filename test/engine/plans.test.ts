import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadPlans, PLAN_NAMES } from '#engine/identity/plans.ts';
import { PRICES, sumOf, SURCHARGES, toUsage } from '#engine/credits/prices.ts';
import { inTemporaryFolder } from '../support/store.ts';

test('a file replaces the whole table of plans', async () => {
  await inTemporaryFolder(async (folder) => {
    const file = join(folder, 'plans.json');
    const { name: _, ...limits } = loadPlans(null).free;
    const table = Object.fromEntries(PLAN_NAMES.map((plan) => [plan, { ...limits, daily_cap: 7 }]));
    await writeFile(file, JSON.stringify(table));
    assert.equal(loadPlans(file).scale.daily_cap, 7);
  });
});

test('a missing plan, an unknown member and a file that is not there stop the start, naming themselves', async () => {
  await inTemporaryFolder(async (folder) => {
    const file = join(folder, 'plans.json');
    const { name: _, ...limits } = loadPlans(null).free;
    const table = Object.fromEntries(PLAN_NAMES.map((plan) => [plan, limits]));
    await writeFile(file, JSON.stringify({ ...table, pro: undefined }));
    assert.throws(() => loadPlans(file), /plans\.json: pro/);
    await writeFile(file, JSON.stringify({ ...table, pro: { ...limits, colour: 'red' } }));
    assert.throws(() => loadPlans(file), /plans\.json: pro.*colour/);
    assert.throws(() => loadPlans(join(folder, 'none.json')), /QUERN_PLANS_FILE .*none\.json/);
  });
});

test('the charge of a fetch is base plus the surcharge of the tier that served', () => {
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
    assert.deepEqual(sumOf(PRICES.crawl, tiers), { ...sum, tiers });
  });
