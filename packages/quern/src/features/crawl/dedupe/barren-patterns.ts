import { toRoutedParts } from '#extract/urls/url-parts.ts';
import type { PageEnd } from '#features/crawl/crawl-page.ts';

/** A pattern is barren once its debt reaches this number. */
const MAX_DEBT = 30;
/** How much one stored page reduces the debt of its patterns. */
const DEBT_PAID_BY_PAGE = 4;
/** Maximum number of patterns with a debt; those with the smallest debt are dropped. */
const MAX_DEBTS = 200;
const MAX_PATTERN_CHARS = 300;
/** A path segment with a digit or of more than 24 characters is variable. */
const VARIABLE_SEGMENT = /\d|^.{25}/;

/** Debt of each URL pattern: how often it yielded duplicates that link to new URLs, less the new content it yielded. */
export type PatternDebts = Readonly<Record<string, number>>;

/**
 * Updates the debts after some pages ended. A duplicate that links to new URLs may be part of a crawler trap and adds
 * to the debt. A stored page reduces the debt of its own patterns and of those of the page that links to it.
 */
export function updateDebts(
  before: PatternDebts,
  ends: readonly PageEnd[],
  broughtUrls: (end: PageEnd) => boolean,
): PatternDebts {
  const debts = new Map(Object.entries(before));
  for (const end of ends) {
    const { claim, fate } = end;
    if (fate.kind === 'stored' && debts.size > 0) {
      for (const pattern of [...listPatterns(claim.url), ...listPatterns(claim.parentUrl ?? '')]) {
        // A barren pattern stays barren because its remaining pages are not visited.
        const debt = debts.get(pattern) ?? 0;
        if (debt > DEBT_PAID_BY_PAGE) debts.set(pattern, debt - DEBT_PAID_BY_PAGE);
        else debts.delete(pattern);
      }
    } else if (isDuplicate(end) && broughtUrls(end)) {
      for (const pattern of listPatterns(claim.url)) debts.set(pattern, (debts.get(pattern) ?? 0) + 1);
    }
  }
  if (debts.size <= MAX_DEBTS) return Object.fromEntries(debts);
  return Object.fromEntries([...debts].toSorted(([, one], [, other]) => other - one).slice(0, MAX_DEBTS));
}

/** Whether a page is a duplicate of a stored page. */
export function isDuplicate({ fate }: Pick<PageEnd, 'fate'>): boolean {
  return fate.kind === 'skipped' && (fate.reason === 'duplicate' || fate.reason === 'redirect');
}

/** Whether a URL has a barren pattern, which yields nothing new. */
export function isBarren(url: string, debts: PatternDebts): boolean {
  return listPatterns(url).some((pattern) => (debts[pattern] ?? 0) >= MAX_DEBT);
}

/**
 * Lists the patterns of a URL, each with its parameter names. The first is the set of its folders, so that a path that
 * repeats folders keeps its pattern. The second is its last segment in any folder, so that a session id in the path
 * does not change it.
 */
function listPatterns(url: string): readonly string[] {
  const parts = toRoutedParts(url);
  if (parts === null) return [];
  const { authority, path, query } = parts;
  const segments = path.split('/').filter((segment) => segment !== '');
  const kinds = segments.map((segment) => (VARIABLE_SEGMENT.test(segment) ? '*' : segment));
  const last = kinds.pop() ?? '';
  const names = query === '' ? '' : `?${sortUnique(query.split('&').map(toParameterName)).join('&')}`;
  const folder = `${authority}/${sortUnique(kinds).join('/')}/*${names}`;
  const patterns = last === '' || last === '*' ? [folder] : [folder, `${authority}/**/${last}${names}`];
  return patterns.map((pattern) => pattern.slice(0, MAX_PATTERN_CHARS));
}

function toParameterName(parameter: string): string {
  return (parameter.split('=', 1)[0] ?? '').replace(/\d+/g, '#');
}

function sortUnique(names: readonly string[]): readonly string[] {
  return [...new Set(names)].toSorted();
}
