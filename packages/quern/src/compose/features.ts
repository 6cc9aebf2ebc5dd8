import type { ReadRequest } from '#extract/reading.ts';
import type { SourceReadRequest } from '#sites/framework/source-reader.ts';
import { SERVICE_OWNER } from '#kernel/fair-queue.ts';
import { PageCopies } from '#features/changes/page-copies.ts';
import { buildCrawlRetention } from '#features/crawl/run/crawl-retention.ts';
import { buildHelperLoop } from '#features/crawl/run/helpers.ts';
import { buildSessionOpener } from '#features/interact/session-opener.ts';
import { buildSiteHealth, type SiteHealth } from '#features/sites/health.ts';
import { DeliveryLog } from '#features/webhooks/delivery-log.ts';
import { Webhooks } from '#features/webhooks/webhooks.ts';
import { buildAdmin } from '#features/admin/feature.ts';
import { buildAccount } from '#features/account/feature.ts';
import { buildCrawlFeature } from '#features/crawl/feature.ts';
import { buildExplain } from '#features/explain/feature.ts';
import { buildFetch } from '#features/fetch/feature.ts';
import { buildInteractFeature } from '#features/interact/feature.ts';
import { buildJobsFeature } from '#features/jobs/feature.ts';
import { buildMapFeature } from '#features/map/feature.ts';
import type { ListKnownPages } from '#features/map/map-lookup.ts';
import { buildMonitorsFeature, type MonitorsParts, openMonitors } from '#features/monitors/feature.ts';
import { buildSessions } from '#features/sessions/feature.ts';
import { buildBackends, buildChain } from '#features/search/backend/build-chain.ts';
import { buildSearchFeature } from '#features/search/feature.ts';
import { buildSharesByPlan } from '#features/search/index/index-shares.ts';
import { IndexSources } from '#features/search/index/index-sources.ts';
import { Searcher } from '#features/search/searcher.ts';
import { buildSerpSources } from '#features/search/serp/engine-sources.ts';
import { buildResultSources } from '#features/search/web/result-sources.ts';
import { buildSites } from '#features/sites/feature.ts';
import { buildWebhooksFeature } from '#features/webhooks/feature.ts';
import type { TierVisit } from '#access/page.ts';
import type { Feature } from '#engine/call/feature.ts';
import { ServiceError } from '#kernel/errors.ts';
import { COMPAT_WEBHOOK_FORMATS } from '#transports/compat/webhook-formats.ts';
import { enginePages } from './endpoints.ts';
import type { Core, Ports } from './build.ts';

/** Maximum number of crawls of other processes with which one process helps at once. */
const ASSISTED_CRAWLS = 4;

/** Builds every feature of the service, and the stores of monitors, webhooks and sites. */
export function makeFeatures(ports: Ports, core: Core) {
  const { db, storeClock: clock, guard, reporter } = ports;
  const siteHealth = buildSiteHealth({
    db,
    clock,
    warn: ports.warn,
    report: reporter('the health of a site could not be written'),
  });
  const stored = {
    webhooks: new Webhooks({
      db,
      clock,
      sealer: ports.sealerFor('webhooks'),
      guard,
      formats: COMPAT_WEBHOOK_FORMATS,
    }),
    deliveries: new DeliveryLog({ db, clock, notifications: core.queue.notifications }),
  };
  const watching = toMonitorsParts(ports, core, stored);
  const opened = openMonitors(watching);
  const copies = new PageCopies({ db, clock });
  const features: readonly Feature[] = [
    ...makeVisits(ports, core, { siteHealth, copies, webhooks: stored.webhooks }),
    makeSearch(ports, core, siteHealth),
    makeWebhooks(ports, core, stored),
    buildMonitorsFeature(watching, opened),
    makeJobs(ports, core, stored),
    ...makeAdministration(ports, core),
  ];
  return { features, webhooks: stored.webhooks, deliveries: stored.deliveries, ...opened, siteHealth };
}

type StoredWebhooks = { readonly webhooks: Webhooks; readonly deliveries: DeliveryLog };

function toMonitorsParts(ports: Ports, core: Core, { webhooks, deliveries }: StoredWebhooks): MonitorsParts {
  return {
    db: ports.db,
    inTurn: core.inTurn,
    clock: ports.storeClock,
    random: ports.random,
    // The bodies of monitors are encrypted like the inputs of jobs.
    sealer: ports.sealerFor('jobs'),
    notifications: core.queue.notifications,
    webhooks,
    deliveries,
    accounts: core.accounts,
    cursors: core.cursors,
    queueing: core.queueing,
    operations: ports.operations,
    observe: ports.observe,
    report: ports.reporter('checking the schedules of monitors failed'),
  };
}

