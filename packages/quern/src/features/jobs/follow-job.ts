import type { Notifications } from '#engine/jobs/job-notifications.ts';
import { isTerminal } from '#engine/jobs/job-record.ts';
import type { FoundJob, Jobs } from '#engine/jobs/jobs.ts';
import { type CrawlState, PageList } from '#features/crawl/frontier/page-list.ts';
import { type Clock, pause } from '#kernel/clock.ts';
import { type Db, StoreUnavailable } from '#store/db.ts';
import type { FoundView, JobViews } from './job-schema.ts';

/** A job as its followers see it; the text is made once for all of them. */
export type JobSnapshot = {
  /** Grows at each change of the job. */
  readonly version: number;
  readonly isOver: boolean;
  /** The record as JSON, without the result. */
  readonly text: string;
};

/** The look that all followers of one job share. */
type SharedReading = {
  latest: JobSnapshot;
  failure: unknown;
  followers: number;
  readonly stop: AbortController;
};

type FollowRequest = {
  readonly tenant: string;
  readonly id: string;
  /** The version that the follower has seen, null for none; one that is still to come counts as none. */
  readonly seen: number | null;
  readonly signal: AbortSignal;
};

/** How often a followed job is read and its changes are told, ms. */
export type FollowPace = {
  /** Without any notifications, for another process may have changed the job. */
  readonly readMs: number;
  /** With notifications: no sooner than this after the last look. */
  readonly rereadMs: number;
  /** Least time between two snapshots of progress for one follower. */
  readonly snapshotMs: number;
  /** Longest time in which a follower gets nothing. */
  readonly maxSilenceMs: number;
};

export const DEFAULT_PACE: FollowPace = { readMs: 1000, rereadMs: 500, snapshotMs: 1000, maxSilenceMs: 15_000 };

export type FollowerParts = {
  readonly jobs: Pick<Jobs, 'read'>;
  readonly notifications: Notifications;
  readonly pace: FollowPace;
  readonly clock: Clock;
};

/** Follows jobs; all followers of one job together read the store at most twice a second. */
export function createFollower(parts: FollowerParts) {
  const looks = new SharedReadings(parts);
  return {
    /** How many jobs are looked at now. */
    looks: (): number => looks.count(),

    /** The changes of a job, until it has ended or the signal fires; throws `not_found` before the first of them. */
    async follow(request: FollowRequest): Promise<AsyncGenerator<JobSnapshot | null, void>> {
      const first = toSnapshot(await parts.jobs.read(request.tenant, request.id));
      return streamSnapshots(request, first, { ...parts, looks });
    },
  };
}

/** Snapshots newer than the last seen one, at most one a second; the final one comes at once. Null keeps a stream alive. */
async function* streamSnapshots(
  request: FollowRequest,
  first: JobSnapshot,
  { looks, notifications, pace, clock }: FollowerParts & { readonly looks: SharedReadings },
): AsyncGenerator<JobSnapshot | null, void> {
  const { id, signal } = request;
  const look = looks.join(request, first);
  let seen = request.seen !== null && request.seen <= first.version ? request.seen : 0;
  let toldAt = -Infinity;
  let spokenAt = -Infinity;
  try {
    while (!signal.aborted) {
      const now = clock.monotonic();
      const snapshot = look.latest.version > first.version ? look.latest : first;
      const isNew = snapshot.version > seen;
      if (snapshot.isOver) {
        yield snapshot;
        return;
      }
      if (look.failure !== null) throw look.failure;
      if (isNew && now >= toldAt + pace.snapshotMs) {
        [seen, toldAt, spokenAt] = [snapshot.version, now, now];
        yield snapshot;
      } else if (now >= spokenAt + pace.maxSilenceMs) {
        spokenAt = now;
        yield null;
      } else {
        const next = isNew ? toldAt + pace.snapshotMs : spokenAt + pace.maxSilenceMs;
        await notifications.next(toTopic(id), next - now, signal);
      }
    }
  } finally {
    looks.leave(id, look);
  }
}

/** The looks at jobs that are followed, one for each job however many follow it. */
class SharedReadings {
  readonly #parts: FollowerParts;
  readonly #looks = new Map<string, SharedReading>();

  constructor(parts: FollowerParts) {
    this.#parts = parts;
  }

  count(): number {
    return this.#looks.size;
  }

