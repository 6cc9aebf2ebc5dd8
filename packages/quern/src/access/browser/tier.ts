import { buildFailure, findAttemptFailure, SELECTOR_UNMATCHED } from '#access/failure.ts';
import type { VisitLimits } from '#access/limits.ts';
import type { ClassifiedPage, PageRequest, TierVisit } from '#access/page.ts';
import { BLOCK_OUTCOMES } from '#access/tiers/ladder-failure.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Binaries, Binary, BrowserKind } from './binaries.ts';
import {
  type BrowserContext,
  ContextPool,
  createBrowserContext,
  type EgressAccess,
  type PooledContext,
} from './context.ts';
import { type Browser, launchBrowser } from './launch.ts';
import { createPageSlots, type PageSlots } from './page-slots.ts';
import { BrowserPool, type PageVisitor, POOL_LIMITS, type PoolLimits } from './pool.ts';
import { clearPage, freezePage, isBrowserLost, runWithTab, type Tab, TabCrashed } from './tab.ts';
import { visitPage } from './visit.ts';

/** The egress proxy for all traffic of a browser; it rejects connections without credentials. */
export type BrowserEgress = {
  /** URL without credentials, so that background requests of the browser are rejected. */
  readonly url: string;
  /** Issues proxy credentials for one visit; an error ends the visit. */
  readonly admit: (request: PageRequest, signal: AbortSignal) => Promise<EgressAccess>;
};

export type BrowserTierOptions = {
  readonly kind: BrowserKind;
  readonly binary: Binary;
  readonly egress: BrowserEgress;
  /** The slots for concurrent pages. */
  readonly slots: PageSlots;
  /** Idle time after which the browser is closed, ms. */
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
  /** Visits with other proxy credentials than those of the tier. */
  readonly through: (admit: BrowserEgress['admit']) => TierVisit;
  /** Ids of the running browser processes; empty before the first visit and when idle. */
  readonly pids: () => readonly number[];
  readonly close: () => Promise<void>;
};

const CLEANUP_TIMEOUT_MS = 5_000;

type VisitRoute = { readonly admit: BrowserEgress['admit']; readonly signal: AbortSignal };

/**
 * Creates a tier of rendered pages with one browser process, which starts with the first visit. A visit throws
 * `target_unreachable`, `timeout`, `content_too_large`, `unusable_response`, or `backend_unavailable` when the browser
 * fails at the page twice.
 */
export function createBrowserTier(options: BrowserTierOptions): BrowserTier {
  const { kind, limits, clock } = options;
  const pool = new BrowserPool({
    launch: async (niceness) => launchBrowser({ ...options, niceness, proxyUrl: options.egress.url }),
    limits: { ...POOL_LIMITS, idleMs: options.idleMs, ...options.pool },
    slots: options.slots,
    clock,
  });

  /** Runs work in a context between two visits. */
  const runInContext =
    (work: (tab: Tab) => Promise<void>) =>
    async (context: BrowserContext): Promise<void> =>
      runWithTab({ context, clock, signal: clock.deadline(CLEANUP_TIMEOUT_MS) }, work);
  const contexts = new ContextPool({ freeze: runInContext(freezePage), clear: runInContext(clearPage), clock });

  async function enter(browser: Browser, request: PageRequest, { admit, signal }: VisitRoute): Promise<PooledContext> {
    const access = await admit(request, signal);
    try {
      const context = await createBrowserContext(browser, { signal, clock, onStuck: () => pool.retire(browser) });
      return { context, egress: access };
    } catch (error) {
      access.revoke();
      throw error;
    }
  }

  async function visitOnce(browser: Browser, request: PageRequest, way: VisitRoute): Promise<ClassifiedPage> {
    // With a session of the caller, each page starts with its own content, so the context is not reused.
    const job = way.admit === options.egress.admit && request.session === undefined ? request.job : undefined;
    const name = job === undefined ? null : `${job} ${request.url.origin}`;
    const pooled = (await contexts.take(browser, name)) ?? (await enter(browser, request, way));
    return contexts.use(pooled, { name, isFit: isReusable }, async ({ context, egress }) =>
      runWithTab({ context, clock, signal: way.signal }, async (tab) =>
        visitPage(tab, { request, kind, version: browser.version, limits, egress, clock }),
      ),
    );
  }

  async function visit(request: PageRequest, way: VisitRoute): Promise<ClassifiedPage> {
    const visitor = { owner: request.party, signal: way.signal, runUntimed: request.runUntimed };
    try {
      return await runWithRetry(pool, async (browser) => visitOnce(browser, request, way), visitor);
    } catch (error) {
      if (findAttemptFailure(error)?.facts.reason === SELECTOR_UNMATCHED) throw error;
      if (way.signal.aborted) throw buildFailure('timeout', 'the target did not answer in time', { reason: 'render' });
      if (isBrowserLost(error))
        throw buildFailure('render_failed', 'the browser failed on this page', { reason: 'crash', cause: error });
      throw error;
    }
  }

  const through =
    (admit: BrowserEgress['admit']): TierVisit =>
    async (request, signal) =>
      visit(request, { admit, signal });

  return {
    visit: through(options.egress.admit),
    through,
    pids: () => pool.pids(),
    async close() {
      await pool.close();
      contexts.close();
    },
  };
}

