import { setMaxListeners } from 'node:events';
import { z } from 'zod';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import { BrowserGone, CommandRefused } from './devtools.ts';
import type { DevToolsEvent, TargetSession } from './devtools.ts';
import type { Browser } from './launch.ts';

/** The page of a context as one visit has it. */
export type Tab = {
  /** The id of the page and of its main frame. */
  readonly id: string;
  readonly contextId: string;
  /** Whether the context has been asked by the egress proxy who it is: from then on it says so by itself. */
  readonly proxy: { isMet: boolean };
  /** Whether the page that is shown was made to do nothing. */
  readonly shown: { isFrozen: boolean };
  /** Fires with the visit's signal, and when the page or a rule of ours ends the visit. */
  readonly signal: AbortSignal;
  /** Sends a command to the page under the tab's signal. */
  readonly send: (method: string, params?: Readonly<Record<string, unknown>>) => Promise<unknown>;
  /** Sends a command whose effect outlives the page that is shown; not again while it stands in the context. */
  readonly set: (method: string, params?: Readonly<Record<string, unknown>>) => Promise<void>;
  /** Sends a command to the browser under the tab's signal. */
  readonly sendToBrowser: (method: string, params: Readonly<Record<string, unknown>>) => Promise<unknown>;
  /** Hears every event of the page until the visit ends. */
  readonly listen: (listener: (event: DevToolsEvent) => void) => void;
  /** Ends the visit: whatever waits on the tab's signal throws `error`. */
  readonly fail: (error: Error) => void;
  /** Runs an expression beside the page's own scripts, where these cannot see it; waits when it gives a promise. */
  readonly evaluate: <T>(expression: string, result: z.ZodType<T>) => Promise<T>;
  /** Waits until `isSo`, asked at each event of the page, or for `mostMs`; answers whether it is so. */
  readonly until: (isSo: () => boolean, mostMs: number) => Promise<boolean>;
};

/** The page's process ended under it. */
export class TabCrashed extends Error {
  constructor() {
    super('the page crashed');
    this.name = 'TabCrashed';
  }
}

const CLOSE_MS = 5_000;
/** A page that keeps going elsewhere while it is asked. */
const MOST_MOVES = 40;
const MOVE_MS = 50;
/** A world without a name is a new one each time, and each document of a context is given all that there ever were. */
const WORLD = 'quern';

const Context = z.object({ browserContextId: z.string() });
const Target = z.object({ targetId: z.string() });
const Attached = z.object({ sessionId: z.string() });
const World = z.object({ executionContextId: z.number() });
const Evaluated = z.object({
  result: z.object({ value: z.unknown() }),
  exceptionDetails: z
    .object({ text: z.string(), exception: z.object({ description: z.string() }).partial().optional() })
    .optional(),
});
const Opened = z.object({
  targetInfo: z.object({
    targetId: z.string(),
    openerId: z.string().optional(),
    browserContextId: z.string().optional(),
  }),
});
const Navigated = z.object({ frame: z.object({ id: z.string(), parentId: z.string().optional() }) });

/** A browser context with one page in it: no cookie, no cache and no storage of any other. */
export type BrowserContext = {
  readonly browser: Browser;
  readonly contextId: string;
  readonly targetId: string;
  readonly session: TargetSession;
  readonly proxy: Tab['proxy'];
  readonly shown: Tab['shown'];
  /** The last parameters of each command that stands, as JSON. */
  readonly standing: Map<string, string>;
  /** Closes the page and all that it opened, and forgets what it kept. */
  readonly close: () => Promise<void>;
};

export type BrowserContextOptions = {
  readonly signal: AbortSignal;
  /** Told when the context could not be closed in time: its browser is not to be trusted with more. */
  readonly onStuck: () => void;
};

