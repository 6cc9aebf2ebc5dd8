import { classifyVisits } from '#access/classify/classifier.ts';
import type { Tier, Visit } from '#access/page.ts';
import type { TierVisits } from '#access/tiers/ladder.ts';

/** Visits that stand in for those of tiers. */
export type FakeTiers = Readonly<Partial<Record<Tier, Visit>>>;

/** The visits of tiers whose pages are classified as the tiers themselves would. */
export function classifyTiers(visits: FakeTiers): TierVisits {
  return Object.fromEntries(
    Object.entries(visits).map(([tier, visit]) => [
      tier,
      classifyVisits(visit, { rendered: tier.includes('browser') }),
    ]),
  );
}
