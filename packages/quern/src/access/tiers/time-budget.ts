import { RENDERING_TIERS, type Tier, type RunUntimed } from '#access/page.ts';
import type { Clock } from '#kernel/clock.ts';

/** A tier's share of the whole time, its maximum slice (`cap`) and the minimum it needs to start (`least`), ms. */
const TIER_SLICES: Readonly<Record<Tier, { readonly share: number; readonly cap: number; readonly least: number }>> = {
  http: { share: 0.25, cap: 10_000, least: 1_000 },
  browser: { share: 0.4, cap: 25_000, least: 4_000 },
  proxy: { share: 0.25, cap: 20_000, least: 5_000 },
  proxy_browser: { share: 1, cap: Infinity, least: 8_000 },
};

/** Time reserved for conversion and the response. */
const RESERVED_MS = 300;
const RESERVED_SHARE = 0.02;
/** From this time limit on, more time is reserved for the strongest tier. */
const LONG_TIMEOUT_MS = 45_000;
const LONG_RESERVE_MS = 15_000;

export type BudgetState = {
  /** The whole time of the call, ms. */
  readonly timeoutMs: number;
  readonly elapsedMs: number;
  /** Tiers that may follow this one. */
  readonly later: readonly Tier[];
  /** Whether this is the first tier, which always starts. */
  readonly isFirst: boolean;
  /** The caller's `wait_ms` for a browser, ms. */
  readonly waitMs: number;
};

/** The time that a tier may use now, ms; null if there is not enough left. */
export function computeSliceMs(tier: Tier, moment: BudgetState): number | null {
  const { timeoutMs, later, isFirst, waitMs } = moment;
  const left = computeLeftMs(moment);
  if (left <= 0) return isFirst ? 1 : null;
  const { share, cap } = TIER_SLICES[tier];
  const extra = RENDERING_TIERS.has(tier) ? waitMs : 0;
  const mine = left - computeReserveMs(tier, moment);
  if (!isFirst && mine < computeMinMs(tier, waitMs)) return null;
  const slice = Math.min(Math.min(share * timeoutMs, cap) + extra, mine);
  const isLast = later.every((one) => left - slice < computeMinMs(one, waitMs));
  return Math.floor(isLast ? left : slice);
}

/** Remaining time without the part reserved for the response, ms. */
export function computeLeftMs({ timeoutMs, elapsedMs }: Pick<BudgetState, 'timeoutMs' | 'elapsedMs'>): number {
  return timeoutMs - RESERVED_MS - RESERVED_SHARE * timeoutMs - elapsedMs;
}

/** Whether the time limit is long enough for a browser to wait `waitMs` and fetch the page. */
export function hasTimeForWait(timeoutMs: number, waitMs: number): boolean {
  return waitMs === 0 || computeLeftMs({ timeoutMs, elapsedMs: 0 }) - waitMs >= TIER_SLICES.browser.least;
}

function computeMinMs(tier: Tier, waitMs: number): number {
  return TIER_SLICES[tier].least + (RENDERING_TIERS.has(tier) ? waitMs : 0);
}

/** The time that tier `proxy` leaves for the strongest tier, if that can still start, ms. */
function computeReserveMs(tier: Tier, moment: BudgetState): number {
  if (tier !== 'proxy' || !moment.later.includes('proxy_browser')) return 0;
  const reserve = moment.timeoutMs >= LONG_TIMEOUT_MS ? LONG_RESERVE_MS : computeMinMs('proxy_browser', moment.waitMs);
  return computeLeftMs(moment) >= reserve ? reserve : 0;
}

/** The timer of one attempt; it is paused during waits for resources of this machine. */
type SliceTimer = {
  /** Time left, ms. */
  readonly getLeftMs: () => number;
  readonly runUntimed: RunUntimed;
  readonly close: () => void;
};

/** Starts the timer of an attempt; calls `onEnd` when `sliceMs` are used up. */
export function startSliceTimer(clock: Clock, sliceMs: number, onEnd: () => void): SliceTimer {
  let left = sliceMs;
  let since = clock.monotonic();
  let waits = 0;
  let isClosed = false;
  let timer = clock.after(sliceMs, onEnd);

  function stop(): void {
    waits += 1;
    if (waits > 1) return;
    timer.close();
    left -= clock.monotonic() - since;
  }

  function goOn(): void {
    waits -= 1;
    if (waits > 0 || isClosed) return;
    since = clock.monotonic();
    timer = clock.after(Math.max(0, left), onEnd);
  }

  return {
    getLeftMs: () => (waits > 0 ? left : left - (clock.monotonic() - since)),
    async runUntimed(wait) {
      stop();
      return wait().finally(goOn);
    },
    close() {
      isClosed = true;
      timer.close();
    },
  };
}
