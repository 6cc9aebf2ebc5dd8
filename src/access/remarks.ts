import type { Warning } from '#kernel/warnings.ts';
import type { Outcome, Page } from './page.ts';

/** What the answer says about a page that came but may not be what was meant. */
export function warningsOf(outcome: Outcome, page: Page, requested: URL): readonly Warning[] {
  const warning = byOutcome(outcome, page.status);
  const home = isSentHome(requested, new URL(page.url)) ? [SENT_HOME] : [];
  return warning === null ? home : [warning, ...home];
}

const SENT_HOME: Warning = { code: 'redirected_home', message: 'the page redirects to a home page' };

function byOutcome(outcome: Outcome, status: number): Warning | null {
  if (outcome === 'auth_required') return { code: 'auth_required', message: 'the target asks for a login' };
  if (outcome === 'geo_or_legal') return { code: 'geo_or_legal', message: 'the target refuses for legal reasons' };
  if (outcome === 'not_found' || outcome === 'http_error') {
    return { code: 'target_error', message: `the target answered ${status}` };
  }
  return null;
}

/** A deep link that ends at `/` or a language's home page, with less than 30 % of its path kept. */
function isSentHome(requested: URL, final: URL): boolean {
  if (final.href === requested.href || !/^\/(?:[a-z]{2}(?:[-_][a-z]{2})?\/?)?$/i.test(final.pathname)) return false;
  const asked = requested.pathname;
  const kept = asked.startsWith(final.pathname) ? final.pathname.length : 1;
  return asked.length > 1 && kept < 0.3 * asked.length;
}
