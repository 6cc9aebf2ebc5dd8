import { z } from 'zod';
import { TIERS } from '#access/page.ts';
import type { Instance } from '#engine/call/instance.ts';
import { declareControl, type Operation } from '#engine/call/operation.ts';
import type { Plan } from '#engine/identity/plans.ts';
import { OUTPUTS } from '#extract/reading.ts';
import { named } from '#extract/schema/names.ts';
import { FETCH_OUTPUTS, FILES } from '#features/schema/page-files.ts';

const TierState = named('TierState', z.object({ available: z.boolean(), reason: z.string().optional() }));

export const capabilities = declareControl({
  id: 'capabilities',
  clientName: 'getCapabilities',
  route: 'GET /v1/capabilities',
  summary: 'What this instance can do, and the limits of your plan',
  errors: [],
  input: z.strictObject({}),
  output: named(
    'Capabilities',
    z.object({
      version: z.string(),
      operations: z.array(
        z.object({
          id: z.string(),
          route: z.string().nullable().describe('Null for what is asked for as a job or by a monitor only'),
          verified: z
            .boolean()
            .optional()
            .describe('Of an endpoint of a site: whether it was proven on a page that the site sent'),
          plan: z.enum(['free', 'starter']),
          price: z
            .object({
              base: z.int(),
              per: z.enum(['call', 'page', 'URL']),
              cache_hit: z.int(),
              error_page: z
                .literal(0)
                .optional()
                .describe('What an answer of 400 and above, or one without a body, costs where such is delivered'),
              per_tier: z.boolean(),
              per_model_output: z.int().describe('Added for each output that a model made'),
            })
            .nullable()
            .describe('Null for operations that cost nothing'),
        }),
      ),
      tiers: z.record(z.enum(TIERS), TierState),
      outputs: z.array(z.enum(FETCH_OUTPUTS)),
      browser: TierState,
      model: TierState,
      search: TierState.extend({
        engines: z.array(z.string()).readonly().describe('What a search asks, in this order'),
        websearch: z.array(z.string()).readonly().describe('What /v1/websearch asks, in this order'),
        answers: z
          .object({ answerengine: z.string(), assistant: z.string(), chatassistant: z.string() })
          .describe('What writes the answers: sonar, responses, rag or extractive'),
      }),
      limits: z.object({
        credits_per_month: z.int().nullable(),
        daily_cap: z.int().nullable(),
        inline_timeout_ms: z.int(),
        concurrent_requests: z.int().nullable(),
        requests_per_minute: z.int().nullable(),
        queued_jobs: z.int().nullable(),
        running_jobs: z.int().nullable().describe('Jobs that run at once, runs of monitors included'),
        input_bytes: z.int().nullable().describe('Of the input of a job, and of the body of a monitor, as JSON'),
        kept_jobs: z.int().nullable().describe('Jobs submitted in results_kept_days'),
        kept_input_bytes: z.int().nullable().describe('Of the inputs of these jobs'),
        kept_answer_bytes: z.int().nullable().describe('Of answers that are kept for idempotency keys'),
        kept_result_bytes: z.int().nullable().describe('Of results of ended jobs, packed; beyond it the oldest go'),
        kept_file_bytes: z.int().nullable().describe('Of files made of pages; beyond it the oldest go'),
        index_bytes: z
          .int()
          .nullable()
          .describe('Of the own index of searches, while there is too little room for all'),
        job_timeout_ms: z.int().nullable(),
        results_kept_days: z.int(),
        active_monitors: z.int().nullable(),
        monitors: z.int().nullable().describe('Those that are not active included'),
        monitor_interval_ms: z.int(),
        crawl_pages: z.int().nullable(),
        map_urls: z.int().nullable(),
        unpaid_seconds_per_hour: z
          .int()
          .nullable()
          .describe('Of browsers, parsers and models, for calls that end free'),
        turn_weight: z.int().describe('Its part of shared time while several tenants wait for it'),
      }),
    }),
  ),
  example: {},
});

/** The abilities of an instance, and the limits of a plan. */
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
            ...(operation.site === null ? {} : { verified: operation.site.verified }),
            plan: operation.plan,
            price: {
              base: operation.price.base,
              per: operation.price.per ?? ('call' as const),
              cache_hit: operation.price.cacheHit,
              ...(operation.price.errorPage === undefined ? {} : { error_page: operation.price.errorPage }),
              per_tier: operation.price.perTier,
              per_model_output: operation.price.perModelOutput ?? 0,
            },
          }
        : { id: operation.id, route: operation.route, plan: 'free' as const, price: null },
    ),
    tiers,
    outputs: [
      ...OUTPUTS,
      ...(tiers.browser.available ? FILES : []),
      ...(instance.model.available ? ['summary' as const] : []),
    ],
    browser: tiers.browser,
    model: instance.model,
    search: instance.search,
    limits,
  };
}

function isForTenants({ audience }: Operation): boolean {
  return audience !== 'operator';
}
