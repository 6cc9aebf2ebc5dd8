/**
 * The result of a connection through a proxy: it served; the proxy failed; it or its target failed (`doubtful`); it refused
 * us; `unclear` tells nothing of it.
 */
export type ExitResult = 'ok' | 'fault' | 'doubtful' | 'refused' | 'unclear';

/** The health of one proxy: times in ms of one clock. */
export type Health = {
  /** The sites at which it failed since it last served. */
  readonly sites: readonly string[];
  /** Until when nothing goes through it; 0 while it is well. */
  readonly heldUntil: number;
  /** How long it was held last. */
  readonly heldMs: number;
  /** Until when a probe is waited for, 0 for none under way. */
  readonly probeUntil: number;
};

export const WELL: Health = { sites: [], heldUntil: 0, heldMs: 0, probeUntil: 0 };

/** What fails at one site may be the exit's or the site's doing; what fails at so many in a row is the proxy's. */
const SITES_TO_HOLD = 3;
const FIRST_HOLD_MS = 15_000;
/** Wrong credentials stay wrong. */
const REFUSED_HOLD_MS = 60_000;
export const MAX_HOLD_MS = 600_000;
/** A probe whose result is never reported counts as lost after this. */
const PROBE_MS = 60_000;

/** Whether a proxy may be taken now; after its hold, one probe at a time until one went well. */
export function isFree({ heldUntil, probeUntil }: Health, now: number): boolean {
  return now >= heldUntil && now >= probeUntil;
}

/** The health after a proxy was taken. */
export function afterTake(health: Health, now: number): Health {
  return health.heldUntil === 0 ? health : { ...health, probeUntil: now + PROBE_MS };
}

/**
 * The health after a result at a site: held after faults at three sites without a success between them, at once after a refusal
 * or a failed probe, each time twice as long.
 */
export function afterResult(
  health: Health,
  { result, site }: { readonly result: ExitResult; readonly site: string },
  now: number,
): Health {
  if (result === 'ok') return WELL;
  if (result === 'unclear') return { ...health, probeUntil: 0 };
  const wasHeld = health.heldUntil !== 0;
  // Connections that were under way when the hold began tell nothing new.
  if (wasHeld && now < health.heldUntil) return health;
  const sites = health.sites.includes(site) ? health.sites : [...health.sites.slice(-SITES_TO_HOLD), site];
  if (result !== 'refused' && !wasHeld && sites.length < SITES_TO_HOLD) return { ...health, sites };
  const first = result === 'refused' ? REFUSED_HOLD_MS : FIRST_HOLD_MS;
  const heldMs = Math.min(Math.max(first, health.heldMs * 2), MAX_HOLD_MS);
  return { sites, heldUntil: now + heldMs, heldMs, probeUntil: 0 };
}
