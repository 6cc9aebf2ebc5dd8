import { classifyVisits } from '#access/classify/classifier.ts';
import type { Tier, Visit } from '#access/page.ts';
import type { TierVisits } from '#access/tiers/ladder.ts';

/** Fake visits by tier. */
export type FakeTiers = Readonly<Partial<Record<Tier, Visit>>>;

/** Visits whose pages are classified as by the real tiers. */
export function classifyTiers(visits: FakeTiers): TierVisits {
  return Object.fromEntries(
    Object.entries(visits).map(([tier, visit]) => [
      tier,
      classifyVisits(visit, { rendered: tier.includes('browser') }),
    ]),
  );
}
