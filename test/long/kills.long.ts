import assert from 'node:assert/strict';
import { test } from 'node:test';
import { STORE_KINDS } from '#store/db.ts';
import { surviveKills, toLine } from '../e2e/kills.ts';

const KILLS = 500;

for (const kind of STORE_KINDS) {
  test(`${kind}: after ${KILLS} kills -9 each call and each job has one result and one charge`, async (t) => {
    const outcome = await surviveKills(kind, KILLS);
    t.diagnostic(toLine(kind, outcome));
    assert.ok(outcome.met > KILLS / 2);
  });
}
