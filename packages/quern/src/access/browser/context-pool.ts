import type { Clock, Timer } from '#kernel/clock.ts';
import type { BrowserContext } from './context.ts';
import type { Exit } from './exit.ts';
import type { Browser } from './launch.ts';

/** A browser context and its way out. */
export type PooledContext = { readonly context: BrowserContext; readonly exit: Exit };

export type ContextReuse<T> = {
  /** The key that it is kept under; null for never. */
  readonly name: string | null;
  /** Whether the context is fit for another page after this result. */
  readonly isFit: (done: T) => boolean;
};

/** The two steps that clean a context up: at once, and when no page has come after `RESTLESS_MS`. */
export type ContextCleanup = {
  /** Stops the page of a context. */
  readonly freeze: (context: BrowserContext) => Promise<void>;
  /** Replaces the page of a context by an empty one. */
  readonly clear: (context: BrowserContext) => Promise<void>;
};

export type ContextPoolOptions = ContextCleanup & { readonly clock: Clock };

/** The most pages of one context: what a page stores is there for the next ones. */
const PAGES = 20;
/** Bounds of idle contexts: their number, and their time, ms. */
const MAX_IDLE = 8;
const IDLE_MS = 30_000;
/** After this time without a next page the frozen one is replaced: its animations take a part of a core, ms. */
const RESTLESS_MS = 250;

type IdleContext = PooledContext & {
  readonly name: string;
  timer: Timer;
  /** Whether it could be cleaned up. */
  cleaned: Promise<boolean>;
  isClean: boolean;
};

/** Contexts that pages of one crawl job and one host use one after the other; one without a name serves a single page. */
export class ContextPool {
  readonly #cleanup: ContextCleanup;
  readonly #clock: Clock;
  readonly #pages = new WeakMap<BrowserContext, number>();
  readonly #idle = new Set<IdleContext>();

  constructor({ clock, ...cleanup }: ContextPoolOptions) {
    this.#clock = clock;
    this.#cleanup = cleanup;
  }

  /** An idle context of that name, in that browser; null when there is none. */
  async take(browser: Browser, name: string | null): Promise<PooledContext | null> {
    const fitting = [...this.#idle].filter((one) => one.name === name && one.context.browser === browser);
    const found = fitting.find(({ isClean }) => isClean) ?? fitting[0];
    if (found === undefined) return null;
    this.#remove(found);
    if (await found.cleaned) return found;
    await shut(found);
    return null;
  }

  /** Does work in a context; when that went well the context is cleaned up in the background and kept, else closed. */
  async use<T>(
    pooled: PooledContext,
    { name, isFit }: ContextReuse<T>,
    work: (context: PooledContext) => Promise<T>,
  ): Promise<T> {
    const count = (this.#pages.get(pooled.context) ?? 0) + 1;
    this.#pages.set(pooled.context, count);
    let isKept = false;
    try {
      const done = await work(pooled);
      isKept = name !== null && count < PAGES && isFit(done);
      if (name !== null && isKept) this.#keep(pooled, name);
      return done;
    } finally {
      if (!isKept) await shut(pooled);
    }
  }

  /** Forgets all contexts; their browsers are closed by then. */
  close(): void {
    for (const one of this.#idle) {
      this.#remove(one);
      one.exit.revoke();
    }
  }

  #keep({ context, exit }: PooledContext, name: string): void {
    const timer = this.#clock.after(RESTLESS_MS, () => this.#rest(one)).unref();
    const one: IdleContext = { context, exit, name, timer, isClean: false, cleaned: Promise.resolve(false) };
    one.cleaned = this.#cleanUp(one, this.#cleanup.freeze);
    this.#idle.add(one);
    const [oldest] = this.#idle;
    if (this.#idle.size > MAX_IDLE && oldest !== undefined) this.#evict(oldest);
  }

  #rest(one: IdleContext): void {
    one.timer = this.#clock.after(IDLE_MS, () => this.#evict(one)).unref();
    one.cleaned = one.cleaned.then(async (isClean) => isClean && this.#cleanUp(one, this.#cleanup.clear));
  }

  async #cleanUp(one: IdleContext, clean: ContextCleanup['freeze']): Promise<boolean> {
    one.isClean = false;
    try {
      await clean(one.context);
      one.isClean = true;
    } catch {
      if (this.#idle.has(one)) this.#evict(one);
    }
    return one.isClean;
  }

  #remove(one: IdleContext): void {
    one.timer.close();
    this.#idle.delete(one);
  }

  #evict(one: IdleContext): void {
    this.#remove(one);
    void shut(one);
  }
}

async function shut({ context, exit }: PooledContext): Promise<void> {
  await context.close();
  exit.revoke();
}
