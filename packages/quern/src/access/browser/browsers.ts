import { BLOCK_OUTCOMES } from '#access/tiers/ladder-failure.ts';
import type { ClassifiedPage, PageRequest } from '#access/page.ts';
import type { Binaries } from './binaries.ts';
import { type PageSlots, createPageSlots } from './places.ts';
import { type BrowserTier, type BrowserTierOptions, createBrowserTier } from './tier.ts';

export type BrowsersOptions = Omit<BrowserTierOptions, 'kind' | 'binary' | 'slots'> & {
  readonly binaries: Binaries;
  /** Cores of the machine. */
  readonly cores: number;
};

export type Browsers = BrowserTier & {
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
