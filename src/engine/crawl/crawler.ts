import { Stopped } from '#engine/job-leases.ts';
import type { Appetite, Claim, Claimed, End, Frontier, Standing } from './frontier.ts';
import type { Heard, Pace } from './paces.ts';
import { buildPlaces } from './places.ts';

/** What became of a page, and how its host bore it. */
export type Visited = {
  readonly end: End;
  readonly heard: Heard;
  /** Gives back the memory that the page is counted with, once it is committed or dropped. */
  readonly leave: () => void;
};

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
/** Pages are claimed whose turn comes within this time, which is longer than it takes to look again. */
const SOON_MS = 750;
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
  const places = buildPlaces(mostAtOnce);
  const ready = new Map<string, Claim[]>();
  let ends: Visited[] = [];
  let firstEnd = 0;
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
    const leave = places.begin(claim.host);
    let heard: Heard = null;
    try {
      const visited = await visit(claim, stop);
      heard = visited.heard;
      if (ends.length === 0) firstEnd = performance.now();
      ends.push(visited);
    } catch (error) {
      // A page that was cut off is given back, as if it had never been claimed.
      if (!stop.aborted) throw error;
    } finally {
      leave();
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
    return places.count() > 0 || committing || claiming || isFeeding();
  }

  function isFeeding(): boolean {
    return feeding === 'running';
  }

  function expectMore(): void {
    news += 1;
    finish = null;
    lookAgainAt = 0;
  }

  function learn({ active, anchor, isFull }: Standing): void {
    if (isFull) stopping.abort();
    othersActive = active - places.count() - waiting() - ends.length;
    if (anchor !== null && feeding === 'not yet' && !stop.aborted) aside(feedFrom(anchor));
  }

  async function commit(): Promise<void> {
    const batch = ends.slice(0, BATCH);
    ends = ends.slice(BATCH);
    firstEnd = performance.now();
    committing = true;
    try {
      learn(await frontier.commit(batch.map(({ end }) => end)));
      // What was committed may have brought more.
      expectMore();
    } finally {
      committing = false;
      for (const { leave } of batch) leave();
    }
  }

  async function refill(): Promise<void> {
    claiming = true;
    const before = news;
    try {
      const { claims, held } = await frontier.claim({
        most: Math.max(1, mostAtOnce * AHEAD - waiting(places.isQuick)),
        mostOf: appetiteNow(),
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

  /** Whether few pages wait, of all hosts or of those that answer soon, which the others must not keep from it. */
  function isHungry(): boolean {
    const few = (mostAtOnce * AHEAD) / 2;
    return waiting() <= few || (places.knowsQuick() && waiting(places.isQuick) <= few);
  }

  /** What pages of hosts that drag, or of which nothing is known yet, are claimed ahead leaves room for the others. */
  function appetiteNow(): Appetite['mostOf'] {
    const hasRoom = waiting((host) => !places.isQuick(host)) < mostAtOnce;
    return (host, among) => {
      const most = among === 1 || places.isQuick(host) ? Infinity : hasRoom ? Math.ceil(mostAtOnce / among) : 0;
      return Math.max(0, Math.min(most, paceOf(host).appetite(SOON_MS)) - (ready.get(host)?.length ?? 0));
    };
  }

  function waiting(isMeant: (host: string) => boolean = () => true): number {
    let count = 0;
    for (const [host, claims] of ready) if (isMeant(host)) count += claims.length;
    return count;
  }

  /** Starts what may start, the hosts in turns; answers ms until more may. */
  function start(): number {
    let next = Infinity;
    places.look();
    for (const [host, claims] of ready) {
      // What is fetched and not yet kept would be fetched again after a crash: a slow store slows the visits.
      if (places.count() + ends.length >= mostAtOnce + BATCH) break;
      const waitMs = places.mayBegin(host) ? paceOf(host).waitMs() : null;
      if (waitMs === null) continue;
      if (waitMs > 0) {
        next = Math.min(next, waitMs);
        continue;
      }
      const [claim] = claims.splice(0, 1);
      if (claim !== undefined) aside(run(claim));
      // Behind the others, where this same loop meets it again.
      ready.delete(host);
      if (claims.length > 0) ready.set(host, claims);
    }
    return next;
  }

  const beating = setInterval(() => aside(frontier.beat()), BEAT_MS);
  try {
    while (!signal.aborted) {
      if (failures.length > 0) throw failures[0];
      const now = performance.now();
      const nextStart = start();
      const running = places.count();
      const isDue = ends.length >= BATCH || (ends.length > 0 && (now - firstEnd >= BATCH_MS || running === 0));
      if (isDue && !committing) aside(commit());
      if (isHungry() && now >= lookAgainAt && !claiming) aside(refill());
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
    for (const { leave } of ends) leave();
    await frontier.leave();
  }

  /** What was finished before the stop is kept; what was cut off is not. */
  async function untilStill(): Promise<void> {
    while (isBusy()) await bell.wait(BATCH_MS, new AbortController().signal);
    while (ends.length > 0 && failures.every((failure): boolean => failure instanceof Stopped)) {
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