type VisitParts = {
  readonly siteHealth: SiteHealth;
  readonly copies: PageCopies;
  readonly webhooks: Webhooks;
};

/** Builds the features that visit pages, except searches, and the sessions that they use. */
function makeVisits(ports: Ports, core: Core, { siteHealth, copies, webhooks }: VisitParts): readonly Feature[] {
  const { db, storeClock: clock, guard, calls } = ports;
  const { parseTarget } = guard;
  const { savedSessions, cursors } = core;
  const interacting = buildSessionOpener({
    openSessionVisits: calls.openSessionVisits,
    browser: calls.browser,
    savedSessions,
    breakers: calls.breakers,
    hosts: calls.hosts,
    clock,
    random: ports.random,
    observe: ports.observe,
  });
  return [
    buildFetch({ readTarget: parseTarget, copies, readPlan: ports.planOf, clock }),
    buildExplain({ readTarget: parseTarget }),
    ...makeCrawlAndMap(ports, core, { pageCopies: copies, webhooks }),
    buildInteractFeature({ readTarget: parseTarget, clock, sessionOpener: interacting }),
    buildSites({
      book: ports.sites,
      cursors,
      siteHealth,
      readSource: ports.parsing.readSource,
      clock,
      db,
      inTurn: core.inTurn,
      billing: core.billing,
      results: core.results,
      endpoints: ports.endpoints,
      listCrawls: ports.listCrawls,
      watched: ports.watched,
    }),
    buildSessions({ savedSessions, cursors, sessionTerms: ports.sessionTerms }),
  ];
}

function makeWebhooks(ports: Ports, core: Core, { webhooks, deliveries }: StoredWebhooks): Feature {
  return buildWebhooksFeature({
    db: ports.db,
    clock: ports.storeClock,
    random: ports.random,
    guard: ports.guard,
    notifications: core.queue.notifications,
    webhooks,
    observe: ports.observe,
    report: ports.reporter('an event could not be sent or written'),
    deliveries,
    cursors: core.cursors,
    sealer: ports.sealerFor('jobs'),
  });
}

function makeJobs(ports: Ports, core: Core, { webhooks, deliveries }: StoredWebhooks): Feature {
  return buildJobsFeature({
    db: ports.db,
    clock: ports.storeClock,
    jobs: core.queue.jobs,
    notifications: core.queue.notifications,
    queueing: core.queueing,
    results: core.results,
    artifacts: core.artifacts,
    cursors: core.cursors,
    webhooks,
    deliveries,
    operations: ports.operations,
    version: ports.version,
  });
}

/** Builds the features for a tenant's account and for operators. */
function makeAdministration(ports: Ports, core: Core): readonly Feature[] {
  const { cursors } = core;
  const { keys } = ports;
  return [
    buildAccount({
      accounts: core.accounts,
      unpaid: core.unpaid,
      keptRoom: core.keptRoom,
      requestLog: core.requestLog,
      cursors,
      instance: core.instance,
      keys,
    }),
    buildAdmin({
      tenants: ports.tenants,
      plans: ports.plans,
      cursors,
      clock: ports.storeClock,
      db: ports.db,
      version: ports.version,
      settings: ports.settings,
      cache: ports.cache,
      processes: core.processes,
      upkeepLog: core.upkeepLog,
      keys,
      queueState: core.queueState,
      secret: ports.secret,
      objects: ports.objects,
    }),
  ];
}

