import { type RunUntimed, runTimed } from '#access/page.ts';
import { buildFailure } from '#access/failure.ts';
import type { Clock, Timer } from '#kernel/clock.ts';
import { type WorkOwner, SERVICE_OWNER } from '#kernel/fair-queue.ts';
import type { Browser } from './launch.ts';
import { BusyPages, isRendererProcess, measureMemory, listProcesses } from './processes.ts';
import type { PageSlots } from './page-slots.ts';

export type PoolLimits = {
  /** An idle browser is closed after this time, ms. */
  readonly idleMs: number;
  /** A browser is replaced after this number of pages, at this age in ms, or at this memory use in bytes. */
  readonly pages: number;
  readonly ageMs: number;
  readonly bytes: number;
  /** If all browsers together use more memory, the largest pages are killed, then the largest browsers. */
  readonly mostBytes: number;
  /** How often the memory of browsers with open pages is measured, ms. */
  readonly watchMs: number;
};

const MIB = 1024 * 1024;
/** Niceness of all browser processes, so that busy scripts do not slow down the event loop of the service. */
export const BROWSER_NICENESS = 5;
/** Niceness of a browser for a page that crashed its tab. */
const SUSPECT_NICENESS = 12;
/** Smaller pages are not killed to free memory. */
const LARGE_PAGE_BYTES = 256 * MIB;

export const POOL_LIMITS: Omit<PoolLimits, 'idleMs'> = {
  pages: 500,
  ageMs: 60 * 60_000,
  bytes: 1_024 * MIB,
  mostBytes: 3_072 * MIB,
  watchMs: 2_000,
};

export type PoolOptions = {
  /** Starts a browser with this niceness, as in nice(1). */
  readonly launch: (niceness: number) => Promise<Browser>;
  readonly limits: PoolLimits;
  /** Slots for concurrent pages, shared by pools on the same cores. */
  readonly slots: PageSlots;
  readonly clock: Clock;
};

/** The owner of a visit (undefined: the service itself), and the signal that ends it. */
export type PageVisitor = {
  readonly owner: WorkOwner | undefined;
  readonly signal: AbortSignal;
  /** Waits for a slot while the time limit is paused; absent if there is none. */
  readonly runUntimed?: RunUntimed | undefined;
};

type PoolMember = {
  readonly browser: Browser;
  readonly startedAt: number;
  pages: number;
  open: number;
  isRetired: boolean;
  memory: MemoryUse;
};

/** The last measured memory of a browser and of each of its processes, bytes, and the time of the measurement. */
type MemoryUse = {
  readonly bytes: number;
  readonly processes: readonly { readonly pid: number; readonly bytes: number }[];
  readonly at: number;
};

/** A browser that is started on demand, replaced when it is used up or dead, and closed when it is idle. */
export class BrowserPool {
  readonly #launch: PoolOptions['launch'];
  readonly #limits: PoolLimits;
  readonly #places: PageSlots;
  readonly #clock: Clock;
  readonly #members = new Set<PoolMember>();
  readonly #closing = new Set<Promise<void>>();
  /** The browser for new pages. */
  #current: PoolMember | null = null;
  /** The browser for new pages that is being started. */
  #next: Promise<PoolMember> | null = null;
  readonly #starting = new Set<Promise<PoolMember>>();
  #idle: Timer | undefined;
  #watch: Timer | undefined;
  readonly #busyPages = new BusyPages();
  #isClosed = false;

  constructor({ launch, limits, slots, clock }: PoolOptions) {
    this.#launch = launch;
    this.#limits = limits;
    this.#places = slots;
    this.#clock = clock;
  }

