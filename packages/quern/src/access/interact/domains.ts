import { getDomain } from 'tldts';
import { isWithinDomain } from '#access/guard/local-names.ts';

/** The domains that a session may visit. */
export type AllowedDomains = {
  readonly admits: (hostname: string) => boolean;
  /** Adds the site of the first page after redirects, unless the caller specified the domains. */
  readonly addFirstPage: (hostname: string) => void;
  /** The domains that all its requests are limited to; null if only its pages are limited. */
  readonly named: readonly string[] | null;
};

/** Creates the rules: the domains of the caller with subdomains, else the site of the first URL and of its redirect target. */
export function createAllowedDomains(first: URL, named: readonly string[] | null): AllowedDomains {
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

/** The registrable domain of a name; the name itself if it has none. */
function getSite(hostname: string): string {
  return getDomain(hostname, { allowPrivateDomains: true }) ?? hostname;
}
