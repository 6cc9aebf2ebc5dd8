import { allowsWait } from '#access/tiers/time-budget.ts';
import type { Admission, AdmissionFacts } from '#engine/credits/admission.ts';
import { PRICES, SURCHARGES } from '#engine/credits/prices.ts';
import { ServiceError } from '#kernel/errors.ts';
import { toReach } from './reach.ts';

/** What the cost and the time of getting one page depend on. */
type PageOrder = Parameters<typeof toReach>[0] & {
  readonly url: string;
  readonly timeout_ms?: number | undefined;
  readonly wait_ms: number;
  readonly max_age_ms: number;
  readonly max_credits?: number | undefined;
  readonly country?: string | undefined;
};

/** Admits a call that gets one page at the price of a fetch; `besides` are the credits of what is made of it. */
export function admitPage(
  input: PageOrder,
  { plan, readTarget }: AdmissionFacts,
  { besides, browser }: { readonly besides: number; readonly browser: boolean },
): Admission {
  readTarget(input.url);
  const timeoutMs = input.timeout_ms ?? plan.inline_timeout_ms;
  if (!allowsWait(timeoutMs, input.wait_ms)) {
    throw new ServiceError('invalid_request', 'wait_ms: exceeds timeout_ms, which must leave a browser 4 s beside it');
  }
  const tiers = toReach(input, plan, { browser, country: input.country !== undefined });
  const first = tiers[0] ?? 'http';
  const page = input.max_age_ms > 0 ? PRICES.fetch.cacheHit : PRICES.fetch.base + SURCHARGES[first];
  const cheapest = page + besides;
  const maxCredits = input.max_credits ?? null;
  if (maxCredits !== null && maxCredits < cheapest) {
    throw new ServiceError('invalid_request', `max_credits: the cheapest outcome of this call costs ${cheapest}`);
  }
  return { timeoutMs, tiers, cheapest, besides, maxCredits };
}