/** Opens a context, which stands until it is closed. */
export async function openBrowserContext(
  browser: Browser,
  { signal, onStuck }: BrowserContextOptions,
): Promise<BrowserContext> {
  const { devtools } = browser;
  const context = Context.parse(await devtools.send('Target.createBrowserContext', { disposeOnDetach: true }, signal));
  const contextId = context.browserContextId;
  const deaf = devtools.listen((event) => closePopup(event));

  /** A window that the page opened loads nothing for anybody. */
  function closePopup({ method, params }: DevToolsEvent): void {
    if (method !== 'Target.targetCreated') return;
    const { openerId, targetId, browserContextId } = Opened.safeParse(params).data?.targetInfo ?? {};
    if (openerId === undefined || browserContextId !== contextId) return;
    devtools.send('Target.closeTarget', { targetId }, SYSTEM_CLOCK.deadline(CLOSE_MS)).catch(ignore);
  }

  async function close(): Promise<void> {
    deaf();
    const patience = SYSTEM_CLOCK.deadline(CLOSE_MS);
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
    return { browser, contextId, targetId, session, proxy, shown, standing, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Hands the page of a context to `work` for one visit; after it nothing of the visit hears the page any more. */
export async function withTab<T>(
  context: BrowserContext,
  signal: AbortSignal,
  work: (tab: Tab) => Promise<T>,
): Promise<T> {
  const ending = new AbortController();
  const whole = AbortSignal.any([signal, ending.signal]);
  setMaxListeners(0, whole);
  const ears: (() => void)[] = [];
  try {
    return await work(openTab({ context, ending, signal: whole, ears }));
  } finally {
    for (const deaf of ears) deaf();
  }
}

type Parts = Pick<Tab, 'signal'> & {
  readonly context: BrowserContext;
  readonly ending: AbortController;
  /** Filled with what ends the listening. */
  readonly ears: (() => void)[];
};

function openTab({ context, signal, ending, ears }: Parts): Tab {
  const { targetId: id, contextId, session, browser, proxy, shown, standing } = context;
  let world: number | null = null;
  const waiting = new Set<() => void>();

  /** What a listener of ours cannot read ends the visit, not the service. */
  function listen(listener: (event: DevToolsEvent) => void): void {
    ears.push(
      session.listen((event) => {
        try {
          listener(event);
        } catch (error) {
          ending.abort(error);
        }
      }),
    );
  }

  listen(({ method, params }) => {
    if (method === 'Inspector.targetCrashed') ending.abort(new TabCrashed());
    if (method === 'Page.frameNavigated' && Navigated.parse(params).frame.parentId === undefined) world = null;
    if (method === 'Page.javascriptDialogOpening') {
      session.send('Page.handleJavaScriptDialog', { accept: isLeaving(params) }, signal).catch(ignore);
    }
    // After the other listeners of the same event.
    queueMicrotask(() => {
      for (const look of waiting) look();
    });
  });

  async function set(method: string, params: Readonly<Record<string, unknown>> = {}): Promise<void> {
    const wanted = JSON.stringify(params);
    if (standing.get(method) === wanted) return;
    standing.delete(method);
    await session.send(method, params, signal);
    standing.set(method, wanted);
  }

  async function ownWorld(): Promise<number> {
    if (world !== null) return world;
    const made = await session.send('Page.createIsolatedWorld', { frameId: id, worldName: WORLD }, signal);
    world = World.parse(made).executionContextId;
    return world;
  }

  async function evaluateOnce(expression: string): Promise<unknown> {
    const params = { expression, contextId: await ownWorld(), returnByValue: true, awaitPromise: true };
    const { result, exceptionDetails } = Evaluated.parse(await session.send('Runtime.evaluate', params, signal));
    if (exceptionDetails === undefined) return result.value;
    throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  }

  return {
    id,
    contextId,
    proxy,
    shown,
    signal,
    send: async (method, params = {}) => session.send(method, params, signal),
    set,
    sendToBrowser: async (method, params) => browser.devtools.send(method, params, signal),
    listen,
    fail: (error) => ending.abort(error),
    async evaluate(expression, result) {
      for (let moves = 0; ; moves += 1) {
        try {
          return result.parse(await evaluateOnce(expression));
        } catch (error) {
          if (!(error instanceof CommandRefused) || moves >= MOST_MOVES) throw error;
          // The page went elsewhere under the question; it is put to the next one.
          world = null;
          await SYSTEM_CLOCK.sleep(MOVE_MS, signal);
        }
      }
    },
    async until(isSo, mostMs) {
      if (isSo()) return true;
      const { promise, resolve } = Promise.withResolvers<boolean>();
      const look = (): void => {
        if (isSo()) resolve(true);
      };
      const onAbort = (): void => resolve(false);
      waiting.add(look);
      signal.addEventListener('abort', onAbort, { once: true });
      if (signal.aborted) onAbort();
      const timer = SYSTEM_CLOCK.after(Math.max(0, mostMs), () => resolve(false));
      const answer = await promise;
      timer.close();
      waiting.delete(look);
      signal.removeEventListener('abort', onAbort);
      signal.throwIfAborted();
      return answer;
    },
  };
}

/** A page that asks whether it may be left is left; every other question is answered with no. */
function isLeaving(params: unknown): boolean {
  return z.object({ type: z.string() }).parse(params).type === 'beforeunload';
}

/** The visit ends for its own reason, and that is told where it ends. */
function ignore(): void {}

/** Whether an error says that the browser or the page is lost, and not that the target or the caller did something. */
export function isLost(error: unknown): boolean {
  return (
    error instanceof BrowserGone ||
    error instanceof TabCrashed ||
    error instanceof CommandRefused ||
    error instanceof z.ZodError
  );
}
