import assert from 'node:assert/strict';
import { test } from 'node:test';
import { STORE_KINDS } from '#store/db.ts';
import { surviveKills, toLine } from '#e2e/kills.ts';

/** Kills on each of the two stores; set fewer with `KILLS=100 npm run test:long`. */
const KILLS = Number(process.env['KILLS'] ?? 1000);

for (const kind of STORE_KINDS) {
  const share = Math.ceil(KILLS / STORE_KINDS.length);
  test(`${kind}: after ${share} times kill -9, each call and each job has one result and one charge`, async (t) => {
    const outcome = await surviveKills(kind, share);
    t.diagnostic(toLine(kind, outcome));
    assert.ok(outcome.met > 0 && outcome.jobs > 0 && outcome.inline > 0);
  });
}
