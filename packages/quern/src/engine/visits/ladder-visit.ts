import { BLOCK_OUTCOMES } from '#access/tiers/ladder-failure.ts';
import {
  type BrowserState,
  assertTierAvailable,
  escalate,
  type EscalationOptions,
  type TierVisits,
} from '#access/tiers/ladder.ts';
import { type Account, toParty } from '#engine/credits/billing.ts';
import type { ObserveEvent } from '#kernel/events.ts';
import type { PageVisit } from './visit.ts';

export type LadderParts = Pick<EscalationOptions, 'breakers' | 'memory' | 'clock' | 'random'> & {
  /** The currently available tiers: a browser may become available while the service runs. */
  readonly tierVisits: () => TierVisits;
  readonly browser: () => BrowserState;
  /** The account that pays for the visits. */
  readonly account: Account;
  readonly observe: ObserveEvent;
};

/** Builds the innermost visit: it escalates from tier to tier until one serves the page. */
export function buildLadderVisit({ tierVisits, browser, account, observe, ...parts }: LadderParts): PageVisit {
  const { key, tenant, plan } = account;
  const party = toParty(account);
  return async (request, call) => {
    const available = tierVisits();
    assertTierAvailable(call.tiers, available, browser());
    const { page, tier } = await escalate({
      ...parts,
      ...call,
      proxiesInPlan: plan.starter_surfaces,
      tierVisits: available,
      request: { ...request, party },
      onAttempt({ tier: tried, outcome, reason = null, status_code: status = null, duration_ms: durationMs, bytes }) {
        const { host } = request.url;
        const isBlock = BLOCK_OUTCOMES.has(outcome);
        const facts = { tier: tried, outcome, isBlock, reason, status, durationMs, bytes };
        observe({ type: 'attempt', call: key, tenant, host, ...facts });
      },
    });
    return { page, tier, ageMs: null, attempts: call.attempts };
  };
}
