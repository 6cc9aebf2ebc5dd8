import { z } from 'zod';
import type { Clock } from '#kernel/clock.ts';
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
  readonly shown: { isFrozen: boolean };
  /** The last parameters of each command that stands, as JSON. */
  readonly standing: Map<string, string>;
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
const CLOSE_MS = 5_000;

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
export async function openBrowserContext(
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
    devtools.send('Target.closeTarget', { targetId }, clock.deadline(CLOSE_MS)).catch(ignore);
  }

  async function close(): Promise<void> {
    stopListening();
    const patience = clock.deadline(CLOSE_MS);
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

/** A window that is gone already is closed. */
function ignore(): void {}
