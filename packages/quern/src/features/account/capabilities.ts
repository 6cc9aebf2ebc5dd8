import { z } from 'zod';
import { TIERS } from '#access/page.ts';
import type { Instance } from '#engine/call/instance.ts';
import { declareControl, type Operation } from '#engine/call/operation.ts';
import type { Plan } from '#engine/identity/plans.ts';
import { OUTPUTS } from '#extract/reading.ts';
import { nameSchema } from '#extract/schema/names.ts';
import { FETCH_OUTPUTS, FILE_OUTPUTS } from '#features/schema/page-files.ts';

const TierState = nameSchema('TierState', z.object({ available: z.boolean(), reason: z.string().optional() }));

export const showCapabilities = declareControl({
  id: 'capabilities',
  clientName: 'getCapabilities',
  route: 'GET /v1/capabilities',
  summary: 'Capabilities of this service, and the limits of your plan',
  errors: [],
  input: z.strictObject({}),
  output: nameSchema(
    'Capabilities',
    z.object({
      version: z.string(),
      operations: z.array(
        z.object({
          id: z.string(),
          route: z.string().nullable().describe('Null if it runs only as a job or in a monitor'),
          verified: z
            .boolean()
            .optional()
            .describe('For site endpoints: whether the parser was verified against a real page of the site'),
          plan: z.enum(['free', 'starter']),
          price: z
            .object({
              base: z.int(),
              per: z.enum(['call', 'page']),
              cache_hit: z.int(),
              error_page: z
                .literal(0)
                .optional()
                .describe('Price of an error page (status 400 and above, or no body), if those are returned'),
              per_tier: z.boolean(),
              per_hundred_urls: z.int().describe('Added for each started hundred URLs that are returned'),
              per_model_output: z.int().describe('Added for each output made by a language model'),
            })
            .nullable()
            .describe('Null for free operations'),
        }),
      ),
      tiers: z.record(z.enum(TIERS), TierState),
      outputs: z.array(z.enum(FETCH_OUTPUTS)),
      browser: TierState,
      model: TierState,
      search: TierState.extend({
        engines: z.array(z.string()).readonly().describe('Search engines, in the order they are used'),
        websearch: z.array(z.string()).readonly().describe('Backends of /v1/websearch, in the order they are used'),
        answers: z
          .object({ answerengine: z.string(), assistant: z.string(), chatassistant: z.string() })
          .describe('Backend that writes the answers: sonar, responses, rag or extractive'),
      }),
      interfaces: z
        .array(
          z.object({
            name: z.string(),
            title: z.string(),
            base_url: z
              .string()
              .describe(
                'Address to paste into a client; without QUERN_PUBLIC_URL a path to append to the address of the service',
              ),
            paths: z
              .array(z.string())
              .readonly()
              .describe('Paths below the address; * at the end stands for any further path'),
          }),
        )
        .readonly()
        .describe('Interfaces of other services, for their clients'),
      limits: z.object({
        credits_per_month: z.int().nullable(),
        daily_cap: z.int().nullable(),
        inline_timeout_ms: z.int(),
        concurrent_requests: z.int().nullable(),
        requests_per_minute: z.int().nullable(),
        queued_jobs: z.int().nullable(),
        running_jobs: z.int().nullable().describe('Jobs running at once, including monitor runs'),
        input_bytes: z.int().nullable().describe('Size of the input of a job or the definition of a monitor, as JSON'),
        kept_jobs: z.int().nullable().describe('Jobs submitted in results_kept_days'),
        kept_input_bytes: z.int().nullable().describe('Bytes of the inputs of these jobs'),
        kept_answer_bytes: z.int().nullable().describe('Bytes of responses stored for idempotency keys'),
        kept_result_bytes: z
          .int()
          .nullable()
          .describe('Compressed bytes of results of ended jobs; beyond this the oldest are deleted'),
        kept_file_bytes: z.int().nullable().describe('Bytes of files; beyond this the oldest are deleted'),
        index_bytes: z.int().nullable().describe('Bytes of your search index while disk space is short'),
        job_timeout_ms: z.int().nullable(),
        results_kept_days: z.int(),
        active_monitors: z.int().nullable(),
        monitors: z.int().nullable().describe('Including inactive monitors'),
        monitor_interval_ms: z.int(),
        crawl_pages: z.int().nullable(),
        map_urls: z.int().nullable(),
        unpaid_seconds_per_hour: z
          .int()
          .nullable()
          .describe('Seconds of browsers, parsers and models that uncharged calls may use per hour'),
        turn_weight: z.int().describe('Scheduling weight while several tenants wait'),
      }),
    }),
  ),
  example: {},
});

/** Builds the capabilities of the service and the limits of a plan. */
export function toCapabilities(instance: Instance, plan: Plan) {
  const { name: _name, starter_surfaces: _surfaces, ...limits } = plan;
  const tiers = instance.tiers();
  return {
    version: instance.version,
    operations: instance.operations.filter(isForTenants).map((operation) =>
      operation.kind === 'work'
        ? {
            id: operation.id,
            route: operation.route,
            ...(operation.site === undefined ? {} : { verified: operation.site.verified }),
            plan: operation.plan,
            price: {
              base: operation.price.base,
              per: operation.price.per ?? ('call' as const),
              cache_hit: operation.price.cacheHit,
              ...(operation.price.errorPage === undefined ? {} : { error_page: operation.price.errorPage }),
              per_tier: operation.price.perTier,
              per_hundred_urls: operation.price.perHundredUrls ?? 0,
              per_model_output: operation.price.perModelOutput ?? 0,
            },
          }
        : { id: operation.id, route: operation.route, plan: 'free' as const, price: null },
    ),
    tiers,
    outputs: [
      ...OUTPUTS,
      ...(tiers.browser.available ? FILE_OUTPUTS : []),
      ...(instance.model.available ? ['summary' as const] : []),
    ],
    browser: tiers.browser,
    model: instance.model,
    search: instance.search,
    interfaces: instance.interfaces,
    limits,
  };
}

function isForTenants({ audience }: Operation): boolean {
  return audience !== 'operator';
}
