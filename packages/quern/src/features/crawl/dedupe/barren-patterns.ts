import { toRoutedParts } from '#extract/urls/address.ts';
import type { PageEnd } from '#features/crawl/crawl-page.ts';

/** Duplicates with new links by which a pattern may exceed the pages that it brought, before it is barren. */
const MAX_DEBT = 30;
/** Duplicates that one stored page outweighs. */
const DEBT_PAID_BY_PAGE = 4;
/** Patterns whose debts are kept; the smallest are forgotten. */
const MAX_DEBTS = 200;
const MAX_PATTERN_CHARS = 300;
/** A segment with a digit or of more than 24 characters names one of many. */
const VARIABLE_SEGMENT = /\d|^.{25}/;

/** How far each pattern of addresses has brought duplicates with new links, and no new content for it. */
export type PatternDebts = Readonly<Record<string, number>>;

/**
 * The debts after some pages ended. A duplicate that brought new URLs is a step into a space that may have no end; a
 * stored page outweighs several, for its own pattern and for that of the page that led to it.
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
        // A barren pattern stays barren: what is left of it is not visited.
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

/** Whether a page repeats one that is stored. */
export function isDuplicate({ fate }: Pick<PageEnd, 'fate'>): boolean {
  return fate.kind === 'skipped' && (fate.reason === 'duplicate' || fate.reason === 'redirect');
}

/** Whether a URL is of a pattern that brings nothing new. */
export function isBarren(url: string, debts: PatternDebts): boolean {
  return listPatterns(url).some((pattern) => (debts[pattern] ?? 0) >= MAX_DEBT);
}

/**
 * The patterns that a URL is of: the folders on its way, each once and in any order, so that a path which grows stays in
 * its pattern; and its last segment in any folder, so that a session in the path does. Both with the names of parameters.
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
