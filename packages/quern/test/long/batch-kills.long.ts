import { test } from 'node:test';
import { STORE_KINDS } from '#store/db.ts';
import { surviveBatchKills } from '#e2e/batch-kills.ts';

/** With one more kill a job would exceed its attempts. */
const KILLS = 4;
const BATCHES = 5;

for (const kind of STORE_KINDS) {
  test(`${kind}: after ${KILLS} times kill -9 in each of ${BATCHES} batches, each page is stored and charged once`, async () => {
    for (let batch = 0; batch < BATCHES; batch += 1) await surviveBatchKills(kind, KILLS);
  });
}
