import type { Warning } from '#kernel/warnings.ts';
import { missingTiersClause } from '#access/tiers/ladder-failure.ts';
import { isEmpty } from '#access/classify/error-page.ts';
import type { Outcome, Page, Tier } from '#access/page.ts';
import { FRAMEWORK } from '#access/failure.ts';
import type { TierResult } from '#access/tiers/attempt.ts';

/** The warnings of a page that may not be the requested one. */
export function warningsOf(outcome: Outcome, page: Page, requested: URL): readonly Warning[] {
  const warning = byOutcome(outcome, page);
  const home = isSentHome(requested, new URL(page.url)) ? [SENT_HOME] : [];
  return warning === null ? home : [warning, ...home];
}

/** The reasons why there is no better page than a thin one. */
export type Unused = {
  /** Tiers that would have been tried, if this instance had them. */
  readonly missing: readonly Tier[];
  /** Tiers that were passed over because they break at the moment. */
  readonly failing: readonly Tier[];
  /** The last attempt of all. */
  readonly last: TierResult | null;
};

/** The warnings of a page that shows next to no text, with the reasons why there is no better one. */
export function thinWarnings(end: TierResult, { missing, failing, last }: Unused): readonly Warning[] {
  const warnings: Warning[] = [{ code: 'thin_content', message: thinMessage(end) }];
  if (missing.length + failing.length > 0) {
    const message = `another tier could have brought more${missingTiersClause({ missing, failing })}`;
    warnings.push({ code: 'tier_unavailable', message });
  }
  if (last !== end || (end.mayGrow && end.tier === 'http' && missing.length + failing.length === 0)) {
    const message = `a stronger tier could not bring more; this is what tier ${end.tier} brought`;
    warnings.push({ code: 'partial_ladder', message });
  }
  return warnings;
}

function thinMessage({ reason }: TierResult): string {
  if (reason === 'loading') return 'the page was still loading when it was taken';
  if (reason === FRAMEWORK) return 'the page shows next to no text; its own scripts failed to build it';
  return `the page shows next to no text${reason === undefined ? '' : `; it may be a block page (${reason})`}`;
}

const SENT_HOME: Warning = { code: 'redirected_home', message: 'the page redirects to a home page' };

function byOutcome(outcome: Outcome, page: Page): Warning | null {
  if (outcome === 'auth_required') return { code: 'auth_required', message: 'the target asks for a login' };
  if (outcome === 'geo_or_legal')
    return { code: 'geo_or_legal', message: 'the target refuses for legal reasons or by country' };
  if (outcome === 'not_found' || outcome === 'http_error') {
    return { code: 'target_error', message: `the target answered ${page.status}` };
  }
  if (isEmpty(page)) return { code: 'target_error', message: `the target answered ${page.status} with an empty body` };
  return null;
}

/** A deep link that ends at `/` or a language's home page, with less than 30 % of its path kept. */
function isSentHome(requested: URL, final: URL): boolean {
  if (final.href === requested.href || !/^\/(?:[a-z]{2}(?:[-_][a-z]{2})?\/?)?$/i.test(final.pathname)) return false;
  const asked = requested.pathname;
  const kept = asked.startsWith(final.pathname) ? final.pathname.length : 1;
  return asked.length > 1 && kept < 0.3 * asked.length;
}
