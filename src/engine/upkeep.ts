import { statfs } from 'node:fs/promises';
import { toTimestamp } from '#kernel/clock.ts';
import type { Clock } from '#kernel/clock.ts';
import type { DiskQuota } from '#kernel/config.ts';
import type { Arrears } from './arrears.ts';
import type { Artifacts } from './artifacts.ts';
import type { Billing } from './billing.ts';
import type { CrawlRetention } from './crawl/crawl-retention.ts';
import type { JobRetention } from './job-retention.ts';
import type { KeptAnswers } from './kept-answers.ts';
import type { KeptRoom } from './kept-room.ts';
import type { MonitorRetention } from './monitors/monitor-retention.ts';
import type { PageCache } from './page-cache.ts';
import type { RequestLog } from './request-log.ts';
import type { Results } from './results.ts';
import type { DeliveryRetention } from './webhooks/delivery-retention.ts';

const SWEEP_EVERY_MS = 10_000;
const TIDY_EVERY_MS = 60_000;
const SWEEP_RESULTS_EVERY_MS = 3_600_000;
const REQUESTS_KEPT_MS = 24 * 3600 * 1000;

export type UpkeepParts = {
  readonly billing: Billing;
  readonly arrears: Arrears;
  readonly requestLog: RequestLog;
  readonly pageCache: PageCache;
  readonly keptAnswers: KeptAnswers;
  readonly jobRetention: JobRetention;
  readonly crawlRetention: CrawlRetention;
  readonly monitorRetention: MonitorRetention;
  readonly deliveryRetention: DeliveryRetention;
  readonly results: Results;
  readonly artifacts: Artifacts;
  readonly room: KeptRoom;
  readonly clock: Clock;
  readonly dataDir: string;
  readonly quota: DiskQuota;
  /** Told of a round that failed; the next round tries again. */
  readonly report: (error: unknown) => void;
};

/** Starts the rounds that free dead reservations and delete what is too old or too much. */
export async function startUpkeep(parts: UpkeepParts): Promise<{ readonly close: () => Promise<void> }> {
  const { billing, arrears, requestLog, pageCache, keptAnswers, jobRetention, crawlRetention, results } = parts;
  const { monitorRetention, deliveryRetention, artifacts, room, clock, dataDir, quota, report } = parts;
  let running: Promise<void> = Promise.resolve();

  function round(work: () => Promise<void>): void {
    running = running.then(work).catch(report);
  }

  async function sweep(): Promise<void> {
    await billing.sweep();
    await arrears.pay();
  }

  /** First what makes room: on a full disk the others can write nothing. None of them waits for the good end of another. */
  function tidy(): void {
    round(async () => artifacts.tidy());
    round(async () => room.trim());
    round(async () => {
      const taken = { cache: await pageCache.bytes(), kept: await room.bytes() };
      await pageCache.evict(await allowance(dataDir, quota, taken));
      await room.evict(await mostKept(dataDir, quota, taken.kept));
    });
    round(async () => requestLog.forget(toTimestamp(clock.now() - REQUESTS_KEPT_MS)));
    round(async () => keptAnswers.forget());
    round(async () => jobRetention.tidy());
    round(async () => crawlRetention.tidy());
    round(async () => monitorRetention.tidy());
    round(async () => deliveryRetention.tidy());
  }

  await billing.sweep();
  await pageCache.tidy();
  const sweeping = setInterval(() => round(sweep), SWEEP_EVERY_MS);
  const tidying = setInterval(tidy, TIDY_EVERY_MS);
  const sweepingResults = startSweep([results, artifacts], report);
  return {
    async close() {
      clearInterval(sweeping);
      clearInterval(tidying);
      await Promise.all([running, sweepingResults.close()]);
    },
  };
}

/** Objects without a row, at the start and then by the hour; beside the other rounds, because a bucket may be slow. */
function startSweep(places: readonly Pick<Results, 'sweep'>[], report: (error: unknown) => void) {
  const stop = new AbortController();
  const sweep = async (): Promise<void> => {
    for (const place of places) await place.sweep(stop.signal).catch(report);
  };
  let running = sweep();
  const timer = setInterval(() => (running = running.then(sweep)), SWEEP_RESULTS_EVERY_MS);
  return {
    async close(): Promise<void> {
      clearInterval(timer);
      stop.abort();
      await running;
    },
  };
}

type Taken = { readonly cache: number; readonly kept: number };

/** Bytes that the cache may take beside all else that is kept. */
async function allowance(folder: string, quota: DiskQuota, { cache, kept }: Taken): Promise<number> {
  if ('bytes' in quota) return Math.max(0, quota.bytes - kept);
  return shareOf(quota.percent, await statfs(folder), cache);
}

/**
 * Bytes that results, files and kept answers may take, where the cache has gone before them: of a volume a share of what it
 * has left for them, so that what others put there takes none of them away.
 */
async function mostKept(folder: string, quota: DiskQuota, kept: number): Promise<number> {
  if ('bytes' in quota) return quota.bytes;
  const { bfree, bsize } = await statfs(folder);
  return ((bfree * bsize + kept) * quota.percent) / 100;
}

type Volume = { readonly blocks: number; readonly bfree: number; readonly bsize: number };

/** Bytes that the cache, which takes `taken` now, may take until the volume is full to `percent`. */
export function shareOf(percent: number, { blocks, bfree, bsize }: Volume, taken: number): number {
  const others = (blocks - bfree) * bsize - taken;
  return Math.max(0, (blocks * bsize * percent) / 100 - others);
}
