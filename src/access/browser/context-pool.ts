import type { Timer } from '#kernel/clock.ts';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import type { Exit } from './exit.ts';
import type { Browser } from './launch.ts';
import type { BrowserContext } from './tab.ts';

/** A browser context and its way out. */
export type PooledContext = { readonly context: BrowserContext; readonly exit: Exit };

export type ContextReuse<T> = {
  /** Under which it is kept; null for never. */
  readonly name: string | null;
  /** Whether what the work came to leaves a context that the next page may have. */
  readonly isFit: (done: T) => boolean;
};

/** Contexts that pages of one crawl job and one host use one after the other. */
export type ContextPool = {
  /** An idle context of that name, in that browser; null when there is none. */
  readonly take: (browser: Browser, name: string | null) => Promise<PooledContext | null>;
  /** Does work in a context; when that went well the context is cleaned up in the background and kept, else closed. */
  readonly use: <T>(
    context: PooledContext,
    reuse: ContextReuse<T>,
    work: (context: PooledContext) => Promise<T>,
  ) => Promise<T>;
  /** Forgets all contexts; their browsers are closed by then. */
  readonly close: () => void;
};

/** The two steps that clean a context up: at once, and when no page has come after `RESTLESS_MS`. */
export type ContextCleanup = {
  /** Stops the page of a context. */
  readonly freeze: (context: BrowserContext) => Promise<void>;
  /** Replaces the page of a context by an empty one. */
  readonly clear: (context: BrowserContext) => Promise<void>;
};

/** What a page keeps is there for the next ones, so many of them together. */
const PAGES = 20;
/** Bounds of idle contexts: their number, and their time, ms. */
const MOST_IDLE = 8;
const IDLE_MS = 30_000;
/** What the last page moves without scripts costs its part of a core so long, ms. */
const RESTLESS_MS = 250;

type IdleContext = PooledContext & {
  readonly name: string;
  timer: Timer;
  /** Whether it could be cleaned up. */
  cleaned: Promise<boolean>;
  isClean: boolean;
};

/** Opens a pool of contexts; one without a name serves a single page. */
export function openContextPool({ freeze, clear }: ContextCleanup): ContextPool {
  const pages = new WeakMap<BrowserContext, number>();
  const idle = new Set<IdleContext>();

  function remove(one: IdleContext): void {
    one.timer.close();
    idle.delete(one);
  }

  function evict(one: IdleContext): void {
    remove(one);
    void shut(one);
  }

  function keep({ context, exit }: PooledContext, name: string): void {
    const timer = SYSTEM_CLOCK.after(RESTLESS_MS, () => rest(one)).unref();
    const one: IdleContext = { context, exit, name, timer, isClean: false, cleaned: Promise.resolve(false) };
    one.cleaned = cleanUp(one, freeze);
    idle.add(one);
    const [oldest] = idle;
    if (idle.size > MOST_IDLE && oldest !== undefined) evict(oldest);
  }

  function rest(one: IdleContext): void {
    one.timer = SYSTEM_CLOCK.after(IDLE_MS, () => evict(one)).unref();
    one.cleaned = one.cleaned.then(async (isClean) => isClean && cleanUp(one, clear));
  }

  async function cleanUp(one: IdleContext, clean: ContextCleanup['freeze']): Promise<boolean> {
    one.isClean = false;
    try {
      await clean(one.context);
      one.isClean = true;
    } catch {
      if (idle.has(one)) evict(one);
    }
    return one.isClean;
  }

  return {
    async take(browser, name) {
      const fitting = [...idle].filter((one) => one.name === name && one.context.browser === browser);
      const found = fitting.find(({ isClean }) => isClean) ?? fitting[0];
      if (found === undefined) return null;
      remove(found);
      if (await found.cleaned) return found;
      await shut(found);
      return null;
    },
    async use(pooled, { name, isFit }, work) {
      const count = (pages.get(pooled.context) ?? 0) + 1;
      pages.set(pooled.context, count);
      let isKept = false;
      try {
        const done = await work(pooled);
        isKept = name !== null && count < PAGES && isFit(done);
        if (name !== null && isKept) keep(pooled, name);
        return done;
      } finally {
        if (!isKept) await shut(pooled);
      }
    },
    close() {
      for (const one of idle) {
        remove(one);
        one.exit.revoke();
      }
    },
  };
}

async function shut({ context, exit }: PooledContext): Promise<void> {
  await context.close();
  exit.revoke();
}
