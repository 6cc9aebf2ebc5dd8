import { z } from 'zod';
import type { Clock } from '#kernel/clock.ts';
import type { Db } from '#store/db.ts';
import { bulk } from '#store/dialect.ts';
import { readRows } from '#store/rows.ts';
import { BATCH, changeInBatches, moreOf, untilEmpty } from '#store/batches.ts';

/** Crawls whose job will never run again; its result has what it found. */
const ENDED = `select crawl from crawls where not exists (
    select 1 from jobs where jobs.id = crawls.job_id and jobs.status in ('queued', 'running'))
  limit $1`;
const DROP_KEYS = `delete from crawl_keys where crawl = $1
  and key in (select key from crawl_keys where crawl = $1 limit $2) returning crawl`;
const DROP_URLS = `delete from crawl_urls where crawl = $1
  and seq in (select seq from crawl_urls where crawl = $1 limit $2) returning crawl`;
const DROP_HOSTS = `delete from crawl_hosts where crawl = $1
  and host in (select host from crawl_hosts where crawl = $1 limit $2) returning crawl`;
const DROP_REST = ['delete from crawl_members where crawl = $1', 'delete from crawls where crawl = $1'];

/** The next hosts by name: leases change too often for an index of their time. */
const HOSTS = 'select host, used_at from host_leases where host > $1 order by host limit $2';
const LEASES_KEPT_MS = 3600 * 1000;
/** Crawls of one round at most. */
const MOST_CRAWLS = 1000;

const HostRow = z.object({ host: z.string(), used_at: z.number() });
const Ended = z.object({ crawl: z.number() });

/** Builds the deletion of the frontiers of ended crawls. `clock` is that of the leases of hosts. */
export function buildCrawlRetention({ db, clock }: { readonly db: Db; readonly clock: Clock }) {
  const hosts = bulk(db.kind, '$1', { name: 'b', columns: { name: 'text' } });
  const dropLeases = `delete from host_leases where host in (select name from ${hosts}) and used_at < $2`;

  /** Deletes the paces of hosts that were not visited lately. */
  async function forgetHosts(signal?: AbortSignal): Promise<void> {
    const before = clock.now() - LEASES_KEPT_MS;
    let last = '';
    await untilEmpty(async () => {
      const found = readRows(HostRow, await db.query(HOSTS, [last, BATCH]));
      const old = found.filter((row) => row.used_at < before).map(({ host }) => [host]);
      if (old.length > 0) await db.query(dropLeases, [JSON.stringify(old), before]);
      last = found.at(-1)?.host ?? last;
      return moreOf(found);
    }, signal);
  }

  return {
    async tidy(signal?: AbortSignal): Promise<void> {
      await forgetHosts(signal);
      for (const { crawl } of readRows(Ended, await db.query(ENDED, [MOST_CRAWLS]))) {
        for (const sql of [DROP_KEYS, DROP_URLS, DROP_HOSTS])
          await changeInBatches(db, { sql, values: [crawl] }, signal);
        if (signal?.aborted === true) return;
        // The crawl's own row is deleted last, so that an interrupted round is resumed.
        for (const statement of DROP_REST) await db.query(statement, [crawl]);
      }
    },
  };
}