/** Builds crawls and maps, which share their parts. A map visits pages only for their links. */
function makeCrawlAndMap(
  ports: Ports,
  core: Core,
  { pageCopies, webhooks }: { readonly pageCopies: PageCopies; readonly webhooks: Webhooks },
): readonly Feature[] {
  const { db, storeClock: clock, wallClock, crawls, parsing, guard, planOf, reporter } = ports;
  const { parseTarget } = guard;
  // The index of searches reads them.
  const copies =
    ports.search.own === null
      ? null
      : { pageCache: core.pageCache, report: reporter('storing a page of a crawl for searches failed') };
  const { inTurn, billing, results, unpaid, savedSessions, artifacts, memory } = core;
  const crawling = {
    db,
    inTurn,
    billing,
    results,
    webhooks,
    notifications: core.queue.notifications,
    clock,
    random: crawls.random,
    processId: ports.processId,
    tierVisits: crawls.tierVisits,
    browser: crawls.browser,
    breakers: crawls.breakers,
    hosts: crawls.hosts,
    robots: crawls.robots,
    paces: crawls.paces,
    unpaid,
    readTarget: parseTarget,
    read: parsing.readOfSite,
    savedSessions,
    artifacts,
    copies,
    pageCopies,
    memory,
    observe: ports.observe,
  };
  const retention = buildCrawlRetention({ db, clock: wallClock });
  const helping = buildHelperLoop({
    db,
    maxCrawls: ASSISTED_CRAWLS,
    clock,
    open: (row) => core.queue.leases.openInput(row),
    help: core.help,
    findPlan: planOf,
    report: reporter('helping with a crawl of another process failed'),
  });
  return [
    buildCrawlFeature({
      crawling,
      readTarget: parseTarget,
      retention: { name: 'crawls', run: async (signal) => retention.tidy(signal) },
      helperLoop: helping,
    }),
    buildMapFeature({ crawling: { ...crawling, listKnownPages: buildKnownPages(ports) }, readTarget: parseTarget }),
  ];
}

/** Builds the list of pages that a tenant has fetched, from the index of searches; null if that is off. */
function buildKnownPages({ search: { own }, db, storeClock: clock }: Ports): ListKnownPages | null {
  if (own === null) return null;
  const sources = new IndexSources({ db, clock });
  return async (request, signal) => {
    const pages = await own.index.listOrigin(request, signal);
    const existing = await sources.listExisting(pages.map(({ source }) => source));
    return pages.filter(({ source }) => existing.has(source));
  };
}

/** Builds searches with the operator's backends, otherwise in the pages that this instance has fetched. */
function makeSearch(ports: Ports, core: Core, siteHealth: SiteHealth): Feature {
  const { search, db, storeClock: clock, wallClock, guard, parsing, reporter } = ports;
  const { settings, wire, own } = search;
  const { parseTarget } = guard;
  const sources = new IndexSources({ db, clock });
  const found = own === null ? null : { index: own.index, sources };
  const mayVisit = buildTargetCheck(guard);
  const pages = {
    engines: enginePages,
    visit: visitByHttp(ports),
    readTarget: parseTarget,
    // Pages of engines are the same for all tenants.
    readSource: async (order: SourceReadRequest, signal: AbortSignal) =>
      parsing.readSource(order, { party: SERVICE_OWNER, signal }),
    mayVisit,
  };
  const backends = buildBackends(settings, { wire, mayVisit, pages });
  const chain = buildChain(settings, { backends, own: found, clock: wallClock });
  const endpoint = enginePages.websearch;
  const siteParts = { book: ports.sites, cursors: core.cursors, siteHealth, readSource: parsing.readSource, clock };
  return buildSearchFeature({
    searching: new Searcher({ chain, clock: wallClock }),
    clock: wallClock,
    settings,
    siteHealth,
    serp: {
      getEngineSources: buildSerpSources(settings, enginePages, { backends, siteParts, mayVisit, clock: wallClock }),
      siteParts,
    },
    websearch: {
      endpoint: endpoint,
      siteParts,
      sources: buildResultSources(settings, { backends, endpoint, siteParts, mayVisit, clock: wallClock }),
    },
    wire,
    mayVisit,
    readTarget: parseTarget,
    modelName: search.modelName,
    building:
      own === null
        ? null
        : {
            index: own.index,
            maxBytes: own.mostBytes,
            results: core.results,
            pageCache: core.pageCache,
            db,
            sources,
            shares: buildSharesByPlan({ db, plans: ports.plans }),
            read: async (request: ReadRequest, signal: AbortSignal) =>
              parsing.read(request, { party: SERVICE_OWNER, signal }),
            clock: wallClock,
            report: reporter('the index of searches could not be built'),
          },
  });
}

/** The current tier `http`. */
function visitByHttp({ calls }: Pick<Ports, 'calls'>): TierVisit {
  return async (request, signal) => {
    const { http } = calls.tierVisits();
    if (http === undefined) throw new ServiceError('backend_unavailable', 'there is no access by HTTP');
    return http(request, signal);
  };
}

/** Whether the guard lets a caller visit an address. */
function buildTargetCheck({ parseTarget }: Pick<Ports['guard'], 'parseTarget'>): (url: string) => boolean {
  return (url) => {
    try {
      parseTarget(url);
      return true;
    } catch (error) {
      if (error instanceof ServiceError) return false;
      throw error;
    }
  };
}
