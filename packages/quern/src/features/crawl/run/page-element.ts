import type { Page } from '#access/page.ts';
import type { PageClaim, ResultElement } from '#features/crawl/crawl-page.ts';
import type { ModelOutputs } from '#engine/call/model-outputs.ts';
import type { ServedTier } from '#engine/credits/prices.ts';
import type { SitePage } from '#extract/urls/site-page.ts';
import { toTimestamp } from '#kernel/clock.ts';
import { withoutRepeats } from '#kernel/warnings.ts';

type Arrival = {
  readonly claim: PageClaim;
  readonly page: Page;
  readonly tier: ServedTier;
  readonly credits: number;
  /** When the page came, ms. */
  readonly at: number;
};

/** A page as the result of a crawl lists it. */
export function toElement(
  { claim, page, tier, credits, at }: Arrival,
  { said: { soft404, warnings }, made }: { readonly said: SitePage; readonly made: ModelOutputs },
  members: Uint8Array<ArrayBuffer>,
): ResultElement {
  return {
    head: {
      url: claim.url,
      final_url: page.url,
      status_code: page.status,
      fetched_at: toTimestamp(at),
      depth: claim.depth,
      parent_url: claim.parentUrl,
      content_type: page.contentType,
    },
    members,
    tail: {
      ...made.members,
      tier,
      credits,
      ...(soft404 ? { soft_404: true } : {}),
      warnings: [...page.warnings, ...withoutRepeats(page.warnings, [...warnings, ...made.warnings])],
    },
  };
}
