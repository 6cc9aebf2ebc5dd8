import type { WorkOperation } from '#engine/call/operation.ts';

/** Shops have a domain for each country. */
const MAX_SAID = 3;

/** The domains that a site reads, in words: `github.com`, or the first three of many and how many more there are. */
export function sayDomains({ domains }: Pick<NonNullable<WorkOperation['site']>, 'domains'>): string {
  const more = domains.length - MAX_SAID;
  return `${domains.slice(0, MAX_SAID).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
