import { test } from 'node:test';
import { STORE_KINDS } from '#store/db.ts';
import { surviveArchiveKills } from '#e2e/archive-kills.ts';

/** With one more kill a job would exceed its attempts. */
const KILLS = 4;
const CRAWLS = 5;

for (const kind of STORE_KINDS) {
  test(`${kind}: after ${KILLS} times kill -9 in each of ${CRAWLS} crawls, archives match the stored pages`, async () => {
    for (let crawl = 0; crawl < CRAWLS; crawl += 1) await surviveArchiveKills(kind, KILLS);
  });
}
