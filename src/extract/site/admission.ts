import { toAddress } from './address.ts';
import type { Address } from './address.ts';
import type { Filter } from './filters.ts';
import { linkKindOf } from './link-kinds.ts';
import { isWithin } from './scope.ts';
import type { Scope } from './scope.ts';
import { isTrap } from './traps.ts';

/** Why a crawl leaves out an address that it discovered. */
export const SKIP_REASONS = [
  'robots',
  'filter',
  'scope',
  'depth',
  'limit',
  'duplicate',
  'redirect',
  'media',
  'invalid',
] as const;

export type SkipReason = (typeof SKIP_REASONS)[number];

export type AdmissionRules = {
  readonly scope: Scope;
  readonly filter: Filter;
  /** ms since 1970 */
  readonly now: number;
};

/** An address that a crawl may visit, or why it may not. */
export type Admission = { readonly address: Address } | { readonly skip: SkipReason };

const LONGEST = 8192;
/** Templates that nobody filled in: `{{url}}`, `${url}`, `<%= url %>`, `[object Object]`, escaped or not. */
const PLACEHOLDER =
  /(?:\{|%7b)(?:\{|%7b)|\$(?:\{|%7b)|(?:<|%3c)%(?![0-9a-f]{2})|(?:<|%3c)%25|(?:\[|%5b)object(?:%20|\+)object(?:\]|%5d)/i;

/**
 * Whether a link of a page (an href as the URL standard serialises it) may be visited, by everything that its text
 * tells: form, scope, filter, kind and traps. Robots, depth, limits and what is known already are the crawl's to say.
 */
export function admit(href: string, { scope, filter, now }: AdmissionRules): Admission {
  const address = href.length > LONGEST || PLACEHOLDER.test(href) ? null : toAddress(href);
  if (address === null) return { skip: 'invalid' };
  if (!isWithin(scope, address)) return { skip: 'scope' };
  if (!filter.admits(address, 'link')) return { skip: 'filter' };
  if (linkKindOf(address.path) === 'media') return { skip: 'media' };
  return isTrap(address, now) ? { skip: 'limit' } : { address };
}
