import { z } from 'zod';
import type { Clock } from '#kernel/clock.ts';
import type { Db, StoreKind } from '#store/db.ts';
import { buildRowsTable, IN_SELECT } from '#store/dialect.ts';
import { readRows } from '#store/rows.ts';
import { URL_STATES } from '#features/crawl/frontier/url-statements.ts';
import { MAX_BATCH_ROWS, changeInBatches, toBatchResult, repeatUntilEmpty } from '#store/batches.ts';

const { stored, failed, skipped } = URL_STATES;

/** Crawls whose job will never run again, and whether their pages are listed as long as the job has a result. */
const FIND_ENDED = `select crawl, job_id, case when jobs.kind = 'crawl' and jobs.owner_id is null
      and jobs.status in ('completed', 'failed', 'cancelled') then 1 else 0 end as is_listed
  from crawls left join jobs on jobs.id = crawls.job_id
  where jobs.id is null or jobs.status not in ('queued', 'running') limit $1`;
const MARK_LISTED = 'insert into kept_crawls (job_id) values ($1) on conflict (job_id) do nothing';
const NEXT_URLS = 'select seq from crawl_urls where crawl = $1 order by seq limit $2';
/** Listed crawls whose results were deleted. */
const FIND_UNLISTED = `select job_id from kept_crawls where not exists (select 1 from jobs
    where jobs.id = kept_crawls.job_id and jobs.status in ('completed', 'failed', 'cancelled')) limit $1`;
const UNMARK_LISTED = 'delete from kept_crawls where job_id = $1';
const DROP_REST = ['delete from crawl_members where crawl = $1', 'delete from crawls where crawl = $1'];

/** Builds the statements over the pages of crawl `$1`, at most `$2` at once. */
function buildStatements(kind: StoreKind) {
  const isNext = IN_SELECT[kind]('seq', NEXT_URLS);
  const drop = (table: string, of: string, column: string): string => {
    const some = `select ${column} from ${table} where ${of} = $1 limit $2`;
    return `delete from ${table} where ${of} = $1 and ${IN_SELECT[kind](column, some)} returning ${of}`;
  };
  return {
    keepPages: `insert into crawl_pages (job_id, seq, url, depth, state, status_code, title, bytes, near, code, message, ordinal)
      select $3, seq, url, depth, state, status_code, title, bytes, near, code, message, ordinal from crawl_urls
      where crawl = $1 and ${isNext} and state in (${stored}, ${failed}, ${skipped})
      on conflict (job_id, seq) do nothing`,
    dropNext: `delete from crawl_urls where crawl = $1 and ${isNext} returning seq`,
    dropPages: drop('crawl_pages', 'job_id', 'seq'),
    dropFrontier: [
      drop('crawl_keys', 'crawl', 'key'),
      drop('crawl_urls', 'crawl', 'seq'),
      drop('crawl_hosts', 'crawl', 'host'),
    ],
  };
}

/** The next hosts by name. Leases change too often for an index on their time. */
const LIST_LEASES = 'select host, used_at from host_leases where host > $1 order by host limit $2';
const LEASE_RETENTION_MS = 3600 * 1000;
/** Maximum number of crawls per round. */
const MAX_CRAWLS = 1000;
const PAGES_PER_TRANSACTION = 200;

const HostRow = z.object({ host: z.string(), used_at: z.number() });
const EndedRow = z.object({ crawl: z.number(), job_id: z.string(), is_listed: z.number() });
const UnlistedRow = z.object({ job_id: z.string() });

/** Builds the deletion of the frontiers of ended crawls. `clock` must be the clock of the host leases. */
export function buildCrawlRetention({ db, clock }: { readonly db: Db; readonly clock: Clock }) {
  const { keepPages: keep, dropNext, dropPages, dropFrontier } = buildStatements(db.kind);
  const hosts = buildRowsTable(db.kind, '$1', { name: 'b', columns: { name: 'text' } });
  const dropLeases = `delete from host_leases where host in (select name from ${hosts}) and used_at < $2`;

  /** Deletes the leases of hosts that were not visited lately. */
  async function forgetHosts(signal?: AbortSignal): Promise<void> {
    const before = clock.now() - LEASE_RETENTION_MS;
    let last = '';
    await repeatUntilEmpty(async () => {
      const leases = readRows(HostRow, await db.query(LIST_LEASES, [last, MAX_BATCH_ROWS]));
      const old = leases.filter((row) => row.used_at < before).map(({ host }) => [host]);
      if (old.length > 0) await db.query(dropLeases, [JSON.stringify(old), before]);
      last = leases.at(-1)?.host ?? last;
      return toBatchResult(leases);
    }, signal);
  }

  /** Moves the pages of an ended crawl to its list, a few at a time. */
  async function keepPages(crawl: number, jobId: string, signal?: AbortSignal): Promise<void> {
    await db.query(MARK_LISTED, [jobId]);
    await repeatUntilEmpty(async () => {
      const moved = await db.transaction(async (tx) => {
        await tx.query(keep, [crawl, PAGES_PER_TRANSACTION, jobId]);
        return tx.query(dropNext, [crawl, PAGES_PER_TRANSACTION]);
      });
      return moved.length < PAGES_PER_TRANSACTION ? 'empty' : 'more';
    }, signal);
  }

  async function forgetPages(signal?: AbortSignal): Promise<void> {
    for (const { job_id: jobId } of readRows(UnlistedRow, await db.query(FIND_UNLISTED, [MAX_CRAWLS]))) {
      await changeInBatches(db, { sql: dropPages, values: [jobId] }, signal);
      if (signal?.aborted === true) return;
      await db.query(UNMARK_LISTED, [jobId]);
    }
  }

  return {
    async tidy(signal?: AbortSignal): Promise<void> {
      await forgetHosts(signal);
      for (const { crawl, job_id: jobId, is_listed: isListed } of readRows(
        EndedRow,
        await db.query(FIND_ENDED, [MAX_CRAWLS]),
      )) {
        if (isListed === 1) await keepPages(crawl, jobId, signal);
        for (const sql of dropFrontier) await changeInBatches(db, { sql, values: [crawl] }, signal);
        if (signal?.aborted === true) return;
        // The crawl's own row is deleted last, so that an interrupted round can resume.
        for (const statement of DROP_REST) await db.query(statement, [crawl]);
      }
      await forgetPages(signal);
    },
  };
}
