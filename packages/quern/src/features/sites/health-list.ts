import type { EndpointHealth } from './health.ts';

/** An endpoint whose health is told, by the id of its operation. */
export type WatchedEndpoint = {
  readonly id: string;
  /** The first part of its path. */
  readonly site: string;
  /** The domains that it reads; none where what answers is settled by the operator. */
  readonly domains: readonly string[];
  /** Whether it was proven on a page that the site sent; null where what answers is settled by the operator. */
  readonly verified: boolean | null;
  /** Under which id its calls are counted: the crawl of a list counts as the list. */
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

/** Every endpoint with what is known of its calls; one that was never asked is `unused`. */
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
