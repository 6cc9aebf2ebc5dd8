import type { Instance } from '#engine/call/instance.ts';
import type { Operation } from '#engine/call/operation.ts';
import type { Plan } from '#engine/identity/plans.ts';
import { OUTPUTS } from '#extract/reading.ts';
import { FILES } from '#features/schema/page-files.ts';

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
