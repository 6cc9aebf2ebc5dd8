import { Stopped } from '#engine/job-leases.ts';
import type { Claim, Claimed, End, Frontier, Standing } from './frontier.ts';
import type { Heard, Pace } from './paces.ts';

/** What became of a page, and how its host bore it. */
export type Visited = { readonly end: End; readonly heard: Heard };

export type CrawlerParts = {
  readonly frontier: Frontier;
  /** Adds addresses beside the visits, once it is known where the seed ended; the crawl is not over before it is. */
  readonly feed: ((anchor: string, signal: AbortSignal) => Promise<void>) | null;
  /** Visits and reads one page; throws only when the whole crawl cannot go on. */
  readonly visit: (claim: Claim, signal: AbortSignal) => Promise<Visited>;
  readonly paceOf: (host: string) => Pace;
  /** Visits of this crawl at once, whatever the host. */
  readonly mostAtOnce: number;
  /** Who owns a crawl waits for the last pages of others, in case they die with them; who helps is free to leave. */
  readonly role: Role;
};

export type Role = 'owner' | 'helper';

/** Why a crawl has nothing more to do. */
export type Finish = Exclude<Claimed['held'], null>;

/** A commit holds at most so many pages, and the first of them waits at most so long, ms. */
const BATCH = 64;
const BATCH_MS = 250;
/** Claimed pages that wait for their visit, for each one under way. */
const AHEAD = 2;
/** While others have the last pages, and may die with them, this process looks again after this time. */
const OTHERS_MS = 500;
/** While addresses are added beside the visits, it looks for them after this time. */
const FED_MS = 50;
const BEAT_MS = 10_000;
const LONGEST_MS = 60_000;

/**
 * Visits the pages of a crawl until there is nothing to claim, nowhere, or the signal fires: then what is done is
 * committed and the rest given back, and the signal's reason is thrown.
 */
