import type { Pace } from '#access/pacing.ts';
import type { Clock } from '#kernel/clock.ts';
import type { HostLeaseRows, Paced } from './host-lease-rows.ts';

/*
 * Processes that share a store visit a host one after the other: who holds its lease paces the visits as if it were
 * alone, and leaves the pace to the next. So no page costs a way to the store, and whatever one process learns of a
 * host, a Retry-After above all, holds for whoever visits it next.
 */

/** A holder that falls silent is succeeded after this time, and itself starts nothing in the last part of it. */
const LEASE_MS = 15_000;
const MARGIN_MS = 5_000;
/** How often leases are renewed; one that another wants is left then, as soon as no visit is under way. */
const KEEP_MS = 1000;
/** What is asked for within this time is asked for at once. */
const GATHER_MS = 5;
/** After it was asked for in vain, or left to another. */
const ASK_AGAIN_MS = 250;

/** The lease of one host, as this process holds it or not. */
export type HostLease = {
  /** Whether a visit may start; asks for the lease where it is not there. */
  readonly isHeld: () => boolean;
  /** Counts a visit; call what it answers when the visit has ended. */
  readonly begin: () => () => void;
  /** Whether nothing is known here that another process might need. */
  readonly isIdle: () => boolean;
};

/** Where the pace of a host is kept in this process. */
type Place = { readonly pace: () => Pace; readonly learn: (pace: Pace) => void };

type Entry = Place & {
  readonly host: string;
  state: 'none' | 'asked' | 'held' | 'leaving';
  until: number;
  visits: number;
  /** Whether anybody wanted to visit since the last renewal. */
  isWanted: boolean;
  askAgainAt: number;
};

export type HostLeases = ReturnType<typeof buildHostLeases>;

export function buildHostLeases(parts: {
  readonly rows: HostLeaseRows;
  readonly clock: Clock;
  /** Told of a round that failed; the next one tries again. */
  readonly report: (error: unknown) => void;
}) {
  const { rows, clock, report } = parts;
  const held = new Set<Entry>();
  let asking: Entry[] = [];
  let gathering: NodeJS.Timeout | undefined;
  let keeping: NodeJS.Timeout | undefined;
  let last: Promise<void> = Promise.resolve();

  /** One round after the other, so that none overtakes an older one. */
  function round(work: () => Promise<void>): void {
    last = last.then(work).catch(report);
  }

  function ask(entry: Entry): void {
    entry.state = 'asked';
    asking.push(entry);
    gathering ??= setTimeout(() => round(takeAsked), GATHER_MS);
  }

  async function takeAsked(): Promise<void> {
    const asked = new Map(asking.map((entry) => [entry.host, entry]));
    asking = [];
    gathering = undefined;
    const now = clock.now();
    const until = now + LEASE_MS;
    for (const entry of asked.values()) lose(entry, now);
    for (const [host, pace] of await rows.take([...asked.keys()], { now, until })) {
      const entry = asked.get(host);
      if (entry === undefined) continue;
      if (pace !== null) entry.learn(pace);
      entry.state = 'held';
      entry.until = until;
      entry.isWanted = true;
      held.add(entry);
    }
    if (held.size > 0) keeping ??= setTimeout(() => round(renew), KEEP_MS);
  }

  async function renew(): Promise<void> {
    try {
      await leave([...held].filter(({ visits, isWanted }) => visits === 0 && !isWanted));
      for (const entry of held) entry.isWanted = false;
      if (held.size > 0) await keepHeld(clock.now());
      await leave([...held].filter(({ visits, state }) => visits === 0 && state === 'leaving'));
    } finally {
      keeping = held.size > 0 ? setTimeout(() => round(renew), KEEP_MS) : undefined;
    }
  }

  async function keepHeld(now: number): Promise<void> {
    const until = now + LEASE_MS;
    const kept = await rows.keep([...held].map(toPaced), { now, until });
    for (const entry of held) {
      const found = kept.get(entry.host);
      if (found === undefined) lose(entry, now);
      else entry.until = until;
      if (found === 'wanted') entry.state = 'leaving';
    }
  }

  async function leave(entries: readonly Entry[]): Promise<void> {
    if (entries.length === 0) return;
    const now = clock.now();
    for (const entry of entries) lose(entry, now);
    await rows.give(entries.map(toPaced), now);
  }

  function lose(entry: Entry, now: number): void {
    held.delete(entry);
    entry.state = 'none';
    entry.askAgainAt = now + ASK_AGAIN_MS;
  }

  return {
    of(host: string, place: Place): HostLease {
      const entry: Entry = { ...place, host, state: 'none', until: 0, visits: 0, isWanted: false, askAgainAt: 0 };
      return {
        isHeld() {
          const now = clock.now();
          entry.isWanted = true;
          if (entry.state === 'none' && now >= entry.askAgainAt) ask(entry);
          return entry.state === 'held' && now < entry.until - MARGIN_MS;
        },
        begin() {
          entry.visits += 1;
          return () => {
            entry.visits -= 1;
            if (entry.visits > 0 || entry.state !== 'leaving') return;
            round(async () => leave([entry].filter((one) => one.visits === 0 && held.has(one))));
          };
        },
        isIdle: () => entry.state === 'none' && entry.visits === 0,
      };
    },

    /** Leaves all hosts to others; nothing is visited any more. */
    async close(): Promise<void> {
      clearTimeout(gathering);
      round(async () => leave([...held]));
      await last;
      clearTimeout(keeping);
    },
  };
}

function toPaced({ host, pace }: Entry): Paced {
  return [host, pace()];
}
