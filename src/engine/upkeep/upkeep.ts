import { statfs } from 'node:fs/promises';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import type { DiskQuota } from '#kernel/config.ts';
import type { Round } from '#engine/call/feature.ts';
import type { Arrears } from '#engine/call/deferred-releases.ts';
import type { Artifacts } from '#engine/results/artifacts.ts';
import type { Billing } from '#engine/credits/billing.ts';
import type { JobRetention } from '#engine/jobs/job-retention.ts';
import type { IdempotentAnswers } from '#engine/call/idempotency.ts';
import type { KeptRoom } from './disk-quota.ts';
import type { PageCache } from '#engine/visits/page-cache.ts';
import type { RequestLog } from '#engine/call/request-log.ts';
import type { Results } from '#engine/results/results.ts';

const SWEEP_EVERY_MS = 10_000;
const TIDY_EVERY_MS = 60_000;
const SWEEP_PLACES_EVERY_MS = 3_600_000;

export type UpkeepParts = {
  readonly billing: Billing;
  readonly arrears: Arrears;
  readonly requestLog: RequestLog;
  readonly pageCache: Pick<PageCache, 'bytes' | 'evict' | 'sweep'>;
  readonly idempotentAnswers: IdempotentAnswers;
  readonly jobRetention: JobRetention;
  /** Of the features. */
  readonly rounds: readonly Round[];
  readonly results: Results;
  readonly artifacts: Artifacts;
  readonly room: KeptRoom;
  readonly dataDir: string;
  readonly quota: DiskQuota;
  /** Told of a round that failed; the next round tries again. */
  readonly report: (error: unknown) => void;
};

/** Starts the rounds that free dead reservations and delete what is too old or too much. */
export async function startUpkeep(parts: UpkeepParts): Promise<{ readonly close: () => Promise<void> }> {
  const { billing, arrears, requestLog, pageCache, idempotentAnswers, jobRetention, results } = parts;
  const { artifacts, room, dataDir, quota, report } = parts;
  const stop = new AbortController();
  const { signal } = stop;

  async function sweep(): Promise<void> {
    await billing.sweep();
    await arrears.pay();
  }

  async function makeRoom(): Promise<void> {
    const taken = { cache: await pageCache.bytes(), kept: await room.bytes() };
    await pageCache.evict(await allowance(dataDir, quota, taken), signal);
    await room.evict(await mostKept(dataDir, quota, taken.kept), signal);
  }

  /** First what makes room: on a full disk the others can write nothing. None of them waits for the good end of another. */
  async function tidy(): Promise<void> {
    const rounds = [
      async () => artifacts.tidy(signal),
      async () => room.trim(signal),
      makeRoom,
      async () => requestLog.forget(signal),
      async () => idempotentAnswers.forget(signal),
      async () => jobRetention.tidy(signal),
      ...parts.rounds,
    ];
    for (const round of rounds) if (!signal.aborted) await round(signal).catch(report);
  }

  /** Objects and files without a row. */
  async function sweepPlaces(): Promise<void> {
    for (const place of [results, artifacts, pageCache]) await place.sweep(signal).catch(report);
  }

  await billing.sweep();
  // Each has rounds of its own: a long one of another may not keep this process from saying that it lives.
  const all = [
    every(SWEEP_EVERY_MS, async () => sweep().catch(report)),
    every(TIDY_EVERY_MS, tidy),
    every(SWEEP_PLACES_EVERY_MS, sweepPlaces, 'at once'),
  ];
  return {
    async close() {
      stop.abort();
      await Promise.all(all.map(async (one) => one.close()));
    },
  };
}

/** Repeats work that never throws on a timer; a round that is due while the one before still runs is left out. */
function every(ms: number, work: () => Promise<void>, begin: 'at once' | 'later' = 'later') {
  let running: Promise<void> | null = null;
  function start(): void {
    running ??= work().finally(() => {
      running = null;
    });
  }
  if (begin === 'at once') start();
  const timer = SYSTEM_CLOCK.every(ms, start);
  return {
    async close(): Promise<void> {
      timer.close();
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
