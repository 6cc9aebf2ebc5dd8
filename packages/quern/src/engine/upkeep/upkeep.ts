import { statfs } from 'node:fs/promises';
import type { Clock } from '#kernel/clock.ts';
import type { DiskQuota } from '#kernel/sizes.ts';
import type { Round } from '#engine/call/feature.ts';
import type { DeferredReleases } from '#engine/call/deferred-releases.ts';
import type { Artifacts } from '#engine/results/artifacts.ts';
import type { Processes } from '#engine/credits/processes.ts';
import type { JobRetention } from '#engine/jobs/queue.ts';
import type { IdempotentAnswers } from '#engine/call/idempotency.ts';
import type { DiskUsage } from './disk-usage.ts';
import type { StorageQuota } from './storage-quota.ts';
import type { UpkeepLog } from './upkeep-log.ts';
import type { PageCache } from '#engine/visits/page-cache.ts';
import type { RequestLog } from '#engine/call/request-log.ts';
import type { Results } from '#engine/results/results.ts';

const SWEEP_EVERY_MS = 10_000;
const TIDY_EVERY_MS = 60_000;
const SWEEP_OBJECTS_EVERY_MS = 3_600_000;

export type UpkeepParts = {
  readonly processes: Pick<Processes, 'sweep'>;
  readonly deferredReleases: DeferredReleases;
  readonly requestLog: Pick<RequestLog, 'deleteExpired'>;
  readonly pageCache: Pick<PageCache, 'measureBytes' | 'evict' | 'sweep'>;
  readonly idempotentAnswers: IdempotentAnswers;
  readonly jobRetention: JobRetention;
  /** Rounds of features. */
  readonly rounds: readonly Round[];
  readonly results: Results;
  readonly artifacts: Artifacts;
  readonly diskUsage: DiskUsage;
  readonly keptRoom: Pick<StorageQuota, 'trim'>;
  readonly upkeepLog: UpkeepLog;
  readonly dataDir: string;
  readonly quota: DiskQuota;
  readonly clock: Pick<Clock, 'every'>;
  /** Receives the error of a failed round. The next run tries again. */
  readonly report: (error: unknown) => void;
};

/** Starts the rounds that release reservations of dead processes and delete expired or excess data. */
export async function startUpkeep(parts: UpkeepParts): Promise<{ readonly close: () => Promise<void> }> {
  const { processes, clock, report } = parts;
  const stop = new AbortController();
  const { signal } = stop;
  await processes.sweep();
  const tidying = repeat(clock, TIDY_EVERY_MS, async () => tidy(parts, signal));
  parts.upkeepLog.setRunner(tidying);
  // Separate timers, because a long round must not keep this process from reporting that it is alive.
  const all = [
    repeat(clock, SWEEP_EVERY_MS, async () => sweep(parts).catch(report)),
    tidying,
    repeat(clock, SWEEP_OBJECTS_EVERY_MS, async () => sweepObjects(parts, signal), 'at once'),
  ];
  return {
    async close() {
      parts.upkeepLog.setRunner(null);
      stop.abort();
      await Promise.all(all.map(async (one) => one.close()));
    },
  };
}

async function sweep({ processes, deferredReleases }: UpkeepParts): Promise<void> {
  await processes.sweep();
  await deferredReleases.retry();
}

/** Frees space first, because nothing can be written to a full disk. A failed round does not stop the others. */
async function tidy(parts: UpkeepParts, signal: AbortSignal): Promise<void> {
  const { artifacts, requestLog, idempotentAnswers, jobRetention, upkeepLog, report } = parts;
  const rounds: readonly Round[] = [
    { name: 'artifacts', run: async () => artifacts.tidy(signal) },
    { name: 'plan_limits', run: async () => trim(parts, signal) },
    { name: 'disk', run: async () => freeDisk(parts, signal) },
    { name: 'requests', run: async () => requestLog.deleteExpired(signal) },
    { name: 'idempotent_answers', run: async () => idempotentAnswers.deleteExpired(signal) },
    { name: 'jobs', run: async () => jobRetention.tidy(signal) },
    ...parts.rounds,
  ];
  for (const { name, run } of rounds)
    if (!signal.aborted) await upkeepLog.record(name, async () => run(signal)).catch(report);
}

/** Enforces the storage limits of plans. */
async function trim({ diskUsage, keptRoom }: UpkeepParts, signal: AbortSignal): Promise<void> {
  await diskUsage.trim(signal);
  await keptRoom.trim(signal);
}

/** Enforces the disk quota. The page cache is trimmed before other data. */
async function freeDisk(
  { pageCache, diskUsage, upkeepLog, dataDir, quota }: UpkeepParts,
  signal: AbortSignal,
): Promise<void> {
  const taken = { cache: await pageCache.measureBytes(), kept: await diskUsage.measureBytes() };
  upkeepLog.stored = new Map(Object.entries({ cache: taken.cache, results: taken.kept }));
  await pageCache.evict(await computeCacheBytes(dataDir, quota, taken), signal);
  await diskUsage.evict(await computeMaxStoredBytes(dataDir, quota, taken.kept), signal);
}

/** Deletes objects and files without a row. */
async function sweepObjects(
  { results, artifacts, pageCache, report }: UpkeepParts,
  signal: AbortSignal,
): Promise<void> {
  for (const store of [results, artifacts, pageCache]) await store.sweep(signal).catch(report);
}

/** Repeats work that never throws on a timer. A run is skipped while the previous one is still running. */
function repeat(
  clock: Pick<Clock, 'every'>,
  ms: number,
  work: () => Promise<void>,
  begin: 'at once' | 'later' = 'later',
) {
  let running: Promise<void> | null = null;
  function start(): void {
    running ??= work().finally(() => {
      running = null;
    });
  }
  if (begin === 'at once') start();
  const timer = clock.every(ms, start);
  return {
    start,
    isRunning: () => running !== null,
    async close(): Promise<void> {
      timer.close();
      await running;
    },
  };
}

type UsedBytes = { readonly cache: number; readonly kept: number };

/** Computes the bytes that the cache may use in addition to all other stored data. */
async function computeCacheBytes(
  folder: string,
  quota: DiskQuota,
  { cache, kept: storedBytes }: UsedBytes,
): Promise<number> {
  if ('bytes' in quota) return Math.max(0, quota.bytes - storedBytes);
  return computeShareBytes(quota.percent, await statfs(folder), cache);
}

/**
 * Computes the bytes that results, files and stored responses may use: a share of the free space plus what they already
 * use, so that files of other programs do not evict them.
 */
async function computeMaxStoredBytes(folder: string, quota: DiskQuota, storedBytes: number): Promise<number> {
  if ('bytes' in quota) return quota.bytes;
  const { bfree, bsize } = await statfs(folder);
  return ((bfree * bsize + storedBytes) * quota.percent) / 100;
}

type Volume = { readonly blocks: number; readonly bfree: number; readonly bsize: number };

/** Computes the bytes that the cache, which uses `taken` now, may use until the volume is `percent` full. */
export function computeShareBytes(percent: number, { blocks, bfree, bsize }: Volume, taken: number): number {
  const others = (blocks - bfree) * bsize - taken;
  return Math.max(0, (blocks * bsize * percent) / 100 - others);
}
