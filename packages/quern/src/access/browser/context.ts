import { z } from 'zod';
import type { Clock, Timer } from '#kernel/clock.ts';
import type { ServiceError } from '#kernel/errors.ts';
import type { DevToolsEvent, TargetSession } from './devtools.ts';
import type { Browser } from './launch.ts';

/** An isolated browser context with one page: own cookies, cache and storage. */
export type BrowserContext = {
  readonly browser: Browser;
  readonly contextId: string;
  readonly targetId: string;
  readonly session: TargetSession;
  /** Whether the context has already sent its proxy credentials; from then on it sends them without being asked. */
  readonly proxy: { isMet: boolean };
  /** Whether the current page is frozen. */
  readonly page: { isFrozen: boolean };
  /** Last parameters (JSON) of each command whose effect persists. */
  readonly activeCommands: Map<string, string>;
  /** Closes the page and everything that it opened, and deletes its data. */
  readonly close: () => Promise<void>;
};

export type BrowserContextOptions = {
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** Called if the context could not be closed in time, so that its browser gets no more pages. */
  readonly onStuck: () => void;
};

/** Time limit for closing a context or a window. */
const CLOSE_TIMEOUT_MS = 5_000;

const Context = z.object({ browserContextId: z.string() });
const Target = z.object({ targetId: z.string() });
const Attached = z.object({ sessionId: z.string() });
const Opened = z.object({
  targetInfo: z.object({
    targetId: z.string(),
    openerId: z.string().optional(),
    browserContextId: z.string().optional(),
  }),
});

