/** The result of a connection through a proxy: it served, the proxy failed, it refused us; `unclear` tells nothing of it. */
export type ExitResult = 'ok' | 'fault' | 'refused' | 'unclear';

/** The health of one proxy: numbers alone; times in ms of one clock. */
export type Health = {
  /** Faults in a row. */
  readonly faults: number;
  /** Until when nothing goes through it; 0 while it is well. */
  readonly heldUntil: number;
  /** How long it was held last. */
  readonly heldMs: number;
  /** Until when a probe is waited for, 0 for none under way. */
  readonly probeUntil: number;
};

export const WELL: Health = { faults: 0, heldUntil: 0, heldMs: 0, probeUntil: 0 };

/** One fault may be an exit's, this number in a row are the proxy's. */
const FAULTS_TO_HOLD = 3;
const FIRST_HOLD_MS = 15_000;
/** Wrong credentials stay wrong. */
const REFUSED_HOLD_MS = 60_000;
export const LONGEST_HOLD_MS = 600_000;
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

/** The health after a result: held after three faults in a row, at once after a refusal or a failed probe, each time twice as long. */
export function afterResult(health: Health, result: ExitResult, now: number): Health {
  if (result === 'ok') return WELL;
  if (result === 'unclear') return { ...health, probeUntil: 0 };
  const faults = health.faults + 1;
  const wasHeld = health.heldUntil !== 0;
  // Connections that were under way when the hold began tell nothing new.
  if (wasHeld && now < health.heldUntil) return health;
  if (result === 'fault' && !wasHeld && faults < FAULTS_TO_HOLD) return { ...health, faults };
  const first = result === 'refused' ? REFUSED_HOLD_MS : FIRST_HOLD_MS;
  const heldMs = Math.min(Math.max(first, health.heldMs * 2), LONGEST_HOLD_MS);
  return { faults, heldUntil: now + heldMs, heldMs, probeUntil: 0 };
}
