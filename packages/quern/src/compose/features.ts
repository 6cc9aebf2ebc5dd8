import type { ReadRequest } from '#extract/reading.ts';
import type { ReadOrder } from '#sites/framework/reading.ts';
import { SERVICE_PARTY } from '#kernel/turns.ts';
import { buildCrawlRetention } from '#features/crawl/run/crawl-retention.ts';
import { helpingLoop } from '#features/crawl/run/helpers.ts';
import { buildInteracting } from '#features/interact/sessions.ts';
import { buildSiteHealth, type SiteHealth } from '#features/sites/health.ts';
import { DeliveryLog } from '#features/webhooks/delivery-log.ts';
import { Webhooks } from '#features/webhooks/webhooks.ts';
import { buildAdmin } from '#features/admin/feature.ts';
import { buildAccount } from '#features/account/feature.ts';
import { buildCrawl } from '#features/crawl/feature.ts';
import { buildExplain } from '#features/explain/feature.ts';
import { buildFetch } from '#features/fetch/feature.ts';
import { buildInteract } from '#features/interact/feature.ts';
import { buildJobsFeature } from '#features/jobs/feature.ts';
import { buildMap } from '#features/map/feature.ts';
import { buildMonitorsFeature, openMonitors } from '#features/monitors/feature.ts';
import { buildSessions } from '#features/sessions/feature.ts';
import { buildBackends, buildChain } from '#features/search/backend/open-chain.ts';
import { buildSearch } from '#features/search/feature.ts';
import { sharesByPlan } from '#features/search/index/shares.ts';
import { IndexSources } from '#features/search/index/sources.ts';
import { Searching } from '#features/search/searching.ts';
import { toSerpWays } from '#features/search/serp/engines.ts';
import { toWays } from '#features/search/web/ways.ts';
import { buildSites } from '#features/sites/feature.ts';
import { buildWebhooksFeature } from '#features/webhooks/feature.ts';
import type { TierVisit } from '#access/page.ts';
import type { Feature } from '#engine/call/feature.ts';
import { ServiceError } from '#kernel/errors.ts';
import { enginePages } from './endpoints.ts';
import type { Core, Ports } from './build.ts';

/** Crawls of other processes that one process helps with at once. */
const ASSISTED_CRAWLS = 4;

/** Every feature of the service, and the stores of monitors, webhooks and sites. */
export function makeFeatures(ports: Ports, core: Core) {
  const { db, clock, guard, calls, reporter } = ports;
  const { readTarget } = guard;
  const { notifications } = core.queue;
  const stored = {
    webhooks: new Webhooks({ db, clock, sealer: ports.sealerFor('webhooks'), guard }),
    deliveries: new DeliveryLog({ db, clock, notifications }),
  };
  // Inputs of jobs and bodies of monitors are sealed alike.
  const shared = { ...ports, ...core, ...core.queue, ...stored, sealer: ports.sealerFor('jobs') };
  const siteHealth = buildSiteHealth({
    db,
    clock,
    warn: ports.warn,
    report: reporter('the health of a site could not be written'),
  });
  const watching = { ...shared, report: reporter('the ticks of monitors could not be looked at') };
  const opened = openMonitors(watching);
  const features: readonly Feature[] = [
    buildFetch({ readTarget, clock }),
    buildExplain({ readTarget }),
    ...makeCrawlAndMap(ports, core),
    buildInteract({ readTarget, clock, interacting: buildInteracting({ ...ports, ...calls, ...core }) }),
    buildSites({ ...shared, ...ports.parsing, book: ports.sites, siteHealth }),
    buildSessions({ ...ports, ...core }),
    makeSearch(ports, core, siteHealth),
    buildWebhooksFeature({ ...shared, report: reporter('an event could not be sent or written') }),
    buildMonitorsFeature(watching, opened),
    buildJobsFeature(shared),
    buildAccount({ ...ports, ...core }),
    buildAdmin({ ...ports, ...core }),
  ];
  return { features, ...stored, ...opened, siteHealth };
}

/** Both go through sites by the same parts; a map visits pages only for their links. */
function makeCrawlAndMap(ports: Ports, core: Core): readonly Feature[] {
  const { db, clock, time, crawls, parsing, guard, planOf, reporter } = ports;
  const { readTarget } = guard;
  // The index of searches reads them.
  const copies =
    ports.search.own === null
      ? null
      : { pageCache: core.pageCache, report: reporter('a page of a crawl could not be kept for searches') };
  const crawling = { ...ports, ...core, ...crawls, read: parsing.readOfSite, readTarget, copies };
  const retention = buildCrawlRetention({ db, clock: time });
  const helping = helpingLoop({
    db,
    most: ASSISTED_CRAWLS,
    clock,
    open: (row) => core.queue.leases.open(row),
    help: core.help,
    planOf,
    report: reporter('a crawl could not be helped with'),
  });
  return [
    buildCrawl({
      crawling,
      readTarget,
      tidy: { name: 'crawls', run: async (signal) => retention.tidy(signal) },
      helping,
    }),
    buildMap({ crawling, readTarget }),
  ];
}

/** Searches by the operator's backends, else over the pages that this instance had. */
function makeSearch(ports: Ports, core: Core, siteHealth: SiteHealth): Feature {
  const { search, db, clock, time, guard, parsing, reporter } = ports;
  const { settings, wire, own } = search;
  const { readTarget } = guard;
  const sources = new IndexSources({ db, clock });
  const found = own === null ? null : { index: own.index, sources };
  const mayVisit = allows(guard);
  const pages = {
    engines: enginePages,
    visit: visitByHttp(ports),
    readTarget,
    // Pages of engines are the same for all tenants.
    readSource: async (order: ReadOrder, signal: AbortSignal) =>
      parsing.readSource(order, { party: SERVICE_PARTY, signal }),
    mayVisit,
  };
  const backends = buildBackends(settings, { wire, mayVisit, pages });
  const chain = buildChain(settings, { backends, own: found, clock: time });
  const endpoint = enginePages.websearch;
  const siteParts = { book: ports.sites, cursors: core.cursors, siteHealth, readSource: parsing.readSource, clock };
  return buildSearch({
    searching: new Searching({ chain, clock: time }),
    clock: time,
    settings,
    siteHealth,
    serp: { wayTo: toSerpWays(settings, enginePages, { backends, siteParts, mayVisit, clock: time }), siteParts },
    websearch: {
      page: endpoint,
      siteParts,
      ways: toWays(settings, { backends, endpoint, siteParts, mayVisit, clock: time }),
    },
    wire,
    mayVisit,
    readTarget,
    modelName: search.modelName,
    building:
      own === null
        ? null
        : {
            ...core,
            ...own,
            db,
            sources,
            shares: sharesByPlan({ db, plans: ports.plans }),
            read: async (request: ReadRequest, signal: AbortSignal) =>
              parsing.read(request, { party: SERVICE_PARTY, signal }),
            clock: time,
            report: reporter('the index of searches could not be built'),
          },
  });
}

/** The tier by HTTP as it is now. */
function visitByHttp({ calls }: Pick<Ports, 'calls'>): TierVisit {
  return async (request, signal) => {
    const { http } = calls.tierVisits();
    if (http === undefined) throw new ServiceError('backend_unavailable', 'there is no access by HTTP');
    return http(request, signal);
  };
}

/** Whether the guard lets a caller visit an address. */
function allows({ readTarget }: Pick<Ports['guard'], 'readTarget'>): (url: string) => boolean {
  return (url) => {
    try {
      readTarget(url);
      return true;
    } catch (error) {
      if (error instanceof ServiceError) return false;
      throw error;
    }
  };
}
