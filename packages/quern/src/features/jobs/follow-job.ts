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
type Look = {
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
export type Pace = {
  /** Without any notifications, for another process may have changed the job. */
  readonly look: number;
  /** With notifications: no sooner than this after the last look. */
  readonly lookAgain: number;
  /** Least time between two snapshots of progress for one follower. */
  readonly tell: number;
  /** Longest time in which a follower gets nothing. */
  readonly silence: number;
};

export const PACE: Pace = { look: 1000, lookAgain: 500, tell: 1000, silence: 15_000 };

export type FollowingParts = {
  readonly jobs: Pick<Jobs, 'read'>;
  readonly notifications: Notifications;
  readonly pace: Pace;
  readonly clock: Clock;
};

/** Follows jobs; all followers of one job together read the store at most twice a second. */
export function buildFollowing(parts: FollowingParts) {
  const looks = new SharedLooks(parts);
  return {
    /** How many jobs are looked at now. */
    looks: (): number => looks.count(),

    /** The changes of a job, until it has ended or the signal fires; throws `not_found` before the first of them. */
    async follow(request: FollowRequest): Promise<AsyncGenerator<JobSnapshot | null, void>> {
      const first = toSnapshot(await parts.jobs.read(request.tenant, request.id));
      return tell(request, first, { ...parts, looks });
    },
  };
}

/** Snapshots newer than the last seen one, at most one a second; the final one comes at once. Null keeps a stream alive. */
async function* tell(
  request: FollowRequest,
  first: JobSnapshot,
  { looks, notifications, pace, clock }: FollowingParts & { readonly looks: SharedLooks },
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
      if (isNew && now >= toldAt + pace.tell) {
        [seen, toldAt, spokenAt] = [snapshot.version, now, now];
        yield snapshot;
      } else if (now >= spokenAt + pace.silence) {
        spokenAt = now;
        yield null;
      } else {
        const next = isNew ? toldAt + pace.tell : spokenAt + pace.silence;
        await notifications.next(topicOf(id), next - now, signal);
      }
    }
  } finally {
    looks.leave(id, look);
  }
}

/** The looks at jobs that are followed, one for each job however many follow it. */
class SharedLooks {
  readonly #parts: FollowingParts;
  readonly #looks = new Map<string, Look>();

  constructor(parts: FollowingParts) {
    this.#parts = parts;
  }

  count(): number {
    return this.#looks.size;
  }

  /** The look at a job, begun with `first` unless it is under way. */
  join({ tenant, id }: FollowRequest, first: JobSnapshot): Look {
    const shared = this.#looks.get(id);
    if (shared !== undefined) {
      shared.followers += 1;
      return shared;
    }
    const look: Look = { latest: first, failure: null, followers: 1, stop: new AbortController() };
    this.#looks.set(id, look);
    this.#keepLooking(tenant, id, look).catch((error: unknown) => {
      look.failure = error;
      this.#parts.notifications.notifyHere(topicOf(id));
    });
    return look;
  }

  leave(id: string, look: Look): void {
    look.followers -= 1;
    if (look.followers > 0) return;
    look.stop.abort();
    if (this.#looks.get(id) === look) this.#looks.delete(id);
  }

  async #keepLooking(tenant: string, id: string, look: Look): Promise<void> {
    const { jobs, notifications, pace, clock } = this.#parts;
    const { signal } = look.stop;
    while (!look.latest.isOver && !signal.aborted) {
      // Listens from before the look, so that no change falls between the two.
      const changed = notifications.next(id, pace.look, signal);
      const found = await jobs.read(tenant, id).catch(passOver);
      if (found !== null && found.version > look.latest.version) {
        look.latest = toSnapshot(found);
        notifications.notifyHere(topicOf(id));
      }
      if (look.latest.isOver) return;
      await pause(clock, pace.lookAgain, signal);
      await changed;
    }
  }
}

/** The topic that followers wait for; the topic of the job itself announces changes of its row. */
function topicOf(id: string): string {
  return `seen ${id}`;
}

function toSnapshot({ record, version }: FoundJob): JobSnapshot {
  return { version, isOver: isTerminal(record.status), text: JSON.stringify(record) };
}

/** A store that is away for a while ends no stream. */
function passOver(error: unknown): null {
  if (error instanceof StoreUnavailable) return null;
  throw error;
}

const MINUTE_MS = 60_000;
/** Readings are that far apart at least, so that a rate is not that of one commit. */
const MIN_MS = 2000;
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
    const all = last === undefined || at - last.at >= MIN_MS ? [...kept, { at, ended }] : kept;
    readings.delete(id);
    readings.set(id, all);
    const [oldest] = readings.keys();
    if (readings.size > MAX_CRAWLS && oldest !== undefined) readings.delete(oldest);
    const [first] = all;
    if (first === undefined || at - first.at < MIN_MS) return null;
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
        eta_seconds: secondsFor(leftOf(state, { completed, pending }), rate),
        latest: state.latest,
      };
      return { ...found, record: { ...record, live } };
    },
  };
}

function leftOf(
  { maxPages }: CrawlState,
  { completed, pending }: { readonly completed: number; readonly pending: number },
) {
  return Math.max(0, Math.min(pending, maxPages - completed));
}

function secondsFor(pages: number, rate: number | null): number | null {
  return rate === null || rate <= 0 ? null : Math.ceil((pages / rate) * 60);
}
