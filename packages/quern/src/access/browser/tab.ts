import { setMaxListeners } from 'node:events';
import { z } from 'zod';
import type { Clock } from '#kernel/clock.ts';
import type { BrowserContext } from './context.ts';
import { BrowserGone, CommandRefused, type DevToolsEvent } from './devtools.ts';
import { STOP_PAGE } from './scripts.ts';

/** The renderer process of the page crashed. */
export class TabCrashed extends Error {
  constructor() {
    super('the page crashed');
    this.name = 'TabCrashed';
  }
}

/** Attempts of one evaluation for a page that keeps navigating, and the time between them. */
const MAX_NAVIGATIONS = 40;
const NAVIGATION_POLL_MS = 50;
/** A fixed name, because each unnamed isolated world would be created again in every later document. */
const WORLD_NAME = 'quern';

const IsolatedWorld = z.object({ executionContextId: z.number() });
const EvaluateResult = z.object({
  result: z.object({ value: z.unknown().optional() }),
  exceptionDetails: z
    .object({ text: z.string(), exception: z.object({ description: z.string() }).partial().optional() })
    .optional(),
});
const FrameNavigated = z.object({ frame: z.object({ id: z.string(), parentId: z.string().optional() }) });

/** The page of a context during one visit. */
export type TabOptions = {
  readonly context: BrowserContext;
  readonly clock: Clock;
  readonly signal: AbortSignal;
};

/** Runs `work` with the page of a context for one visit, then removes all listeners of the visit. */
export async function runWithTab<T>(options: TabOptions, work: (tab: Tab) => Promise<T>): Promise<T> {
  const tab = new Tab(options);
  try {
    return await work(tab);
  } finally {
    tab.stopListening();
  }
}

/** The page of a context, for one visit. */
export class Tab {
  /** The id of the page and of its main frame. */
  readonly id: string;
  readonly contextId: string;
  readonly proxy: BrowserContext['proxy'];
  readonly page: BrowserContext['page'];
  /** Fires with the visit's signal, and when the visit fails. */
  readonly signal: AbortSignal;
  readonly #context: BrowserContext;
  readonly #clock: Clock;
  readonly #ending = new AbortController();
  /** Functions that remove the listeners. */
  readonly #listening: (() => void)[] = [];
  readonly #waiting = new Set<() => void>();
  /** The isolated world of the current document. */
  #world: number | null = null;

