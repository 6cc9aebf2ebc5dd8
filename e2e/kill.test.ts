import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { STORE_KINDS, type StoreKind } from '#store/db.ts';
import { surviveKills, toLine } from './kills.ts';

/** The embedded store has one process, and each kill interrupts its work; `npm run test:long` has hundreds. */
const KILLS: Readonly<Record<StoreKind, number>> = { sqlite: 4, postgres: 7 };

suite('kill -9 under load', { concurrency: 2, timeout: 600_000 }, () => {
  for (const kind of STORE_KINDS) {
    test(`${kind}: after ${KILLS[kind]} times kill -9, each call and each job has one result and one charge`, async (t) => {
      const outcome = await surviveKills(kind, KILLS[kind]);
      t.diagnostic(toLine(kind, outcome));
      assert.ok(outcome.met > 0 && outcome.jobs > 0 && outcome.inline > 0);
    });
  }
});
