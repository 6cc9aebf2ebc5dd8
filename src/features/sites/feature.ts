import type { Feature } from '#engine/call/feature.ts';
import type { RunnableWork } from '#engine/call/operation.ts';
import type { SiteEndpoint } from './endpoint.ts';
import type { SiteHealth } from './health.ts';
import { admitEndpoint, runEndpoint } from './running.ts';
import { buildSiteWork } from './site-work.ts';
import type { SiteWorkParts } from './site-work.ts';

export type SitesFeatureParts = SiteWorkParts & {
  readonly endpoints: readonly SiteEndpoint[];
  readonly siteHealth: SiteHealth;
};

/** Answers records of single sites. */
export function buildSites({ endpoints, ...parts }: SitesFeatureParts): Feature {
  const siteWorkOf = buildSiteWork(parts);

  function bind(endpoint: SiteEndpoint): RunnableWork {
    return {
      ...endpoint.operation,
      accept(raw) {
        const asked = endpoint.accept(raw);
        return {
          deprecated: [],
          admit: (facts) => admitEndpoint(endpoint, asked, facts, parts.book),
          queue: (plan) => (asked.options.timeout_ms ?? 0) > plan.inline_timeout_ms,
          run: async (call) => runEndpoint(endpoint, asked, { ...call, sites: siteWorkOf(call) }),
          help: null,
        };
      },
    };
  }

  return { operations: endpoints.map(bind), close: async () => parts.siteHealth.close() };
}
