import { RENDERS, type Tier } from '#access/page.ts';

/** A tier's share of the whole time, its longest slice and the least it can start with, ms. */
const SLICES: Readonly<Record<Tier, { readonly share: number; readonly cap: number; readonly least: number }>> = {
  http: { share: 0.25, cap: 10_000, least: 1_000 },
  browser: { share: 0.4, cap: 25_000, least: 4_000 },
  proxy: { share: 0.25, cap: 20_000, least: 5_000 },
  proxy_browser: { share: 1, cap: Infinity, least: 8_000 },
};

/** Time kept for conversion and the reply. */
const KEPT_MS = 300;
const KEPT_SHARE = 0.02;
/** From this much time on, more is kept for the strongest tier. */
const AMPLE_MS = 45_000;
const AMPLE_RESERVE_MS = 15_000;

export type BudgetMoment = {
  /** The whole time of the call, ms. */
  readonly timeoutMs: number;
  readonly elapsedMs: number;
  /** The tiers that may still come after this one. */
  readonly later: readonly Tier[];
  /** Whether no tier was started yet; the first one always starts. */
  readonly isFirst: boolean;
  /** The time that a browser waits before it takes the page, by the caller's request, ms. */
  readonly waitMs: number;
};

/** The ms that a tier may take now, or null when it is too late for it. */
export function sliceOf(tier: Tier, moment: BudgetMoment): number | null {
  const { timeoutMs, later, isFirst, waitMs } = moment;
  const left = leftOf(moment);
  if (left <= 0) return isFirst ? 1 : null;
  const { share, cap } = SLICES[tier];
  const extra = RENDERS.has(tier) ? waitMs : 0;
  const mine = left - reserveOf(tier, moment);
  if (!isFirst && mine < leastOf(tier, waitMs)) return null;
  const slice = Math.min(Math.min(share * timeoutMs, cap) + extra, mine);
  const isLast = later.every((one) => left - slice < leastOf(one, waitMs));
  return Math.floor(isLast ? left : slice);
}

/** The ms before the part that is kept for the reply. */
export function leftOf({ timeoutMs, elapsedMs }: Pick<BudgetMoment, 'timeoutMs' | 'elapsedMs'>): number {
  return timeoutMs - KEPT_MS - KEPT_SHARE * timeoutMs - elapsedMs;
}

/** Whether a browser that waits `waitMs` has the time to get a page as well. */
export function allowsWait(timeoutMs: number, waitMs: number): boolean {
  return waitMs === 0 || leftOf({ timeoutMs, elapsedMs: 0 }) - waitMs >= SLICES.browser.least;
}

function leastOf(tier: Tier, waitMs: number): number {
  return SLICES[tier].least + (RENDERS.has(tier) ? waitMs : 0);
}

/** The time that the datacenter proxy leaves to the strongest tier, where that can still start. */
function reserveOf(tier: Tier, moment: BudgetMoment): number {
  if (tier !== 'proxy' || !moment.later.includes('proxy_browser')) return 0;
  const reserve = moment.timeoutMs >= AMPLE_MS ? AMPLE_RESERVE_MS : leastOf('proxy_browser', moment.waitMs);
  return leftOf(moment) >= reserve ? reserve : 0;
}
