import { z } from 'zod';
import type { Clock } from '#kernel/clock.ts';
import type { Db } from '#store/db.ts';
import { readRows } from '#store/rows.ts';

/** Crawls whose job will never run again: what it found is in its result. */
const ENDED = `select crawl from crawls where not exists (
    select 1 from jobs where jobs.id = crawls.job_id and jobs.status in ('queued', 'running'))
  limit $1`;
const DROP_KEYS = `delete from crawl_keys where crawl = $1
  and key in (select key from crawl_keys where crawl = $1 limit $2) returning crawl`;
const DROP_URLS = `delete from crawl_urls where crawl = $1
  and seq in (select seq from crawl_urls where crawl = $1 limit $2) returning crawl`;
const DROP_REST = [
  'delete from crawl_hosts where crawl = $1',
  'delete from crawl_members where crawl = $1',
  'delete from crawls where crawl = $1',
];

/** How fast a host may be visited is forgotten when nobody visited it for so long. */
const DROP_LEASES = 'delete from host_leases where used_at < $1';
const LEASES_KEPT_MS = 3600 * 1000;

/** Rows that one statement deletes at most, so that no lock lasts, and statements of one round. */
const BATCH = 1000;
const MOST_BATCHES = 500;

const Ended = z.object({ crawl: z.number() });

export type CrawlRetention = ReturnType<typeof buildCrawlRetention>;

/** Deletes the frontiers of crawls that have ended; a large one takes several rounds. */
/** `clock` is that of the leases of hosts. */
export function buildCrawlRetention({ db, clock }: { readonly db: Db; readonly clock: Clock }) {
  return {
    async tidy(): Promise<void> {
      await db.query(DROP_LEASES, [clock.now() - LEASES_KEPT_MS]);
      let left = MOST_BATCHES;
      for (const { crawl } of readRows(Ended, await db.query(ENDED, [BATCH]))) {
        for (const drop of [DROP_KEYS, DROP_URLS]) {
          while (left > 0 && (await db.query(drop, [crawl, BATCH])).length > 0) left -= 1;
        }
        if (left === 0) return;
        // The crawl itself goes last, so that an interrupted round is taken up again.
        for (const statement of DROP_REST) await db.query(statement, [crawl]);
      }
    },
  };
}
