import type { TierVisit } from '#access/page.ts';
import type { Activity } from '#engine/jobs/activity.ts';
import type { VisitCall, VisitWrapper } from './visit.ts';

/** Counts the attempts of visits as activity of their job. */
export function withActivity<C extends VisitCall>({
  trackVisit: visiting,
}: Pick<Activity, 'trackVisit'>): VisitWrapper<C> {
  return (next) => async (request, call) => {
    const { wrapAttempt: outer } = call;
    const aroundAttempt = (attempt: TierVisit): TierVisit => {
      const counted: TierVisit = async (...asked) => visiting(attempt(...asked));
      return outer?.(counted) ?? counted;
    };
    return next(request, { ...call, wrapAttempt: aroundAttempt });
  };
}
