import type { TierVisit } from '#access/page.ts';
import { isRefusal } from '#engine/politeness/host-pacing.ts';
import type { HostPace, HostVisit } from '#engine/politeness/host-paces.ts';
import type { Clock } from '#kernel/clock.ts';
import type { VisitCall, VisitWrapper } from './visit.ts';

/** A visit that was delayed longer than this waits for another turn. */
const MAX_LATE_MS = 25;

type VisitPace = {
  readonly pace: Pick<HostPace, 'waitForRetry' | 'recordRefusal'>;
  readonly place: Pick<HostVisit, 'releasePlace' | 'takePlace'> | null;
};

export type PaceParts<C> = {
  /** Returns the pace of the host of a visit, and the place that its caller holds; null for none. */
  readonly paceOf: (call: C) => VisitPace;
  readonly clock: Clock;
};

/**
 * Applies the pace of the host to a visit. A delayed visit waits for another turn, retries wait like new visits, and a
 * refusal slows the host down at once. The place at the host is released with the response. The time of the visit
 * starts with its turn.
 */
export function withPace<C extends VisitCall>({ paceOf, clock }: PaceParts<C>): VisitWrapper<C> {
  return (next) => async (request, call) => {
    const { pace, place } = paceOf(call);
    // Visits that waited for the same robots.txt must not start together.
    if (clock.monotonic() - call.startedAt > MAX_LATE_MS) await pace.waitForRetry(call.signal);
    const aroundAttempt = paceAttempts({ pace, place }, clock, call.wrapAttempt);
    return next(request, { ...call, startedAt: clock.monotonic(), wrapAttempt: aroundAttempt });
  };
}

/** Applies the pace to the attempts of one visit. */
function paceAttempts(
  { pace, place }: VisitPace,
  clock: Clock,
  outer: VisitCall['wrapAttempt'],
): NonNullable<VisitCall['wrapAttempt']> {
  let attempts = 0;
  return (attempt) => {
    const inTurn: TierVisit = async (request, signal) => {
      attempts += 1;
      if (attempts > 1) await pace.waitForRetry(signal);
      if (attempts > 1) place?.takePlace();
      const began = clock.monotonic();
      const arrived = await attempt(request, signal);
      place?.releasePlace();
      const { status, headers } = arrived.page;
      const latencyMs = Math.round(clock.monotonic() - began);
      if (isRefusal(status)) pace.recordRefusal({ status, latencyMs, retryAfter: headers['retry-after'] ?? null });
      return arrived;
    };
    return outer?.(inTurn) ?? inTurn;
  };
}
