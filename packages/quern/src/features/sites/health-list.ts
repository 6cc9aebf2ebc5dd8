import type { EndpointHealth } from './health.ts';

/** An endpoint whose health is reported. */
export type WatchedEndpoint = {
  readonly id: string;
  /** The site: the first part of its path. */
  readonly site: string;
  /** The domains that it fetches; empty if the operator configures the backend. */
  readonly domains: readonly string[];
  /** Whether its parser was verified against a real page; null if the operator configures the backend. */
  readonly verified: boolean | null;
  /** The id under which its calls are counted. A list crawl counts as the list. */
  readonly counted: string;
};

const UNUSED = {
  served: 0,
  level: 'unused',
  source: null,
  last_success_at: null,
  last_failure_at: null,
  last_failure: null,
  failed_in_row: 0,
  empty_in_row: 0,
  fill: {},
} as const;

/** Lists all endpoints with the health of their calls. One without calls is `unused`. */
export function toHealthList(watched: readonly WatchedEndpoint[], health: readonly EndpointHealth[]) {
  const known = new Map(health.map((one) => [one.endpoint, one]));
  return watched.map(({ id, site, domains, verified, counted }) => ({
    ...(known.get(counted) ?? UNUSED),
    endpoint: id,
    site,
    domains,
    verified,
  }));
}
