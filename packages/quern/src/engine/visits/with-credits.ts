import type { Tier } from '#access/page.ts';
import type { VisitCall, VisitWrapper } from './visit.ts';

export type VisitCredits<C> = {
  /** Reserves what the cheapest tier costs, where that is not reserved yet; an error ends the visit. */
  readonly begin?: (call: C) => Promise<void>;
  /** Reserves what a costlier tier costs; an error ends the visit, or serves the best page so far. */
  readonly raise: (tier: Tier, call: C) => Promise<void>;
};

/** Reserves the credits of each tier before it starts. */
export function withCredits<C extends VisitCall>({ begin, raise }: VisitCredits<C>): VisitWrapper<C> {
  return (next) => async (request, call) => {
    await begin?.(call);
    return next(request, { ...call, beforeTier: async (tier) => raise(tier, call) });
  };
}
