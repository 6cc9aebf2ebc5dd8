import assert from 'node:assert/strict';
import { test } from 'node:test';
import { STORE_KINDS } from '#store/db.ts';
import { surviveMonitorKills } from './monitor-kills.ts';

const KILLS = 2;

for (const kind of STORE_KINDS) {
  test(`${kind}: kills lose no change, and tell of none twice`, async () => {
    const { runs, changes } = await surviveMonitorKills(kind, KILLS);
    assert.ok(runs > changes && changes > 0);
  });
}