export async function crawlOn(parts: CrawlerParts, signal: AbortSignal): Promise<Finish> {
  const { frontier, feed, visit, paceOf, mostAtOnce, role } = parts;
  const stopping = new AbortController();
  const stop = AbortSignal.any([signal, stopping.signal]);
  const bell = buildBell();
  const ready = new Map<string, Claim[]>();
  let ends: End[] = [];
  let firstEnd = 0;
  let running = 0;
  let committing = false;
  let claiming = false;
  let othersActive = 0;
  let finish: Finish | null = null;
  let lookAgainAt = 0;
  /** Counts what may have brought something to claim, so that an older answer that there is nothing is not believed. */
  let news = 0;
  let feeding: 'not yet' | 'running' | 'over' = feed === null ? 'over' : 'not yet';
  const failures: unknown[] = [];

  /** Runs beside the loop; a failure ends it. */
  function aside(work: Promise<void>): void {
    void work.catch((error: unknown) => failures.push(error)).finally(bell.ring);
  }

  async function run(claim: Claim): Promise<void> {
    const ended = paceOf(claim.host).begin();
    let heard: Heard = null;
    running += 1;
    try {
      const visited = await visit(claim, stop);
      heard = visited.heard;
      if (ends.length === 0) firstEnd = performance.now();
      ends.push(visited.end);
    } catch (error) {
      // A page that was cut off is given back, as if it had never been claimed.
      if (!stop.aborted) throw error;
    } finally {
      running -= 1;
      ended(heard);
    }
  }

  async function feedFrom(anchor: string): Promise<void> {
    feeding = 'running';
    try {
      await feed?.(anchor, stop);
    } catch (error) {
      if (!stop.aborted) throw error;
    } finally {
      feeding = 'over';
      expectMore();
    }
  }

  function isBusy(): boolean {
    return running > 0 || committing || claiming || isFeeding();
  }

  function isFeeding(): boolean {
    return feeding === 'running';
  }

  function expectMore(): void {
    news += 1;
    finish = null;
    lookAgainAt = 0;
  }

  function learn({ active, anchor }: Standing): void {
    othersActive = active - running - waiting() - ends.length;
    if (anchor !== null && feeding === 'not yet' && !stop.aborted) aside(feedFrom(anchor));
  }

  async function commit(): Promise<void> {
    const batch = ends.slice(0, BATCH);
    ends = ends.slice(BATCH);
    firstEnd = performance.now();
    committing = true;
    try {
      learn(await frontier.commit(batch));
      // What was committed may have brought more.
      expectMore();
    } finally {
      committing = false;
    }
  }

  async function refill(): Promise<void> {
    claiming = true;
    const before = news;
    try {
      const { claims, held } = await frontier.claim({
        most: Math.max(1, mostAtOnce * AHEAD - waiting()),
        mostOf: (host) => Math.max(0, paceOf(host).appetite() * AHEAD - (ready.get(host)?.length ?? 0)),
      });
      for (const one of claims) ready.set(one.host, [...(ready.get(one.host) ?? []), one]);
      if (claims.length === 0) learn(await frontier.standing());
      if (news !== before) return;
      finish = held;
      if (claims.length === 0) lookAgainAt = performance.now() + (isFeeding() ? FED_MS : OTHERS_MS);
    } finally {
      claiming = false;
    }
  }

  function waiting(): number {
    let count = 0;
    for (const claims of ready.values()) count += claims.length;
    return count;
  }

  /** Starts what may start; answers ms until more may. */
  function start(): number {
    let next = Infinity;
    for (const [host, claims] of ready) {
      const pace = paceOf(host);
      while (claims.length > 0 && running < mostAtOnce) {
        const waitMs = pace.waitMs();
        if (waitMs === null) break;
        if (waitMs > 0) {
          next = Math.min(next, waitMs);
          break;
        }
        const [claim] = claims.splice(0, 1);
        if (claim !== undefined) aside(run(claim));
      }
      if (claims.length === 0) ready.delete(host);
    }
    return next;
  }

  const beating = setInterval(() => aside(frontier.beat()), BEAT_MS);
  try {
    while (!signal.aborted) {
      if (failures.length > 0) throw failures[0];
      const now = performance.now();
      const nextStart = start();
      const isDue = ends.length >= BATCH || (ends.length > 0 && (now - firstEnd >= BATCH_MS || running === 0));
      if (isDue && !committing) aside(commit());
      const isHungry = waiting() <= (mostAtOnce * AHEAD) / 2 && now >= lookAgainAt;
      if (isHungry && !claiming) aside(refill());
      const isFed = isFeeding() && finish === 'nothing';
      const isIdle = running + waiting() + ends.length === 0 && !committing && !claiming && !isFed;
      if (isIdle && finish !== null && (othersActive <= 0 || role === 'helper')) return finish;
      const untilBatch = ends.length === 0 ? Infinity : Math.max(1, BATCH_MS - (now - firstEnd));
      const untilLook = lookAgainAt > now ? lookAgainAt - now : Infinity;
      await bell.wait(Math.min(nextStart, untilBatch, untilLook, BEAT_MS), signal);
    }
    throw signal.reason;
  } finally {
    clearInterval(beating);
    stopping.abort();
    await untilStill();
    await frontier.leave();
  }

  /** What was finished before the stop is kept; what was cut off is not. */
  async function untilStill(): Promise<void> {
    while (isBusy()) await bell.wait(BATCH_MS, new AbortController().signal);
    while (ends.length > 0 && !failures.some((failure) => !(failure instanceof Stopped))) {
      await commit().catch((error: unknown) => failures.push(error));
    }
  }
}

/** Wakes one who waits. */
function buildBell() {
  let rung = Promise.withResolvers<void>();
  return {
    ring: (): void => rung.resolve(),
    async wait(ms: number, signal: AbortSignal): Promise<void> {
      const { promise, resolve } = rung;
      const wake = (): void => resolve();
      const timer = setTimeout(wake, Math.min(ms, LONGEST_MS));
      signal.addEventListener('abort', wake);
      if (signal.aborted) wake();
      await promise;
      signal.removeEventListener('abort', wake);
      clearTimeout(timer);
      rung = Promise.withResolvers<void>();
    },
  };
}