  /** The look at a job, begun with `first` unless it is under way. */
  join({ tenant, id }: FollowRequest, first: JobSnapshot): SharedReading {
    const shared = this.#looks.get(id);
    if (shared !== undefined) {
      shared.followers += 1;
      return shared;
    }
    const look: SharedReading = { latest: first, failure: null, followers: 1, stop: new AbortController() };
    this.#looks.set(id, look);
    this.#keepLooking(tenant, id, look).catch((error: unknown) => {
      look.failure = error;
      this.#parts.notifications.notifyHere(toTopic(id));
    });
    return look;
  }

  leave(id: string, look: SharedReading): void {
    look.followers -= 1;
    if (look.followers > 0) return;
    look.stop.abort();
    if (this.#looks.get(id) === look) this.#looks.delete(id);
  }

  async #keepLooking(tenant: string, id: string, look: SharedReading): Promise<void> {
    const { jobs, notifications, pace, clock } = this.#parts;
    const { signal } = look.stop;
    while (!look.latest.isOver && !signal.aborted) {
      // Listens from before the look, so that no change falls between the two.
      const changed = notifications.next(id, pace.readMs, signal);
      const found = await jobs.read(tenant, id).catch(ignoreUnavailable);
      if (found !== null && found.version > look.latest.version) {
        look.latest = toSnapshot(found);
        notifications.notifyHere(toTopic(id));
      }
      if (look.latest.isOver) return;
      await pause(clock, pace.rereadMs, signal);
      await changed;
    }
  }
}

/** The topic that followers wait for; the topic of the job itself announces changes of its row. */
function toTopic(id: string): string {
  return `seen ${id}`;
}

function toSnapshot({ record, version }: FoundJob): JobSnapshot {
  return { version, isOver: isTerminal(record.status), text: JSON.stringify(record) };
}

/** A store that is away for a while ends no stream. */
function ignoreUnavailable(error: unknown): null {
  if (error instanceof StoreUnavailable) return null;
  throw error;
}

const MINUTE_MS = 60_000;
/** Readings are that far apart at least, so that a rate is not that of one commit. */
const MIN_READING_GAP_MS = 2000;
/** Crawls whose rates are known at once; the one that was looked at first is forgotten. */
const MAX_CRAWLS = 1000;

/** A reading of the pages that have ended. */
type RateReading = { readonly at: number; readonly ended: number };

/** Looks at jobs as their followers see them: a crawl that runs with its rate and its latest pages. */
export function buildLiveCrawls({
  db,
  clock,
  views,
}: {
  readonly db: Db;
  readonly clock: Clock;
  readonly views: JobViews;
}) {
  const pages = new PageList(db);
  const readings = new Map<string, readonly RateReading[]>();

  /** Pages a minute, from the readings of the last one. */
  function rateOf(id: string, ended: number): number | null {
    const at = clock.monotonic();
    const kept = (readings.get(id) ?? []).filter((one) => one.at > at - MINUTE_MS);
    const last = kept.at(-1);
    const all = last === undefined || at - last.at >= MIN_READING_GAP_MS ? [...kept, { at, ended }] : kept;
    readings.delete(id);
    readings.set(id, all);
    const [oldest] = readings.keys();
    if (readings.size > MAX_CRAWLS && oldest !== undefined) readings.delete(oldest);
    const [first] = all;
    if (first === undefined || at - first.at < MIN_READING_GAP_MS) return null;
    return ((ended - first.ended) * MINUTE_MS) / (at - first.at);
  }

  return {
    async read(tenant: string, id: string): Promise<FoundView> {
      const found = await views.read(tenant, id);
      const { record } = found;
      if (record.kind !== 'crawl' || record.status !== 'running') {
        readings.delete(id);
        return found;
      }
      const state = await pages.state(id);
      if (state === null) return found;
      const { completed, failed, pending = 0 } = record.progress;
      const rate = rateOf(id, completed + failed);
      const live = {
        pages_per_minute: rate === null ? null : Math.round(rate * 10) / 10,
        eta_seconds: computeSeconds(computeRemaining(state, { completed, pending }), rate),
        latest: state.latest,
      };
      return { ...found, record: { ...record, live } };
    },
  };
}

function computeRemaining(
  { maxPages }: CrawlState,
  { completed, pending }: { readonly completed: number; readonly pending: number },
) {
  return Math.max(0, Math.min(pending, maxPages - completed));
}

function computeSeconds(pages: number, rate: number | null): number | null {
  return rate === null || rate <= 0 ? null : Math.ceil((pages / rate) * 60);
}