/** Creates a context, which exists until it is closed. */
export async function createBrowserContext(
  browser: Browser,
  { signal, clock, onStuck }: BrowserContextOptions,
): Promise<BrowserContext> {
  const { devtools } = browser;
  const context = Context.parse(await devtools.send('Target.createBrowserContext', { disposeOnDetach: true }, signal));
  const contextId = context.browserContextId;
  const stopListening = devtools.listen((event) => closePopup(event));

  /** Closes windows that the page opens. */
  function closePopup({ method, params }: DevToolsEvent): void {
    if (method !== 'Target.targetCreated') return;
    const { openerId, targetId, browserContextId } = Opened.safeParse(params).data?.targetInfo ?? {};
    if (openerId === undefined || browserContextId !== contextId) return;
    devtools.send('Target.closeTarget', { targetId }, clock.deadline(CLOSE_TIMEOUT_MS)).catch(ignoreClosedTarget);
  }

  async function close(): Promise<void> {
    stopListening();
    const patience = clock.deadline(CLOSE_TIMEOUT_MS);
    await devtools.send('Target.disposeBrowserContext', { browserContextId: contextId }, patience).catch(onStuck);
  }

  try {
    const target = { url: 'about:blank', browserContextId: contextId };
    const [made] = await Promise.all([
      devtools.send('Target.createTarget', target, signal),
      devtools.send('Browser.setDownloadBehavior', { behavior: 'deny', browserContextId: contextId }, signal),
    ]);
    const { targetId } = Target.parse(made);
    const attached = await devtools.send('Target.attachToTarget', { targetId, flatten: true }, signal);
    const session = devtools.session(Attached.parse(attached).sessionId);
    const [proxy, shown, standing] = [{ isMet: false }, { isFrozen: false }, new Map<string, string>()];
    return { browser, contextId, targetId, session, proxy, page: shown, activeCommands: standing, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Ignores errors for a window that is already closed. */
function ignoreClosedTarget(): void {}

/** A browser context and its egress credentials. */
export type PooledContext = { readonly context: BrowserContext; readonly egress: EgressAccess };

type ContextReuse<T> = {
  /** The key under which it is kept for reuse; null to not reuse it. */
  readonly name: string | null;
  /** Whether the context may be reused after this result. */
  readonly isFit: (done: T) => boolean;
};

/** The two cleanup steps of a context: immediately, and after `CLEAR_AFTER_MS` without a next page. */
type ContextCleanup = {
  /** Stops the page of a context. */
  readonly freeze: (context: BrowserContext) => Promise<void>;
  /** Replaces the page of a context with an empty one. */
  readonly clear: (context: BrowserContext) => Promise<void>;
};

type ContextPoolOptions = ContextCleanup & { readonly clock: Clock };

/** Maximum pages of one context, because stored data of a page is visible to the next ones. */
const MAX_PAGES_PER_CONTEXT = 20;
/** Limits of idle contexts: their number, and their idle time. */
const MAX_IDLE_CONTEXTS = 8;
const MAX_IDLE_MS = 30_000;
/** After this time, a frozen page is replaced with an empty one, because its animations use CPU. */
const CLEAR_AFTER_MS = 250;

type IdleContext = PooledContext & {
  readonly name: string;
  timer: Timer;
  /** Resolves with whether the cleanup succeeded. */
  cleaned: Promise<boolean>;
  isClean: boolean;
};

/** Contexts that are reused for pages of the same crawl job and host; contexts without a name serve a single page. */
export class ContextPool {
  readonly #cleanup: ContextCleanup;
  readonly #clock: Clock;
  readonly #pages = new WeakMap<BrowserContext, number>();
  readonly #idle = new Set<IdleContext>();

  constructor({ clock, ...cleanup }: ContextPoolOptions) {
    this.#clock = clock;
    this.#cleanup = cleanup;
  }

  /** Takes an idle context with this name in this browser; null if there is none. */
  async take(browser: Browser, name: string | null): Promise<PooledContext | null> {
    const fitting = [...this.#idle].filter((one) => one.name === name && one.context.browser === browser);
    const context = fitting.find(({ isClean }) => isClean) ?? fitting[0];
    if (context === undefined) return null;
    this.#remove(context);
    if (await context.cleaned) return context;
    await closeContext(context);
    return null;
  }

  /** Runs work in a context; on success it is cleaned up in the background and kept, else closed. */
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
      isKept = name !== null && count < MAX_PAGES_PER_CONTEXT && isFit(done);
      if (name !== null && isKept) this.#keep(pooled, name);
      return done;
    } finally {
      if (!isKept) await closeContext(pooled);
    }
  }

  /** Discards all contexts; their browsers must be closed before. */
  close(): void {
    for (const idle of this.#idle) {
      this.#remove(idle);
      idle.egress.revoke();
    }
  }

  #keep({ context, egress }: PooledContext, name: string): void {
    const timer = this.#clock.after(CLEAR_AFTER_MS, () => this.#rest(idle)).unref();
    const idle: IdleContext = { context, egress, name, timer, isClean: false, cleaned: Promise.resolve(false) };
    idle.cleaned = this.#cleanUp(idle, this.#cleanup.freeze);
    this.#idle.add(idle);
    const [oldest] = this.#idle;
    if (this.#idle.size > MAX_IDLE_CONTEXTS && oldest !== undefined) this.#evict(oldest);
  }

  #rest(idle: IdleContext): void {
    idle.timer = this.#clock.after(MAX_IDLE_MS, () => this.#evict(idle)).unref();
    idle.cleaned = idle.cleaned.then(async (isClean) => isClean && this.#cleanUp(idle, this.#cleanup.clear));
  }

  async #cleanUp(idle: IdleContext, clean: ContextCleanup['freeze']): Promise<boolean> {
    idle.isClean = false;
    try {
      await clean(idle.context);
      idle.isClean = true;
    } catch {
      if (this.#idle.has(idle)) this.#evict(idle);
    }
    return idle.isClean;
  }

  #remove(idle: IdleContext): void {
    idle.timer.close();
    this.#idle.delete(idle);
  }

  #evict(idle: IdleContext): void {
    this.#remove(idle);
    void closeContext(idle);
  }
}

async function closeContext({ context, egress }: PooledContext): Promise<void> {
  await context.close();
  egress.revoke();
}

/** The credentials of one visit at the egress proxy. */
export type EgressAccess = {
  readonly username: string;
  readonly password: string;
  /** The error of the last connection to the host of a URL; null if it succeeded or there was none. */
  readonly failureOf: (url: URL) => ServiceError | null;
  /** Closes all its connections and rejects new ones. */
  readonly revoke: () => void;
};