  /**
   * Runs work on a browser once the tenant gets a slot. Throws the signal's reason if the signal fires first,
   * `backend_unavailable` if no browser starts, and errors of the work.
   */
  async run<T>(work: (browser: Browser) => Promise<T>, visitor: PageVisitor): Promise<T> {
    return this.#place(visitor, async () => {
      const member = await this.#started(this.#ready(), visitor.signal);
      return this.#work(member, work);
    });
  }

  /** Runs work as `run` does, on a new browser without other pages, which may get further pages after success. */
  async runAlone<T>(work: (browser: Browser) => Promise<T>, visitor: PageVisitor): Promise<T> {
    return this.#place(visitor, async () => {
      const member = await this.#startFor(visitor, BROWSER_NICENESS);
      return this.#work(member, async (browser) => {
        const done = await work(browser);
        this.#take(member);
        return done;
      });
    });
  }

  /** Runs work as `run` does for a page that crashed its tab, on its own browser with low priority. */
  async runSuspect<T>(work: (browser: Browser) => Promise<T>, visitor: PageVisitor): Promise<T> {
    const { tenant } = visitor.owner ?? SERVICE_OWNER;
    this.#places.noteCrash(tenant);
    return this.#place(visitor, async () => this.#work(await this.#startFor(visitor, SUSPECT_NICENESS), work));
  }

  /** Opens no more pages in a browser that misbehaved; its open pages may finish. */
  retire(browser: Browser): void {
    const member = this.#members.values().find((one) => one.browser === browser);
    if (member !== undefined && !member.isRetired) this.#put(member);
  }

  /** Ids of the main processes of the running browsers. */
  pids(): readonly number[] {
    return [...this.#members].map(({ browser }) => browser.pid);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#idle?.close();
    this.#watch?.close();
    await Promise.allSettled(this.#starting);
    for (const member of this.#members) this.#end(member);
    await Promise.all(this.#closing);
  }

  async #place<T>(
    { owner = SERVICE_OWNER, signal, runUntimed = runTimed }: PageVisitor,
    work: () => Promise<T>,
  ): Promise<T> {
    const leave = await runUntimed(async () => this.#places.acquire(owner, signal));
    try {
      if (this.#isClosed) throw buildFailure('render_failed', 'the browsers are closed', { reason: 'closed' });
      return await work();
    } finally {
      leave();
    }
  }

  /** Starts a browser for one visit; closes it if it starts too late. */
  async #startFor({ signal }: PageVisitor, niceness: number): Promise<PoolMember> {
    const starting = this.#start(niceness);
    return this.#started(starting, signal).catch((error: unknown) => {
      starting.then((late) => this.#put(late)).catch(ignoreFailedStart);
      throw error;
    });
  }

  async #started(starting: Promise<PoolMember>, signal: AbortSignal): Promise<PoolMember> {
    return waitUnlessAborted(starting, signal).catch((error: unknown) => {
      signal.throwIfAborted();
      throw buildFailure('render_failed', 'the browser did not start', { reason: 'start', cause: error });
    });
  }

  async #work<T>(member: PoolMember, work: (browser: Browser) => Promise<T>): Promise<T> {
    this.#enter(member);
    try {
      return await work(member.browser);
    } finally {
      this.#leave(member);
    }
  }

  async #ready(): Promise<PoolMember> {
    if (this.#current !== null && this.#isWorn(this.#current)) this.#put(this.#current);
    if (this.#current !== null) return this.#current;
    this.#next ??= this.#start(BROWSER_NICENESS)
      .then((member) => {
        this.#take(member);
        if (this.#current === null || this.#current === member) return member;
        this.#put(member);
        return this.#current;
      })
      .finally(() => {
        this.#next = null;
      });
    return this.#next;
  }

  /** Makes a browser the one for new pages, unless there is one. */
  #take(member: PoolMember): void {
    if (this.#current !== null || this.#isClosed || !this.#members.has(member)) return;
    this.#current = member;
    member.isRetired = false;
    if (member.open === 0) this.#rest(member);
  }

  /** Starts a browser that is not used for new pages. */
  async #start(niceness: number): Promise<PoolMember> {
    const starting = this.#startOne(niceness);
    this.#starting.add(starting);
    return starting.finally(() => this.#starting.delete(starting));
  }

  async #startOne(niceness: number): Promise<PoolMember> {
    const browser = await this.#launch(niceness);
    const weight = { bytes: 0, processes: [], at: Number.NEGATIVE_INFINITY };
    const member: PoolMember = {
      browser,
      startedAt: this.#clock.monotonic(),
      pages: 0,
      open: 0,
      isRetired: true,
      memory: weight,
    };
    this.#members.add(member);
    void browser.ended.then(() => this.#forget(member));
    return member;
  }

  #enter(member: PoolMember): void {
    member.pages += 1;
    member.open += 1;
    if (this.#current === member) this.#idle?.close();
    this.#watch ??= this.#lookLater();
  }

  #leave(member: PoolMember): void {
    member.open -= 1;
    if (member.open > 0) return;
    if (!member.isRetired) this.#rest(member);
    else if (this.#members.has(member)) this.#end(member);
  }

  #rest(member: PoolMember): void {
    this.#idle?.close();
    this.#idle = this.#clock.after(this.#limits.idleMs, () => this.#put(member)).unref();
  }

  #put(member: PoolMember): void {
    if (this.#current === member) this.#current = null;
    member.isRetired = true;
    if (member.open === 0) this.#end(member);
  }

  #end(member: PoolMember): void {
    this.#forget(member);
    const ending = member.browser.close().finally(() => this.#closing.delete(ending));
    this.#closing.add(ending);
  }

  #forget(member: PoolMember): void {
    this.#members.delete(member);
    if (this.#current === member) this.#current = null;
  }

  #isWorn(member: PoolMember): boolean {
    const { startedAt, pages, memory } = member;
    const { pages: mostPages, ageMs, watchMs, bytes: mostBytes } = this.#limits;
    const now = this.#clock.monotonic();
    if (pages >= mostPages || now - startedAt >= ageMs) return true;
    if (pages % 10 !== 9) return false;
    // A measurement scans all processes of the machine, so reuse a recent one.
    const bytes = now - memory.at < watchMs ? memory.bytes : this.#weigh(member);
    return bytes >= mostBytes;
  }

  #weigh(member: PoolMember): number {
    const pids = listProcesses(member.browser.pid) ?? [];
    const processes = pids.map((pid) => ({ pid, bytes: measureMemory(pid) }));
    const bytes = sumBytes(processes);
    member.memory = { bytes, processes, at: this.#clock.monotonic() };
    return bytes;
  }

  /** Kills the largest pages and browsers while the total memory is too high, and lowers the priority of busy pages. */
  #look(): void {
    for (const member of this.#members) this.#weigh(member);
    const processes = [...this.#members].flatMap(({ memory }) => memory.processes);
    this.#busyPages.update(
      processes.map(({ pid }) => pid),
      this.#clock.monotonic(),
    );
    let excess = sumBytes(processes) - this.#limits.mostBytes;
    for (const { pid, bytes } of sortLargestFirst(processes)) {
      if (excess <= 0 || bytes < LARGE_PAGE_BYTES) break;
      if (isRendererProcess(pid)) excess -= killProcess(pid) ? bytes : 0;
    }
    for (const { member, bytes } of sortLargestFirst(this.#members.values().map(toSized).toArray())) {
      if (excess <= 0) break;
      excess -= bytes;
      this.#end(member);
    }
    this.#watch = this.#members.values().some(({ open }) => open > 0) ? this.#lookLater() : undefined;
  }

  #lookLater(): Timer {
    return this.#clock.after(this.#limits.watchMs, () => this.#look()).unref();
  }
}

function toSized(member: PoolMember): Sized & { readonly member: PoolMember } {
  return { member, bytes: member.memory.bytes };
}

type Sized = { readonly bytes: number };

function sumBytes(sizes: readonly Sized[]): number {
  return sizes.reduce((all, { bytes }) => all + bytes, 0);
}

function sortLargestFirst<T extends Sized>(sizes: readonly T[]): readonly T[] {
  return sizes.toSorted((one, other) => other.bytes - one.bytes);
}

/** Kills a process; returns whether it did. */
function killProcess(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch {
    return false;
  }
}

/** Ignores a browser that failed to start. */
function ignoreFailedStart(): void {}

/** Waits for work, but throws the signal's reason if the signal fires; a browser that is starting serves the next visit. */
async function waitUnlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
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
