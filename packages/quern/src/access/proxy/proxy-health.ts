import type { Clock } from '#kernel/clock.ts';

/**
 * The result of a connection through a proxy: success; the proxy failed; the proxy or the target failed (`doubtful`); the proxy
 * rejected our credentials (`refused`); or unknown (`unclear`).
 */
export type ExitResult = 'ok' | 'fault' | 'doubtful' | 'refused' | 'unclear';

/** The health of one proxy; times are monotonic, ms. */
export type ProxyHealth = {
  /** Sites at which it failed since its last success. */
  readonly failedSites: readonly string[];
  /** Until when the proxy is not used; 0 while it is healthy. */
  readonly heldUntil: number;
  /** Duration of the last hold, ms. */
  readonly heldMs: number;
  /** Until when the result of a probe is awaited; 0 if there is no probe. */
  readonly probeUntil: number;
};

export const HEALTHY: ProxyHealth = { failedSites: [], heldUntil: 0, heldMs: 0, probeUntil: 0 };

/** Failures at one site may be caused by the site; failures at this many sites in a row are caused by the proxy. */
const SITES_TO_HOLD = 3;
const FIRST_HOLD_MS = 15_000;
/** Longer, because wrong credentials do not fix themselves. */
const REFUSED_HOLD_MS = 60_000;
export const MAX_HOLD_MS = 600_000;
/** A probe without a result counts as lost after this time. */
const PROBE_MS = 60_000;

/** Whether a proxy may be used now; after a hold, one probe at a time until one succeeds. */
export function isAvailable({ heldUntil, probeUntil }: ProxyHealth, now: number): boolean {
  return now >= heldUntil && now >= probeUntil;
}

/** The health after a proxy was chosen for a visit. */
export function computeHealthAfterUse(health: ProxyHealth, now: number): ProxyHealth {
  return health.heldUntil === 0 ? health : { ...health, probeUntil: now + PROBE_MS };
}

/**
 * The health after a result at a site: held after faults at three sites without a success between them, at once after a refusal
 * or a failed probe, each time twice as long.
 */
export function computeHealthAfterResult(
  health: ProxyHealth,
  { result, site }: { readonly result: ExitResult; readonly site: string },
  now: number,
): ProxyHealth {
  if (result === 'ok') return HEALTHY;
  if (result === 'unclear') return { ...health, probeUntil: 0 };
  const wasHeld = health.heldUntil !== 0;
  // Ignore connections that started before the hold.
  if (wasHeld && now < health.heldUntil) return health;
  const sites = health.failedSites.includes(site)
    ? health.failedSites
    : [...health.failedSites.slice(-SITES_TO_HOLD), site];
  if (result !== 'refused' && !wasHeld && sites.length < SITES_TO_HOLD) return { ...health, failedSites: sites };
  const first = result === 'refused' ? REFUSED_HOLD_MS : FIRST_HOLD_MS;
  const heldMs = Math.min(Math.max(first, health.heldMs * 2), MAX_HOLD_MS);
  return { failedSites: sites, heldUntil: now + heldMs, heldMs, probeUntil: 0 };
}

/** A result of the proxy at index `at` of the setting. */
type ProxyResult = {
  readonly at: number;
  readonly tenant: string;
  readonly site: string;
  readonly result: ExitResult;
  /** Whether it counts for all tenants, because no caller can cause it. */
  readonly isShared: boolean;
};

/** Maximum number of tenants with recent failures. */
const MAX_TENANTS = 500;

/** Tracks the health of proxies, both for all tenants and for single tenants. */
export function createHealthTracker(clock: Pick<Clock, 'monotonic'>) {
  const shared = new Map<number, ProxyHealth>();
  const own = new Map<string, Map<number, ProxyHealth>>();

  const isFreeIn = (book: ReadonlyMap<number, ProxyHealth> | undefined, at: number): boolean =>
    isAvailable(book?.get(at) ?? HEALTHY, clock.monotonic());

  function noteIn(book: Map<number, ProxyHealth>, { at, site }: ProxyResult, result: ExitResult): void {
    const health = book.get(at) ?? HEALTHY;
    if (health !== HEALTHY || result !== 'unclear')
      storeHealth(book, at, computeHealthAfterResult(health, { result, site }, clock.monotonic()));
  }

  function noteOwn(reported: ProxyResult, result: ExitResult): void {
    const { tenant } = reported;
    const book = own.get(tenant) ?? new Map<number, ProxyHealth>();
    noteIn(book, reported, result);
    own.delete(tenant);
    if (book.size > 0) own.set(tenant, book);
    const [oldest] = own.keys();
    if (own.size > MAX_TENANTS && oldest !== undefined) own.delete(oldest);
  }

  return {
    /** Whether a tenant may use a proxy now. */
    isFree: (at: number, tenant: string): boolean => isFreeIn(shared, at) && isFreeIn(own.get(tenant), at),
    /** Whether tenants without failures of their own may use it. */
    isFreeForOthers: (at: number): boolean => isFreeIn(shared, at),
    noteTake(at: number, tenant: string): void {
      for (const book of [shared, own.get(tenant)])
        if (book?.has(at) === true)
          storeHealth(book, at, computeHealthAfterUse(book.get(at) ?? HEALTHY, clock.monotonic()));
    },
    note(reported: ProxyResult): void {
      const { result, isShared } = reported;
      noteIn(shared, reported, isShared || result === 'ok' ? result : 'unclear');
      noteOwn(reported, isShared ? 'unclear' : result);
    },
  };
}

function storeHealth(book: Map<number, ProxyHealth>, at: number, health: ProxyHealth): void {
  if (health === HEALTHY) book.delete(at);
  else book.set(at, health);
}
