import { failed } from '#access/failure.ts';
import type { Clock, Timer } from '#kernel/clock.ts';
import type { Slots } from './slots.ts';
import type { Browser } from './launch.ts';
import { memoryOf } from './memory.ts';

export type PoolLimits = {
  /** A browser without work is closed after this time, ms. */
  readonly idleMs: number;
  /** A browser is replaced after so many pages, ms, or bytes of memory. */
  readonly pages: number;
  readonly ageMs: number;
  readonly bytes: number;
  /** Beyond this memory it is ended at once, with the pages in it. */
  readonly mostBytes: number;
  /** How often the memory of a browser with open pages is looked at, ms. */
  readonly watchMs: number;
};

const MIB = 1024 * 1024;

export const POOL_LIMITS: Omit<PoolLimits, 'idleMs'> = {
  pages: 500,
  ageMs: 60 * 60_000,
  bytes: 1_024 * MIB,
  mostBytes: 3_072 * MIB,
  watchMs: 2_000,
};

export type Pool = {
  /**
   * Runs work on a browser, first come, first served; throws the signal's reason when that fires while it waits, and
   * `backend_unavailable` when no browser starts. What the work throws passes through.
   */
  readonly run: <T>(work: (browser: Browser) => Promise<T>, signal: AbortSignal) => Promise<T>;
  /** Takes no more pages into a browser that misbehaved; those that are open may end. */
  readonly retire: (browser: Browser) => void;
  /** The processes at the roots of the browsers that run. */
  readonly pids: () => readonly number[];
  readonly close: () => Promise<void>;
};

export type PoolOptions = {
  readonly launch: () => Promise<Browser>;
  readonly limits: PoolLimits;
  /** Where pages are opened; shared by pools that work on the same cores. */
  readonly places: Slots;
  /** One that no one can set. */
  readonly clock: Clock;
};

type Member = {
  readonly browser: Browser;
  readonly bornAt: number;
  pages: number;
  open: number;
  isRetired: boolean;
  /** Its memory as it was last looked at, and when; bytes. */
  weight: { readonly bytes: number; readonly at: number };
};

/** A browser that is started when it is first needed, replaced when it is worn or dead, and closed when it is idle. */
export function openPool({ launch, limits, places, clock }: PoolOptions): Pool {
  const members = new Set<Member>();
  const closing = new Set<Promise<void>>();
  let current: Member | null = null;
  let starting: Promise<Member> | null = null;
  let idle: Timer | undefined;
  let watch: Timer | undefined;
  let isClosed = false;

  async function start(): Promise<Member> {
    const browser = await launch();
    const now = clock.monotonic();
    const weight = { bytes: 0, at: Number.NEGATIVE_INFINITY };
    const member: Member = { browser, bornAt: now, pages: 0, open: 0, isRetired: false, weight };
    members.add(member);
    current = member;
    rest(member);
    void browser.ended.then(() => forget(member));
    return member;
  }

  function forget(member: Member): void {
    members.delete(member);
    if (current === member) current = null;
  }

  function put(member: Member): void {
    if (current === member) current = null;
    member.isRetired = true;
    if (member.open === 0) end(member);
  }

  function end(member: Member): void {
    forget(member);
    const ending = member.browser.close().finally(() => closing.delete(ending));
    closing.add(ending);
  }

  async function ready(): Promise<Member> {
    if (current !== null && isWorn(current)) put(current);
    if (current !== null) return current;
    starting ??= start().finally(() => {
      starting = null;
    });
    return starting;
  }

  function isWorn(member: Member): boolean {
    const { bornAt, pages } = member;
    if (pages >= limits.pages || clock.monotonic() - bornAt >= limits.ageMs) return true;
    if (pages % 10 !== 9) return false;
    // Each look goes through all processes of the machine; what the watch has just seen will do.
    const isFresh = clock.monotonic() - member.weight.at < limits.watchMs;
    return (isFresh ? member.weight.bytes : weigh(member)) >= limits.bytes;
  }

  function weigh(member: Member): number {
    member.weight = { bytes: memoryOf(member.browser.pid) ?? 0, at: clock.monotonic() };
    return member.weight.bytes;
  }

  function look(): void {
    for (const member of members) {
      if (weigh(member) >= limits.mostBytes) end(member);
    }
    watch = members.values().some(({ open }) => open > 0) ? clock.after(limits.watchMs, look).unref() : undefined;
  }

  function enter(member: Member): void {
    member.pages += 1;
    member.open += 1;
    idle?.close();
    watch ??= clock.after(limits.watchMs, look).unref();
  }

  function leave(member: Member): void {
    member.open -= 1;
    if (member.open > 0) return;
    if (member.isRetired) {
      if (members.has(member)) end(member);
      return;
    }
    rest(member);
  }

  function rest(member: Member): void {
    idle?.close();
    idle = clock.after(limits.idleMs, () => put(member)).unref();
  }

  async function run<T>(work: (browser: Browser) => Promise<T>, signal: AbortSignal): Promise<T> {
    await places.take(signal);
    try {
      if (isClosed) throw failed('render_failed', 'the browsers are closed', { reason: 'closed' });
      const member = await untilAborted(ready(), signal).catch((error: unknown) => {
        signal.throwIfAborted();
        throw failed('render_failed', 'the browser did not start', { reason: 'start', cause: error });
      });
      enter(member);
      try {
        return await work(member.browser);
      } finally {
        leave(member);
      }
    } finally {
      places.free();
    }
  }

  return {
    run,
    retire(browser) {
      const member = members.values().find((one) => one.browser === browser);
      if (member !== undefined && !member.isRetired) put(member);
    },
    pids: () => [...members].map(({ browser }) => browser.pid),
    async close() {
      isClosed = true;
      idle?.close();
      watch?.close();
      await starting?.catch(() => undefined);
      for (const member of members) end(member);
      await Promise.all(closing);
    },
  };
}

/** Waits no longer than the signal; a browser that is being started serves the next one. */
async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
