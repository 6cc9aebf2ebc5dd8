import { SOURCE_WORKER } from '#features/sites/site-work.ts';
import { randomUUID } from 'node:crypto';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { Disk } from 'flydrive';
import { FSDriver } from 'flydrive/drivers/fs';
import { parseAllowTargets } from '#access/guard/allowed-targets.ts';
import type { Binaries } from '#access/browser/binaries.ts';
import { createBreakers } from '#access/tiers/circuit-breaker.ts';
import { EGRESS_LIMITS } from '#access/egress/credentials.ts';
import { startEgressProxy } from '#access/egress/egress-proxy.ts';
import { createGuard } from '#access/guard/guard.ts';
import { createHostMemory } from '#access/tiers/host-memory.ts';
import { createImpersonation } from '#access/http/impersonation.ts';
import { readMachine } from '#access/guard/local-names.ts';
import { DESKTOP_PROFILE } from '#access/http/browser-headers.ts';
import { createDnsResolver, createSystemResolver, cacheDns } from '#access/guard/resolver.ts';
import type { Endpoint } from '#access/guard/rules.ts';
import { createUpstreams } from '#access/proxy/proxy-pool.ts';
import { describeTiers } from '#engine/call/instance.ts';
import { type Plan, resolvePlan } from '#engine/identity/plans.ts';
import { createParserThreads } from '#engine/reading/parser-threads.ts';
import { deriveSpace } from '#engine/results/results.ts';
import type { SiteVerdict } from '#sites/framework/answers.ts';
import type { SourceReadRequest } from '#sites/framework/source-reader.ts';
import { loadSiteSettings } from '#features/sites/settings.ts';
import type { ArtifactStorage } from '#kernel/artifacts-url.ts';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import type { Config, SettingSummary } from '#kernel/config.ts';
import type { ObserveEvent } from '#kernel/events.ts';
import { loadFolderId, loadSecret } from '#kernel/data-dir.ts';
import { ActiveTenants } from '#kernel/active-tenants.ts';
import { createMemoryBudgets } from '#kernel/memory-budget.ts';
import { createSealer } from '#kernel/sealer.ts';
import { listSites } from '#sites/index.ts';
import { endpoints, listCrawls } from './endpoints.ts';
import { OBJECT_LIMITS, openObjectStore } from '#store/objects.ts';
import { openHints } from '#store/open-store.ts';
import { openBrowserAccess, getBrowserState } from './browsers.ts';
import type { Ports } from './build.ts';
import { openCrawlAccess, openTiers } from './tiers.ts';
import { listInterfaces } from './interfaces.ts';
import { openConfiguredModel } from './model.ts';
import { allOperations, watchedEndpoints } from './registry.ts';
import { openSearch, type SearchPorts } from './search-settings.ts';
import { listServices } from './services.ts';
import { toStorePlace, type Store } from './store.ts';
import { VERSION, listTiers } from './version.ts';

export type PortOptions = {
  /** The id of this process in reservations, jobs and leases. */
  readonly processId: string;
  /** The endpoints that this process itself listens on. */
  readonly own: () => readonly Endpoint[];
  /** The store of large results. */
  readonly artifacts: ArtifactStorage;
  /** The settings of this process as an operator may see them. */
  readonly settings: readonly SettingSummary[];
  /** Finds the browsers of this machine that the settings allow. */
  readonly findBrowsers: () => Binaries | null;
  /** Receives each page that a source of an endpoint has read, for recordings. */
  readonly witnessSource?: (order: SourceReadRequest, verdict: SiteVerdict) => void;
  /** Receives events for the log and the metrics. */
  readonly observe: ObserveEvent;
  /** Receives an event for the operator, with its details. */
  readonly report: (message: string, facts: Readonly<Record<string, unknown>>) => void;
  /** Receives messages that may quote a page; they are logged only at the level `debug`. */
  readonly reportText: (message: string, facts: Readonly<Record<string, unknown>>) => void;
};