/** A context is not reused after an error page, because the site may have marked it as blocked. */
function isReusable({ page }: ClassifiedPage): boolean {
  return page.status < 400;
}

/**
 * Runs work, and retries it once if the browser or tab crashed: in a separate browser, so that no other page can be the
 * cause. After a tab crash, the first browser is retired only if the retry succeeds, because the page itself may crash its
 * tab.
 */
async function runWithRetry<T>(
  pool: BrowserPool,
  work: (browser: Browser) => Promise<T>,
  visitor: PageVisitor,
): Promise<T> {
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
    if (isBrowserLost(error) && !hasCrashed) retireTried();
    if (visitor.signal.aborted || !isBrowserLost(error)) throw error;
    if (!hasCrashed) return pool.runAlone(work, visitor);
    const done = await pool.runSuspect(work, visitor);
    retireTried();
    return done;
  }
}

type BrowsersOptions = Omit<BrowserTierOptions, 'kind' | 'binary' | 'slots'> & {
  readonly binaries: Binaries;
  /** Cores of the machine. */
  readonly cores: number;
};

type Browsers = BrowserTier & {
  /** The slots for concurrent pages, shared fairly by tenants; interactive sessions use them too. */
  readonly places: PageSlots;
};

/** Concurrent pages per core: pages wait most of the time, but more pages would slow each other down. */
const PAGES_PER_CORE = 3;

/**
 * Creates one tier from both browsers: the light one for pages that only need scripts, the full one for pages that block and for
 * screenshots and PDFs. Throws as each of them does.
 */
export function createBrowsers({ binaries, cores, ...options }: BrowsersOptions): Browsers {
  const count = Math.max(1, Math.ceil(PAGES_PER_CORE * cores));
  const places = createPageSlots({ places: count, clock: options.clock });
  const light = createBrowserTier({ ...options, slots: places, kind: 'shell', binary: binaries.shell });
  const full = createBrowserTier({ ...options, slots: places, kind: 'full', binary: binaries.full });

  async function visit(request: PageRequest, signal: AbortSignal): Promise<ClassifiedPage> {
    if (needsFullBrowser(request)) return full.visit(request, signal);
    const shown = await light.visit(request, signal);
    const { outcome } = shown.classification;
    if (!BLOCK_OUTCOMES.has(outcome)) return shown;
    // If the full browser fails, the block page of the light one is more informative.
    return full.visit({ ...request, arrived: undefined, previousOutcome: outcome }, signal).catch(() => shown);
  }

  return {
    visit,
    places,
    /** With the full browser only. */
    through: full.through,
    pids: () => [...light.pids(), ...full.pids()],
    async close() {
      await Promise.all([light.close(), full.close()]);
    },
  };
}

function needsFullBrowser({ previousOutcome, browser }: PageRequest): boolean {
  if (previousOutcome !== undefined && BLOCK_OUTCOMES.has(previousOutcome)) return true;
  return browser !== undefined && (browser.screenshot !== null || browser.pdf);
}
