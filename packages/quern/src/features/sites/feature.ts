import type { Feature } from '#engine/call/feature.ts';
import { bindPreparedWork, type BoundControl, type BoundWork, bindControl } from '#engine/call/bound-operation.ts';
import { toEndpointCall } from '#features/schema/parameters.ts';
import type { ServedEndpoint } from './endpoint.ts';
import { bindHotelRates } from './hotels/run-hotel-rates.ts';
import { admitListCrawl, type ServedListCrawl } from './list-crawl.ts';
import { runListCrawl, type ListStateParts } from './list-crawl-run.ts';
import { toHealthList, type WatchedEndpoint, showSites } from './health-operation.ts';
import { listHealth, type SiteHealth } from './health.ts';
import { admitEndpoint, runEndpoint } from './run-endpoint.ts';
import { buildSiteWork, type SiteWorkParts } from './site-work.ts';

export type SitesFeatureParts = SiteWorkParts &
  ListStateParts & {
    readonly endpoints: readonly ServedEndpoint[];
    readonly listCrawls: readonly ServedListCrawl[];
    readonly siteHealth: SiteHealth;
    readonly watched: readonly WatchedEndpoint[];
  };

/** The feature with the endpoints of sites and their list crawls. */
export function buildSites({ endpoints, listCrawls, ...parts }: SitesFeatureParts): Feature {
  const siteWorkOf = buildSiteWork(parts);

  function bind(endpoint: ServedEndpoint): BoundWork {
    return bindPreparedWork(endpoint.operation, (input) => toEndpointCall(endpoint.parameters, input), {
      admit: (endpointCall, facts) => admitEndpoint(endpoint, endpointCall, facts, parts),
      queue: ({ options }, plan) => (options.timeout_ms ?? 0) > plan.inline_timeout_ms,
      run: async (endpointCall, call) => runEndpoint(endpoint, endpointCall, { ...call, sites: siteWorkOf(call) }),
    });
  }

  function bindCrawl(crawl: ServedListCrawl): BoundWork {
    return bindPreparedWork(crawl.operation, (input) => toEndpointCall(crawl.endpoint.parameters, input), {
      admit: (listCall, facts) =>
        admitListCrawl(admitEndpoint(crawl.endpoint, listCall, facts, parts), listCall, facts),
      // Pages are charged and stored one by one, which only a job can do.
      queue: () => true,
      run: async (listCall, call) =>
        runListCrawl({ parts, crawl, listCall, call: { ...call, sites: siteWorkOf(call) } }),
    });
  }

  function bindRates(): BoundWork {
    return bindHotelRates({
      endpoints,
      admit: (endpoint, endpointCall, facts) => admitEndpoint(endpoint, endpointCall, facts, parts),
      run: async (endpoint, endpointCall, call) =>
        runEndpoint(endpoint, endpointCall, { ...call, sites: siteWorkOf(call) }),
    });
  }

  return {
    operations: [...endpoints.map(bind), ...listCrawls.map(bindCrawl), bindRates(), bindHealth(parts)],
    close: async () => parts.siteHealth.close(),
  };
}

function bindHealth({ db, watched }: Pick<SitesFeatureParts, 'db' | 'watched'>): BoundControl {
  return bindControl(showSites, async () => ({ data: toHealthList(watched, await listHealth(db)) }));
}
