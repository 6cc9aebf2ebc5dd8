import { demandTier, escalate } from '#access/tiers/ladder.ts';
import type { BrowserState, EscalationOptions, TierVisits } from '#access/tiers/ladder.ts';
import type { PageVisit } from './visit.ts';

export type LadderParts = Pick<EscalationOptions, 'breakers' | 'memory' | 'proxiesInPlan' | 'clock' | 'random'> & {
  /** The tiers of this instance at the moment: a browser may come while the service runs. */
  readonly tierVisits: () => TierVisits;
  readonly browser: () => BrowserState;
};

/** The innermost visit: escalates from tier to tier until one brings the page. */
export function ladder({ tierVisits, browser, ...parts }: LadderParts): PageVisit {
  return async (request, call) => {
    const available = tierVisits();
    demandTier(call.tiers, available, browser());
    const { page, tier } = await escalate({ ...parts, ...call, tierVisits: available, request });
    return { page, tier, ageMs: null, attempts: call.attempts };
  };
}
