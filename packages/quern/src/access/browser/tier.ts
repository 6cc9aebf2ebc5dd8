import type { Clock } from '#kernel/clock.ts';
import { attemptFailureOf, failed, UNMATCHED } from '#access/failure.ts';
import type { VisitLimits } from '#access/limits.ts';
import type { ClassifiedPage, PageRequest, TierVisit } from '#access/page.ts';
import type { Binary, BrowserKind } from './binaries.ts';
import { clear, freeze } from './freeze.ts';
import { type Browser, launch } from './launch.ts';
import { BrowserPool, type PageVisitor, POOL_LIMITS, type PoolLimits } from './pool.ts';
import { type BrowserContext, openBrowserContext } from './context.ts';
import { ContextPool, type PooledContext } from './context-pool.ts';
import type { BrowserPlaces } from './places.ts';
import { isLost, type Tab, TabCrashed, withTab } from './tab.ts';
import { visitIn } from './visit.ts';
import type { Exit } from './exit.ts';

/** The proxy that all traffic of a browser goes through; it refuses every connection without credentials. */
export type Egress = {
  /** Without credentials, so that requests of the browser's own are refused. */
  readonly url: string;
  /** Issues proxy credentials for one visit; what it throws ends the visit. */
  readonly admit: (request: PageRequest, signal: AbortSignal) => Promise<Exit>;
};

export type BrowserTierOptions = {
  readonly kind: BrowserKind;
  readonly binary: Binary;
  readonly egress: Egress;
  /** Where pages are opened. */
  readonly places: BrowserPlaces;
  /** Time without work after which the process ends, ms. */
  readonly idleMs: number;
  readonly limits: VisitLimits;
  readonly pool?: Partial<PoolLimits>;
  readonly clock: Clock;
  readonly isRoot: boolean;
  /** Called with one sentence for the operator's log. */
  readonly warn: (line: string) => void;
};

export type BrowserTier = {
  readonly visit: TierVisit;
  /** Visits through other proxy credentials than the tier's own. */
  readonly through: (admit: Egress['admit']) => TierVisit;
  /** The browser processes that run: none before the first visit and when idle. */
  readonly pids: () => readonly number[];
  readonly close: () => Promise<void>;
};

const LEAVE_MS = 5_000;

type ExitRoute = { readonly admit: Egress['admit']; readonly signal: AbortSignal };

/**
 * Opens a tier of rendered pages over one browser process, which starts with the first visit. A visit throws
 * `target_unreachable`, `timeout`, `content_too_large`, `unusable_response`, or `backend_unavailable` when the browser
 * fails at the page twice.
 */
export function openBrowserTier(options: BrowserTierOptions): BrowserTier {
  const { kind, limits, clock, egress } = options;
  const pool = new BrowserPool({
    launch: async (niceness) => launch({ ...options, niceness, proxyUrl: egress.url }),
    limits: { ...POOL_LIMITS, idleMs: options.idleMs, ...options.pool },
    places: options.places,
    clock,
  });

  /** Work in a context between two visits. */
  const within =
    (work: (tab: Tab) => Promise<void>) =>
    async (context: BrowserContext): Promise<void> =>
      withTab({ context, clock, signal: clock.deadline(LEAVE_MS) }, work);
  const contexts = new ContextPool({ freeze: within(freeze), clear: within(clear), clock });

  async function enter(browser: Browser, request: PageRequest, { admit, signal }: ExitRoute): Promise<PooledContext> {
    const exit = await admit(request, signal);
    try {
      const context = await openBrowserContext(browser, { signal, clock, onStuck: () => pool.retire(browser) });
      return { context, exit };
    } catch (error) {
      exit.revoke();
      throw error;
    }
  }

  async function visitOnce(browser: Browser, request: PageRequest, way: ExitRoute): Promise<ClassifiedPage> {
    // With a session of the caller, each page begins with what the last one left in it.
    const job = way.admit === egress.admit && request.session === undefined ? request.job : undefined;
    const name = job === undefined ? null : `${job} ${request.url.origin}`;
    const pooled = (await contexts.take(browser, name)) ?? (await enter(browser, request, way));
    return contexts.use(pooled, { name, isFit }, async ({ context, exit }) =>
      withTab({ context, clock, signal: way.signal }, async (tab) =>
        visitIn(tab, { request, kind, version: browser.version, limits, exit, clock }),
      ),
    );
  }

  async function visit(request: PageRequest, way: ExitRoute): Promise<ClassifiedPage> {
    const visitor = { party: request.party, signal: way.signal, untimed: request.untimed };
    try {
      return await again(pool, async (browser) => visitOnce(browser, request, way), visitor);
    } catch (error) {
      if (attemptFailureOf(error)?.facts.reason === UNMATCHED) throw error;
      if (way.signal.aborted) throw failed('timeout', 'the target did not answer in time', { reason: 'render' });
      if (isLost(error))
        throw failed('render_failed', 'the browser failed at this page', { reason: 'crash', cause: error });
      throw error;
    }
  }

  const through =
    (admit: Egress['admit']): TierVisit =>
    async (request, signal) =>
      visit(request, { admit, signal });

  return {
    visit: through(egress.admit),
    through,
    pids: () => pool.pids(),
    async close() {
      await pool.close();
      contexts.close();
    },
  };
}

/** A page that was turned away may have been marked for it. */
function isFit({ page }: ClassifiedPage): boolean {
  return page.status < 400;
}

/**
 * Runs work, and once more where the browser or the tab was lost: alone, so that no other page can be to blame. A page may
 * crash its own tab, so the browser stays with the other pages unless this one is then read alone.
 */
async function again<T>(pool: BrowserPool, work: (browser: Browser) => Promise<T>, visitor: PageVisitor): Promise<T> {
  const tried: Browser[] = [];
  const retireTried = (): void => {
    for (const browser of tried) pool.retire(browser);
  };
  try {
    return await pool.run(async (browser) => {
      tried.push(browser);
      return work(browser);
    }, visitor);
  } catch (error) {
    const hasCrashed = error instanceof TabCrashed;
    if (isLost(error) && !hasCrashed) retireTried();
    if (visitor.signal.aborted || !isLost(error)) throw error;
    if (!hasCrashed) return pool.runAlone(work, visitor);
    const done = await pool.runSuspect(work, visitor);
    retireTried();
    return done;
  }
}
