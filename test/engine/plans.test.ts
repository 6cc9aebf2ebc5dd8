import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadPlans, PLAN_NAMES } from '#engine/plans.ts';
import { PRICES, SURCHARGES, toUsage } from '#engine/prices.ts';
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
