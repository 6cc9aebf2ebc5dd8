import assert from 'node:assert/strict';
import { test } from 'node:test';
import { STORE_KINDS } from '#store/db.ts';
import { surviveMonitorKills } from './monitor-kills.ts';

const KILLS = 1;

for (const kind of STORE_KINDS) {
  test(`${kind}: kill -9 loses no event of a monitor, and none is sent twice`, async () => {
    const { runs, changes, states } = await surviveMonitorKills(kind, KILLS);
    assert.ok(runs > changes && changes > 0 && states > 0);
  });
}