/** Opens the ports of a process with these settings; `close` ends them. */
export async function openPorts(config: Config, store: Store, options: PortOptions) {
  const { db, storeClock, wallClock, plans, registry } = store;
  const { processId, artifacts: place, witnessSource, report } = options;
  const secret = loadSecret(config.QUERN_DATA_DIR, config.QUERN_SECRET_KEY);
  const hints = await openHints(toStorePlace(config), db, wallClock);
  const model = openConfiguredModel(config, options);
  const search = openSearch(config, { db, clock: storeClock });
  const active = new ActiveTenants(wallClock);
  const visits = await openVisits(config, store, options, { search, active });
  const parsing = createParserThreads<SiteVerdict>(SOURCE_WORKER, wallClock, { active });
  const { browsing, guard, calls, crawls } = visits;
  const ports: Ports = {
    db,
    hints,
    storeClock,
    wallClock,
    random: Math.random,
    plans,
    keys: registry.keys,
    tenants: registry.tenants,
    planOf: async (tenant): Promise<Plan> => resolvePlan(plans, (await registry.tenants.readPlan(tenant)).plan),
    processId,
    objects: await openObjectStore(place, {
      sync: config.QUERN_SQLITE_SYNC,
      callMs: OBJECT_LIMITS.callMs,
      deleteAllMs: OBJECT_LIMITS.deleteAllMs,
      clock: wallClock,
    }),
    hasFiles: place.kind === 'folder',
    space: deriveSpace(secret),
    cache: openCacheFolder(config),
    secret,
    sealerFor: (purpose) => createSealer(secret, purpose),
    allowsInsecureTls: config.QUERN_ALLOW_INSECURE_TLS === 'on',
    sessionTerms: { idleDays: config.QUERN_SESSION_DAYS, maxIdleDays: config.QUERN_SESSION_MAX_DAYS },
    guard,
    calls,
    crawls,
    parsing: toParsingPorts(parsing, witnessSource),
    model,
    search,
    newMark: randomUUID,
    memory: createMemoryBudgets(),
    active,
    sites: loadSiteSettings(config.QUERN_SITES_FILE ?? null, listSites),
    endpoints,
    listCrawls,
    watched: watchedEndpoints,
    operations: allOperations,
    interfaces: listInterfaces(config),
    version: VERSION,
    settings: options.settings,
    tiers: () => describeTiers(listTiers(config, browsing.binaries()), browsing.lack()),
    observe: options.observe,
    warn: (line) => report(line, {}),
    reporter: (what) => (error) => report(what, { err: error }),
  };
  return {
    ports,
    browsing,
    model,
    async close(): Promise<void> {
      await hints.close();
      await parsing.close();
      await visits.close();
      await model?.close();
      await search.wire.close();
      await browsing.close();
      await visits.egress.close();
    },
  };
}

type Parsing = ReturnType<typeof createParserThreads<SiteVerdict>>;

/** Opens the parser threads; `witnessSource` receives the result of each source of an endpoint. */
function toParsingPorts(parsing: Parsing, witnessSource: PortOptions['witnessSource']): Ports['parsing'] {
  return {
    read: parsing.read,
    readPacked: parsing.readPacked,
    readOfSite: parsing.readOfSite,
    async readSource(order, reader) {
      const verdict = await parsing.readSource(order, reader);
      witnessSource?.(order, verdict);
      return verdict;
    },
  };
}

/** Opens the access to pages: guard, proxies, browsers, and the tiers of calls and crawls. */
async function openVisits(
  config: Config,
  { db, storeClock: clock, wallClock }: Store,
  options: PortOptions,
  { search, active }: { readonly search: SearchPorts; readonly active: ActiveTenants },
) {
  const { processId, own, findBrowsers, report } = options;
  const services = listServices(config, { artifacts: options.artifacts, search: search.settings });
  const fixed = services.filter(({ host }) => isIP(host) !== 0 || host === 'localhost');
  const listening: Endpoint[] = [];
  const guard = createGuard({
    allowed: parseAllowTargets(config.QUERN_ALLOW_TARGETS),
    own: () => [...own(), ...listening, ...fixed],
    services,
    ...readMachine(),
    resolve: cacheDns(createDnsResolver(null, clock), clock),
    resolveAllowed: cacheDns(createSystemResolver(clock), clock),
    report: (refusal) => report('the egress guard refused a target', refusal),
  });
  const upstreams = createUpstreams(config, { clock, random: Math.random, isOpened: guard.isAllowed });
  const egress = await startEgressProxy({ guard, limits: EGRESS_LIMITS, clock });
  listening.push(egress.endpoint);
  const warn = (line: string): void => report(line, {});
  const browsing = openBrowserAccess({ config, find: findBrowsers, guard, upstreams, clock, warn, egress });
  const impersonation = createImpersonation(egress, clock);
  const tiers = openTiers({
    guard,
    profile: DESKTOP_PROFILE,
    upstreams,
    browsing,
    clock,
    userAgent: null,
    impersonation,
  });
  const browser = () => getBrowserState(browsing);
  const breakers = createBreakers({ clock });
  const crawls = openCrawlAccess({
    db,
    clock,
    wallClock,
    processId,
    guard,
    upstreams,
    browsing,
    active,
    userAgent: config.QUERN_USER_AGENT ?? null,
    report: (error) => report('the lease of a host could not be kept', { err: error }),
  });
  const { tierVisits, hosts, robots, random, paces } = crawls.reach;
  return {
    guard,
    egress,
    browsing,
    calls: {
      browser,
      breakers,
      hosts: createHostMemory({ clock }),
      tierVisits: () => tiers.tierVisits(),
      openSessionVisits: () => browsing.visits()?.openSessionVisits ?? null,
    },
    crawls: { browser, breakers, tierVisits, hosts, robots, random, paces },
    async close(): Promise<void> {
      await crawls.close();
      await tiers.close();
    },
  };
}

/** The folder of cached pages, with an id if several folders share a database. */
function openCacheFolder(config: Config): Ports['cache'] {
  const location = resolve(config.QUERN_DATA_DIR, 'cache');
  const disk = new Disk(new FSDriver({ location, visibility: 'private' }));
  return {
    disk,
    location,
    fileClock: SYSTEM_CLOCK,
    folder: config.QUERN_DATABASE_URL === undefined ? null : loadFolderId(config.QUERN_DATA_DIR),
  };
}
