import { z } from 'zod';
import type { Clock, Timer } from '#kernel/clock.ts';
import type { ServiceError } from '#kernel/errors.ts';
import type { DevToolsEvent, TargetSession } from './devtools.ts';
import type { Browser } from './launch.ts';

/** A browser context with one page in it: no cookie, no cache and no storage of any other. */
export type BrowserContext = {
  readonly browser: Browser;
  readonly contextId: string;
  readonly targetId: string;
  readonly session: TargetSession;
  /** Whether the egress proxy has asked the context for its credentials: from then on it sends them unasked. */
  readonly proxy: { isMet: boolean };
  /** Whether the page that is shown was frozen. */
  readonly page: { isFrozen: boolean };
  /** The last parameters of each command that stands, as JSON. */
  readonly activeCommands: Map<string, string>;
  /** Closes the page and all that it opened, and forgets what it kept. */
  readonly close: () => Promise<void>;
};

export type BrowserContextOptions = {
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** Called when the context could not be closed in time: its browser is not to be trusted with more. */
  readonly onStuck: () => void;
};

/** The limit for closing a context or a window, ms. */
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

/** Opens a context, which stands until it is closed. */
export async function createBrowserContext(
  browser: Browser,
  { signal, clock, onStuck }: BrowserContextOptions,
): Promise<BrowserContext> {
  const { devtools } = browser;
  const context = Context.parse(await devtools.send('Target.createBrowserContext', { disposeOnDetach: true }, signal));
  const contextId = context.browserContextId;
  const stopListening = devtools.listen((event) => closePopup(event));

  /** A window that the page opened loads nothing. */
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

/** A window that is gone already is closed. */
function ignoreClosedTarget(): void {}

/** A browser context and its way out. */
export type PooledContext = { readonly context: BrowserContext; readonly egress: EgressAccess };

type ContextReuse<T> = {
  /** The key that it is kept under; null for never. */
  readonly name: string | null;
  /** Whether the context is fit for another page after this result. */
  readonly isFit: (done: T) => boolean;
};

/** The two steps that clean a context up: at once, and when no page has come after `CLEAR_AFTER_MS`. */
type ContextCleanup = {
  /** Stops the page of a context. */
  readonly freeze: (context: BrowserContext) => Promise<void>;
  /** Replaces the page of a context by an empty one. */
  readonly clear: (context: BrowserContext) => Promise<void>;
};

type ContextPoolOptions = ContextCleanup & { readonly clock: Clock };

/** The most pages of one context: what a page stores is there for the next ones. */
const MAX_PAGES_PER_CONTEXT = 20;
/** Bounds of idle contexts: their number, and their time, ms. */
const MAX_IDLE_CONTEXTS = 8;
const MAX_IDLE_MS = 30_000;
/** After this time without a next page the frozen one is replaced: its animations take a part of a core, ms. */
const CLEAR_AFTER_MS = 250;

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
    await closeContext(found);
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
      isKept = name !== null && count < MAX_PAGES_PER_CONTEXT && isFit(done);
      if (name !== null && isKept) this.#keep(pooled, name);
      return done;
    } finally {
      if (!isKept) await closeContext(pooled);
    }
  }

  /** Forgets all contexts; their browsers are closed by then. */
  close(): void {
    for (const one of this.#idle) {
      this.#remove(one);
      one.egress.revoke();
    }
  }

  #keep({ context, egress }: PooledContext, name: string): void {
    const timer = this.#clock.after(CLEAR_AFTER_MS, () => this.#rest(one)).unref();
    const one: IdleContext = { context, egress, name, timer, isClean: false, cleaned: Promise.resolve(false) };
    one.cleaned = this.#cleanUp(one, this.#cleanup.freeze);
    this.#idle.add(one);
    const [oldest] = this.#idle;
    if (this.#idle.size > MAX_IDLE_CONTEXTS && oldest !== undefined) this.#evict(oldest);
  }

  #rest(one: IdleContext): void {
    one.timer = this.#clock.after(MAX_IDLE_MS, () => this.#evict(one)).unref();
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
    void closeContext(one);
  }
}

async function closeContext({ context, egress }: PooledContext): Promise<void> {
  await context.close();
  egress.revoke();
}

/** The way of one visit through the egress proxy. */
export type EgressAccess = {
  readonly username: string;
  readonly password: string;
  /** Why the last connection to the host of a URL did not come about, null if it did or none was asked for. */
  readonly failureOf: (url: URL) => ServiceError | null;
  /** Ends all its connections, and lets it open no other. */
  readonly revoke: () => void;
};