  constructor({ context, clock, signal }: TabOptions) {
    this.id = context.targetId;
    this.contextId = context.contextId;
    this.proxy = context.proxy;
    this.page = context.page;
    this.#context = context;
    this.#clock = clock;
    this.signal = AbortSignal.any([signal, this.#ending.signal]);
    setMaxListeners(0, this.signal);
    this.listen((event) => this.#onEvent(event));
  }

  /** Sends a command to the page under the tab's signal. */
  async send(method: string, params: Readonly<Record<string, unknown>> = {}): Promise<unknown> {
    return this.#context.session.send(method, params, this.signal);
  }

  /** Sends a command whose effect persists in the context; skips it if it was already sent with the same parameters. */
  async setOnce(method: string, params: Readonly<Record<string, unknown>> = {}): Promise<void> {
    const { activeCommands } = this.#context;
    const wanted = JSON.stringify(params);
    if (activeCommands.get(method) === wanted) return;
    activeCommands.delete(method);
    await this.send(method, params);
    activeCommands.set(method, wanted);
  }

  /** Sends a command to the browser under the tab's signal. */
  async sendToBrowser(method: string, params: Readonly<Record<string, unknown>>): Promise<unknown> {
    return this.#context.browser.devtools.send(method, params, this.signal);
  }

  /** Listens to all events of the page until the visit ends. Errors of the listener end the visit, not the service. */
  listen(listener: (event: DevToolsEvent) => void): void {
    const stop = this.#context.session.listen((event) => {
      try {
        listener(event);
      } catch (error) {
        this.#ending.abort(error);
      }
    });
    this.#listening.push(stop);
  }

  stopListening(): void {
    for (const stop of this.#listening) stop();
  }

  /** Ends the visit: everything that waits for the tab's signal throws `error`. */
  fail(error: Error): void {
    this.#ending.abort(error);
  }

  /** Evaluates an expression in the isolated world, invisible to the page's scripts; awaits a promise. */
  async evaluate<T>(expression: string, result: z.ZodType<T>): Promise<T> {
    for (let moves = 0; ; moves += 1) {
      try {
        return result.parse(await this.#evaluateOnce(expression));
      } catch (error) {
        if (!(error instanceof CommandRefused) || moves >= MAX_NAVIGATIONS) throw error;
        // The page navigated during the evaluation: try again in the next document.
        this.#world = null;
        await this.#clock.sleep(NAVIGATION_POLL_MS, this.signal);
      }
    }
  }

  /** Waits until `isSo` returns true (checked at each event of the page), at most `mostMs`; returns whether it did. */
  async waitUntil(isSo: () => boolean, mostMs: number): Promise<boolean> {
    if (isSo()) return true;
    const { signal } = this;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const look = (): void => {
      if (isSo()) resolve(true);
    };
    const onAbort = (): void => resolve(false);
    this.#waiting.add(look);
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    const timer = this.#clock.after(Math.max(0, mostMs), () => resolve(false));
    const answer = await promise;
    timer.close();
    this.#waiting.delete(look);
    signal.removeEventListener('abort', onAbort);
    signal.throwIfAborted();
    return answer;
  }

  #onEvent({ method, params }: DevToolsEvent): void {
    if (method === 'Inspector.targetCrashed') this.#ending.abort(new TabCrashed());
    if (method === 'Page.frameNavigated' && FrameNavigated.parse(params).frame.parentId === undefined)
      this.#world = null;
    if (method === 'Page.javascriptDialogOpening') {
      this.send('Page.handleJavaScriptDialog', { accept: isBeforeUnload(params) }).catch(ignoreEndedVisit);
    }
    // Run after the other listeners of the same event.
    queueMicrotask(() => {
      for (const look of this.#waiting) look();
    });
  }

  async #evaluateOnce(expression: string): Promise<unknown> {
    const params = { expression, contextId: await this.#ownWorld(), returnByValue: true, awaitPromise: true };
    const { result, exceptionDetails } = EvaluateResult.parse(await this.send('Runtime.evaluate', params));
    if (exceptionDetails === undefined) return result.value;
    throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  }

  async #ownWorld(): Promise<number> {
    if (this.#world !== null) return this.#world;
    const made = await this.send('Page.createIsolatedWorld', { frameId: this.id, worldName: WORLD_NAME });
    this.#world = IsolatedWorld.parse(made).executionContextId;
    return this.#world;
  }
}

/** Whether a dialog is a `beforeunload` one, which is accepted; all others are dismissed. */
function isBeforeUnload(params: unknown): boolean {
  return z.object({ type: z.string() }).parse(params).type === 'beforeunload';
}

/** Ignores an error of a visit that is ending anyway. */
function ignoreEndedVisit(): void {}

/** Whether an error means that the browser or tab failed, and not the target or the caller. */
export function isBrowserLost(error: unknown): boolean {
  return (
    error instanceof BrowserGone ||
    error instanceof TabCrashed ||
    error instanceof CommandRefused ||
    error instanceof z.ZodError
  );
}

/**
 * Freezes a page until the next one replaces it: disables its scripts and stops loading; its workers continue. Navigating to
 * an empty page instead would cost a tenth of the time of a page.
 */
export async function freezePage(tab: Tab): Promise<void> {
  tab.page.isFrozen = true;
  await Promise.all([
    tab.send('Emulation.setScriptExecutionDisabled', { value: true }),
    tab.evaluate(STOP_PAGE.expression, STOP_PAGE.result),
  ]);
  // Last, because scripts may have started a navigation before they were disabled.
  await tab.send('Page.stopLoading');
}

/** Enables scripts again, once the head of the next document has arrived. */
export async function unfreezePage(tab: Tab): Promise<void> {
  if (!tab.page.isFrozen) return;
  await tab.send('Emulation.setScriptExecutionDisabled', { value: false });
  tab.page.isFrozen = false;
}

/** Replaces a page with an empty one, which stops its animations and frees its memory. */
export async function clearPage(tab: Tab): Promise<void> {
  await tab.send('Page.navigate', { url: 'about:blank' });
}
