import { SYSTEM_CLOCK, pause } from '#kernel/clock.ts';
import { StoreUnavailable } from '#store/db.ts';
import type { News } from '#engine/jobs/job-notifications.ts';
import { isTerminal } from '#engine/jobs/job-record.ts';
import type { Found, Jobs } from '#engine/jobs/jobs.ts';

/** A job as its followers are told of it; the text is made once for all of them. */
export type Sight = {
  /** Grows at each change of the job. */
  readonly version: number;
  readonly isOver: boolean;
  /** The record as JSON, without the result. */
  readonly text: string;
};

/** The look that all followers of one job share. */
type Look = {
  latest: Sight;
  failure: unknown;
  followers: number;
  readonly stop: AbortController;
};

type Wish = {
  readonly tenant: string;
  readonly id: string;
  /** The version that the follower has seen, null for none; one that is still to come counts as none. */
  readonly seen: number | null;
  readonly signal: AbortSignal;
};

/** How often a followed job is looked at and told of, ms. */
export type Pace = {
  /** Without any news, for another process may have changed the job. */
  readonly look: number;
  /** With news: no sooner than this after the last look. */
  readonly lookAgain: number;
  /** A follower is told of progress no more often than this. */
  readonly tell: number;
  /** A follower is never left without a word for longer than this. */
  readonly silence: number;
};

export const PACE: Pace = { look: 1000, lookAgain: 500, tell: 1000, silence: 15_000 };

/** Follows jobs: those who follow the same one cost at most two looks at the store a second, however many they are. */
export function buildFollowing(parts: { readonly jobs: Pick<Jobs, 'find'>; readonly news: News; readonly pace: Pace }) {
  const { jobs, news, pace } = parts;
  const looks = new Map<string, Look>();

  async function keepLooking(tenant: string, id: string, look: Look): Promise<void> {
    const { signal } = look.stop;
    while (!look.latest.isOver && !signal.aborted) {
      // Listens from before the look, so that no change falls between the two.
      const changed = news.next(id, pace.look, signal);
      const found = await jobs.find(tenant, id).catch(passOver);
      if (found !== null && found.version > look.latest.version) {
        look.latest = toSight(found);
        news.tell(topicOf(id));
      }
      if (look.latest.isOver) return;
      await pause(SYSTEM_CLOCK, pace.lookAgain, signal);
      await changed;
    }
  }

  function join({ tenant, id }: Wish, first: Sight): Look {
    const shared = looks.get(id);
    if (shared !== undefined) {
      shared.followers += 1;
      return shared;
    }
    const look: Look = { latest: first, failure: null, followers: 1, stop: new AbortController() };
    looks.set(id, look);
    keepLooking(tenant, id, look).catch((error: unknown) => {
      look.failure = error;
      news.tell(topicOf(id));
    });
    return look;
  }

  function leave(id: string, look: Look): void {
    look.followers -= 1;
    if (look.followers > 0) return;
    look.stop.abort();
    if (looks.get(id) === look) looks.delete(id);
  }

  /** Sights newer than what was seen, at most one a second; the last tells of the end, at once. Null keeps alive. */
  async function* tell(wish: Wish, first: Sight): AsyncGenerator<Sight | null, void> {
    const { id, signal } = wish;
    const look = join(wish, first);
    let seen = wish.seen !== null && wish.seen <= first.version ? wish.seen : 0;
    let toldAt = -Infinity;
    let spokenAt = -Infinity;
    try {
      while (!signal.aborted) {
        const now = SYSTEM_CLOCK.monotonic();
        const sight = look.latest.version > first.version ? look.latest : first;
        const isNew = sight.version > seen;
        if (sight.isOver) {
          yield sight;
          return;
        }
        if (look.failure !== null) throw look.failure;
        if (isNew && now >= toldAt + pace.tell) {
          [seen, toldAt, spokenAt] = [sight.version, now, now];
          yield sight;
        } else if (now >= spokenAt + pace.silence) {
          spokenAt = now;
          yield null;
        } else {
          const next = isNew ? toldAt + pace.tell : spokenAt + pace.silence;
          await news.next(topicOf(id), next - now, signal);
        }
      }
    } finally {
      leave(id, look);
    }
  }

  return {
    /** How many jobs are looked at now. */
    looks: (): number => looks.size,

    /** What becomes of a job, until it has ended or the signal fires; throws `not_found` before the first sight. */
    async follow(wish: Wish): Promise<AsyncGenerator<Sight | null, void>> {
      return tell(wish, toSight(await jobs.find(wish.tenant, wish.id)));
    },
  };
}

/** What followers wait for; those of the job itself wait for what its row may say. */
function topicOf(id: string): string {
  return `seen ${id}`;
}

function toSight({ record, version }: Found): Sight {
  return { version, isOver: isTerminal(record.status), text: JSON.stringify(record) };
}

/** A store that is away for a while ends no stream. */
function passOver(error: unknown): null {
  if (error instanceof StoreUnavailable) return null;
  throw error;
}
