import { BLOCKS } from '#access/tiers/ladder-failure.ts';
import type { ClassifiedPage, PageRequest } from '#access/page.ts';
import type { Binaries } from './binaries.ts';
import { type PageSlots, openBrowserPlaces } from './places.ts';
import { type BrowserTier, type BrowserTierOptions, openBrowserTier } from './tier.ts';

export type BrowsersOptions = Omit<BrowserTierOptions, 'kind' | 'binary' | 'places'> & {
  readonly binaries: Binaries;
  /** Cores of the machine. */
  readonly cores: number;
};

export type Browsers = BrowserTier & {
  /** The places of concurrent pages, by turns of tenants; sessions on the same cores take theirs here too. */
  readonly places: PageSlots;
};

/** Concurrent pages of a core: a page waits a good part of its time, and more would only slow each other. */
const PAGES_PER_CORE = 3;

/**
 * Opens the two browsers as one tier: the light one for pages that only need their scripts, the full one for pages that
 * turn visitors away and for pictures. Throws as each of them does.
 */
export function openBrowsers({ binaries, cores, ...options }: BrowsersOptions): Browsers {
  const count = Math.max(1, Math.ceil(PAGES_PER_CORE * cores));
  const places = openBrowserPlaces({ places: count, clock: options.clock });
  const light = openBrowserTier({ ...options, places, kind: 'shell', binary: binaries.shell });
  const full = openBrowserTier({ ...options, places, kind: 'full', binary: binaries.full });

  async function visit(request: PageRequest, signal: AbortSignal): Promise<ClassifiedPage> {
    if (needsFullBrowser(request)) return full.visit(request, signal);
    const shown = await light.visit(request, signal);
    const { outcome } = shown.classification;
    if (!BLOCKS.has(outcome)) return shown;
    // A block of the light browser tells more than a failure of the full one.
    return full.visit({ ...request, arrived: undefined, previousOutcome: outcome }, signal).catch(() => shown);
  }

  return {
    visit,
    places,
    /** By the full browser alone. */
    through: full.through,
    pids: () => [...light.pids(), ...full.pids()],
    async close() {
      await Promise.all([light.close(), full.close()]);
    },
  };
}

function needsFullBrowser({ previousOutcome, browser }: PageRequest): boolean {
  if (previousOutcome !== undefined && BLOCKS.has(previousOutcome)) return true;
  return browser !== undefined && (browser.screenshot !== null || browser.pdf);
}
