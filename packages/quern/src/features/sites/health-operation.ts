import { z } from 'zod';
import { declareControl } from '#engine/call/operation.ts';
import { nameSchema } from '#extract/schema/names.ts';
import { type EndpointHealth, LEVELS } from './health.ts';

export const showSites = declareControl({
  id: 'admin.sites',
  clientName: 'listSiteHealth',
  route: 'GET /v1/admin/sites',
  summary: 'Health of the endpoints of sites, searches and answers',
  errors: [],
  audience: 'operator',
  input: z.strictObject({}),
  output: z.object({
    data: z
      .array(
        nameSchema(
          'SiteHealth',
          z.object({
            endpoint: z.string(),
            site: z.string(),
            domains: z
              .array(z.string())
              .readonly()
              .describe('Domains that it fetches; empty if the operator configures the backend'),
            verified: z
              .boolean()
              .nullable()
              .describe(
                'Whether its parser was verified against a real page; null if the operator configures the backend',
              ),
            served: z.int().describe('Number of successful calls'),
            level: z
              .enum([...LEVELS, 'unused'])
              .describe('Health according to recent calls; unused if it was never called'),
            source: z.string().nullable().describe('Source of its last record'),
            last_success_at: z.string().nullable(),
            last_failure_at: z.string().nullable(),
            last_failure: z.string().nullable().describe('Error code'),
            failed_in_row: z.int(),
            empty_in_row: z.int(),
            fill: z.record(z.string(), z.number()).describe('Share of recent responses with a value at each path'),
          }),
        ),
      )
      .readonly(),
  }),
  example: {},
});

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
  const known = new Map(health.map((row) => [row.endpoint, row]));
  return watched.map(({ id, site, domains, verified, counted }) => ({
    ...(known.get(counted) ?? UNUSED),
    endpoint: id,
    site,
    domains,
    verified,
  }));
}
