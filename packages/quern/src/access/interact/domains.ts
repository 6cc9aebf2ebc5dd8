import { getDomain } from 'tldts';
import { isWithinDomain } from '#access/guard/local-names.ts';

/** Where a session may go. */
export type AllowedDomains = {
  readonly admits: (hostname: string) => boolean;
  /** Adds the site where the first page was found, unless the caller named the domains. */
  readonly addFirstPage: (hostname: string) => void;
  /** The domains that all of its requests are bound to; null where only its pages are. */
  readonly named: readonly string[] | null;
};

/** The domains that the caller named, with all below them; else the site of the first address, and of where it leads. */
export function buildDomains(first: URL, named: readonly string[] | null): AllowedDomains {
  const sites = new Set(named ?? [getSite(first.hostname)]);
  let isSettled = named !== null;
  return {
    named,
    admits: (hostname) => !isSettled || [...sites].some((site) => isWithinDomain(hostname, site)),
    addFirstPage(hostname) {
      if (!isSettled) sites.add(getSite(hostname));
      isSettled = true;
    },
  };
}

/** The registrable domain of a name; an address or a name without one is its own site. */
function getSite(hostname: string): string {
  return getDomain(hostname, { allowPrivateDomains: true }) ?? hostname;
}
