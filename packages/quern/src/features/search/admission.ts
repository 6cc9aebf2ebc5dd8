import { TIERS } from '#access/page.ts';
import type { Admission, AdmissionFacts } from '#engine/credits/admission.ts';
import type { Price } from '#engine/credits/prices.ts';
import type { Plan } from '#engine/identity/plans.ts';

type Timed = { readonly timeout_ms?: number | undefined };

/** The option gate of searches and answers, which all cost one price and read pages by the cheapest tier at most. */
export function admitsWithin({ base }: Price) {
  return {
    admit: ({ timeout_ms: asked }: Timed, { plan }: AdmissionFacts): Admission => ({
      timeoutMs: asked ?? plan.inline_timeout_ms,
      tiers: TIERS.slice(0, 1),
      cheapest: base,
      maxCredits: null,
    }),
    queue: ({ timeout_ms: ms = 0 }: Timed, plan: Plan): boolean => ms > plan.inline_timeout_ms,
  };
}
