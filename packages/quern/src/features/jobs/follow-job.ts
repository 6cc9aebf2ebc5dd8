import type { Notifications } from '#engine/jobs/job-notifications.ts';
import { isTerminal } from '#engine/jobs/job-record.ts';
import type { FoundJob, Jobs } from '#engine/jobs/jobs.ts';
import { type CrawlState, PAGE_LIST_KINDS, PageList } from '#features/crawl/frontier/page-list.ts';
import { type Clock, sleepUnlessAborted } from '#kernel/clock.ts';
import { type Db, StoreUnavailable } from '#store/db.ts';
import type { FoundView, JobViews } from './job-view.ts';

/** A state of a job for its followers. The text is serialized once for all of them. */
export type JobSnapshot = {
  /** Grows with each change of the job. */
  readonly version: number;
  readonly isOver: boolean;
  /** The job as JSON, without its result. */
  readonly text: string;
};

/** The latest state of a job, shared by all its followers. */
type SharedReading = {
  latest: JobSnapshot;
  failure: unknown;
  followers: number;
  readonly stop: AbortController;
};

type FollowRequest = {
  readonly tenant: string;
  readonly id: string;
  /** The version that the follower has seen; null for none. A version from the future is ignored. */
  readonly seen: number | null;
  readonly signal: AbortSignal;
};

/** How often a followed job is read and its changes are sent, ms. */
export type FollowPace = {
  /** Read interval without notifications, because another process may change the job. */
  readonly readMs: number;
  /** Shortest time between two reads after notifications. */
  readonly rereadMs: number;
  /** Shortest time between two snapshots for one follower. */
  readonly snapshotMs: number;
  /** Longest time without anything sent to a follower. */
  readonly maxSilenceMs: number;
};

export const DEFAULT_PACE: FollowPace = { readMs: 1000, rereadMs: 500, snapshotMs: 1000, maxSilenceMs: 15_000 };

export type FollowerParts = {
  readonly jobs: Pick<Jobs, 'read'>;
  readonly notifications: Notifications;
  readonly pace: FollowPace;
  readonly clock: Clock;
};

/** Creates a follower of jobs. All followers of one job together read the store at most twice a second. */
export function createFollower(parts: FollowerParts) {
  const looks = new SharedReadings(parts);
  return {
    /** The number of jobs that are followed. */
    looks: (): number => looks.count(),

    /**
     * Streams the changes of a job until it has ended or the signal aborts. Throws `not_found` before the first one.
     */
    async follow(request: FollowRequest): Promise<AsyncGenerator<JobSnapshot | null, void>> {
      const first = toSnapshot(await parts.jobs.read(request.tenant, request.id));
      return streamSnapshots(request, first, { ...parts, looks });
    },
  };
}

/**
 * Streams snapshots newer than the last seen one, at most one a second, and the final one at once. Null means
 * keep-alive.
 */
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

/** The jobs that are followed. Each is read once for all its followers. */
class SharedReadings {
  readonly #parts: FollowerParts;
  readonly #looks = new Map<string, SharedReading>();

  constructor(parts: FollowerParts) {
    this.#parts = parts;
  }

  count(): number {
    return this.#looks.size;
  }

  /** Returns the shared state of a job, starting with `first` if nobody follows it yet. */
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
      // Subscribed before the read, so that no change is missed.
      const changed = notifications.next(id, pace.readMs, signal);
      const job = await jobs.read(tenant, id).catch(ignoreUnavailable);
      if (job !== null && job.version > look.latest.version) {
        look.latest = toSnapshot(job);
        notifications.notifyHere(toTopic(id));
      }
      if (look.latest.isOver) return;
      await sleepUnlessAborted(clock, pace.rereadMs, signal);
      await changed;
    }
  }
}

/** The topic that followers wait for. The topic of the job itself announces changes of its row. */
function toTopic(id: string): string {
  return `seen ${id}`;
}

function toSnapshot({ record, version }: FoundJob): JobSnapshot {
  return { version, isOver: isTerminal(record.status), text: JSON.stringify(record) };
}

/** A temporarily unavailable store does not end the stream. */
function ignoreUnavailable(error: unknown): null {
  if (error instanceof StoreUnavailable) return null;
  throw error;
}

const MINUTE_MS = 60_000;
/** The shortest time between two readings, so that a rate covers more than one commit. */
const MIN_READING_GAP_MS = 2000;
/** The most crawls whose rates are tracked; the one read longest ago is dropped first. */
const MAX_CRAWLS = 1000;

/** The number of finished pages at a time. */
type RateReading = { readonly at: number; readonly ended: number };

/** Reads jobs for their followers: a running crawl with its rate and latest pages. */
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

  /** Computes pages per minute from the readings of the last minute; null at the start. */
  function computeRate(id: string, ended: number): number | null {
    const at = clock.monotonic();
    const recent = (readings.get(id) ?? []).filter((one) => one.at > at - MINUTE_MS);
    const last = recent.at(-1);
    const all = last === undefined || at - last.at >= MIN_READING_GAP_MS ? [...recent, { at, ended }] : recent;
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
      const view = await views.read(tenant, id);
      const { record } = view;
      if (!PAGE_LIST_KINDS.has(record.kind) || record.status !== 'running') {
        readings.delete(id);
        return view;
      }
      const state = await pages.readState(id);
      if (state === null) return view;
      const { completed, failed, pending = 0 } = record.progress;
      const rate = computeRate(id, completed + failed);
      const live = {
        pages_per_minute: rate === null ? null : Math.round(rate * 10) / 10,
        eta_seconds: computeSeconds(computeRemaining(state, { completed, pending }), rate),
        latest: state.latest,
      };
      return { ...view, record: { ...record, live } };
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
