import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { Disk } from 'flydrive';
import { FSDriver } from 'flydrive/drivers/fs';
import { parseAllowTargets } from '#access/allowed.ts';
import type { Binaries } from '#access/browser/binaries.ts';
import { buildBreakers } from '#access/breaker.ts';
import { EGRESS_LIMITS } from '#access/egress-passes.ts';
import { openEgressProxy } from '#access/egress-proxy.ts';
import { openGuard } from '#access/guard.ts';
import { buildHostMemory } from '#access/host-memory.ts';
import { openLikeness } from '#access/likeness.ts';
import { readMachine } from '#access/machine.ts';
import { DESKTOP } from '#access/profile.ts';
import { openDnsResolver, resolveBySystem, withCache } from '#access/resolver.ts';
import type { Endpoint } from '#access/rules.ts';
import { endpointsOf, openUpstreams } from '#access/upstreams.ts';
import { buildAccounts } from '#engine/accounts.ts';
import { buildArrears } from '#engine/arrears.ts';
import { buildArtifacts } from '#engine/artifacts.ts';
import { buildBilling } from '#engine/billing.ts';
import { buildCrawlRetention } from '#engine/crawl/crawl-retention.ts';
import { startAssisting } from '#engine/crawl/assisting.ts';
import { buildCursors } from '#engine/cursor.ts';
import { buildInteracting } from '#engine/interact/interacting.ts';
import { describeModel, describeTiers } from '#engine/instance.ts';
import { buildKeptAnswers } from '#engine/kept-answers.ts';
import { buildKeptRoom } from '#engine/kept-room.ts';
import { buildPageCache } from '#engine/page-cache.ts';
import { openParsing } from '#engine/parsing.ts';
import { buildPerform } from '#engine/perform.ts';
import type { Plan } from '#engine/plans.ts';
import { buildQueue } from '#engine/queue.ts';
import { buildRequestLog } from '#engine/request-log.ts';
import { buildResults, spaceOf } from '#engine/results.ts';
import { openRooms } from '#engine/rooms.ts';
import { startUpkeep } from '#engine/upkeep.ts';
import type { Verdict } from '#engine/sites/answers.ts';
import { buildSiteHealth } from '#engine/sites/health.ts';
import type { ReadOrder } from '#engine/sites/reading.ts';
import { loadSites } from '#engine/sites/settings.ts';
import { buildVisiting } from '#engine/visiting.ts';
import { buildWebhooks } from '#engine/webhooks/webhooks.ts';
import { buildWork } from '#engine/work.ts';
import { startWorker } from '#engine/worker.ts';
import type { ArtifactsPlace } from '#kernel/artifacts-url.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Config } from '#kernel/config.ts';
import { loadFolderId, loadSecret } from '#kernel/data-dir.ts';
import { buildSealer } from '#kernel/sealing.ts';
import { sites } from '#sites/index.ts';
import { SOURCES } from '#sites/reading.ts';
import { StoreUnavailable } from '#store/db.ts';
import { groupCommits } from '#store/group-commit.ts';
import { OBJECT_LIMITS, openObjects } from '#store/objects.ts';
import { openHints } from '#store/open.ts';
import { openBrowsing, stateOf } from './browsing.ts';
import { openCrawling } from './crawling.ts';
import { endpointsOfModel, openModelOf, readingsOfModel } from './model.ts';
import { allOperations } from './registry.ts';
import { openScheduler } from './scheduling.ts';
import { openSending } from './sending.ts';
import { placeOf } from './store.ts';
import type { Store } from './store.ts';
import { openTiers } from './tiers.ts';
import { VERSION, tiersOf } from './version.ts';

/** Time slices and lifetimes that no one may set back. */
const monotonic: Clock = { now: () => performance.now() };

/** Crawls of others that one process helps with at once. */
const ASSISTED_CRAWLS = 4;

export type EngineOptions = {
  /** Names this process in what it reserves and begins. */
  readonly holder: string;
  /** Where this process itself listens. */
  readonly own: () => readonly Endpoint[];
  /** Where large results are kept. */
  readonly artifacts: ArtifactsPlace;
  /** The browsers that are on this machine now, as the settings allow them. */
  readonly findBrowsers: () => Binaries | null;
  /** Told of each page that a source of an endpoint was asked about, for those who record them. */
  readonly witnessSource?: (order: ReadOrder, verdict: Verdict) => void;
  /** For the operator: what happened, and the particulars. */
  readonly report: (message: string, facts: Readonly<Record<string, unknown>>) => void;
};

/** What performs operations over a store: the gate with the ladder, the parser threads and the credits behind it. */
export async function openEngine(
  config: Config,
  store: Store,
  { holder, own, artifacts: place, findBrowsers, witnessSource, report }: EngineOptions,
) {
  const { db, clock, time, plans, registry } = store;
  const inTurn = groupCommits(db);
  const hints = await openHints(placeOf(config), db);
  const billing = buildBilling({ db, inTurn, clock, holder });
  const arrears = buildArrears();
  const requestLog = buildRequestLog({ db, inTurn, clock });
  const accounts = buildAccounts({ db, clock });
  const location = resolve(config.QUERN_DATA_DIR, 'cache');
  const disk = new Disk(new FSDriver({ location, visibility: 'private' }));
  const secret = loadSecret(config.QUERN_DATA_DIR, config.QUERN_SECRET_KEY);
  const sealer = buildSealer(secret, 'page cache');
  const pageCache = buildPageCache({ db, inTurn, disk, location, sealer, folder: cacheFolderOf(config), clock });
  const keptAnswers = buildKeptAnswers({ db, clock, sealer: buildSealer(secret, 'kept answers'), holder });
  const objects = await openObjects(place, { sync: config.QUERN_SQLITE_SYNC, ...OBJECT_LIMITS });
  const space = spaceOf(secret);
  const results = buildResults({ db, objects, space });
  const artifacts = buildArtifacts({ db, objects, space, clock });
  const proxies = endpointsOf(config);
  const modelPorts = endpointsOfModel(config);
  const model = openModelOf(config, report);
  const listening: Endpoint[] = [];
  const guard = openGuard({
    allowed: parseAllowTargets(config.QUERN_ALLOW_TARGETS),
    own: () => [...own(), ...proxies, ...modelPorts, ...listening],
    ...readMachine(),
    resolve: withCache(openDnsResolver(null), monotonic),
    resolveAllowed: withCache(resolveBySystem, monotonic),
    report: (refusal) => report('the egress guard refused a target', refusal),
  });
  const upstreams = openUpstreams(config, { clock: monotonic, random: Math.random });
  const egress = await openEgressProxy({ guard, limits: EGRESS_LIMITS });
  listening.push(egress.endpoint);
  const browsing = openBrowsing({
    config,
    find: findBrowsers,
    guard,
    upstreams,
    clock: monotonic,
    warn: (line) => report(line, {}),
    egress,
  });
  const likeness = openLikeness(egress);
  const tiers = openTiers({ guard, profile: DESKTOP, upstreams, browsing, userAgent: null, likeness });
  const queue = buildQueue({
    db,
    inTurn,
    clock,
    sealer: buildSealer(secret, 'jobs'),
    random: Math.random,
    results,
    webhooks: buildWebhooks({ db, clock, sealer: buildSealer(secret, 'webhooks'), guard }),
    operations: allOperations,
    hints,
    plans,
  });
  const rooms = openRooms();
  const breakers = buildBreakers({ clock: monotonic });
  const hosts = buildHostMemory({ clock: monotonic });
  const parsing = openParsing(SOURCES);
  const crawls = openCrawling({
    db,
    inTurn,
    billing,
    results,
    rooms,
    clock,
    time,
    holder,
    guard,
    breakers,
    upstreams,
    browsing,
    read: parsing.readOfSite,
    userAgent: config.QUERN_USER_AGENT ?? null,
    report: (error) => report('the lease of a host could not be kept', { err: error }),
  });
  const common = {
    billing,
    arrears,
    inTurn,
    requestLog,
    jobs: queue.jobs,
    keptAnswers,
    visiting: buildVisiting({
      rungs: () => tiers.rungs(),
      browser: () => stateOf(browsing),
      breakers,
      hosts,
      robots: crawls.robots,
      guard,
      hasModel: model !== null,
      billing,
      pageCache,
      rooms,
      sites: loadSites(config.QUERN_SITES_FILE ?? null, sites),
      report: (error) => report('a page could not be cached', { err: error }),
    }),
    clock,
  };
  const cursors = buildCursors(secret);
  const siteHealth = buildSiteHealth({
    db,
    clock,
    warn: (line) => report(line, {}),
    report: (error) => report('the health of a site could not be written', { err: error }),
  });
  const work = buildWork({
    ...common,
    rooms,
    artifacts,
    crawling: crawls.crawling,
    interacting: buildInteracting({
      openClimb: () => browsing.visits()?.openClimb ?? null,
      browser: () => stateOf(browsing),
      breakers,
      hosts,
    }),
    cursors,
    read: parsing.read,
    async readSource(order, signal) {
      const verdict = await parsing.readSource(order, signal);
      witnessSource?.(order, verdict);
      return verdict;
    },
    siteHealth,
    model,
    newMark: randomUUID,
  });
  const perform = buildPerform(
    {
      ...common,
      accounts,
      monitors: queue.monitors,
      history: queue.history,
      following: queue.following,
      webhooks: queue.webhooks,
      deliveries: queue.deliveries,
      results,
      artifacts,
      cursors,
      instance: {
        version: VERSION,
        operations: allOperations,
        tiers: () => describeTiers(tiersOf(config, browsing.binaries()), browsing.lack()),
        model: describeModel(model === null ? 'missing' : 'there'),
      },
    },
    work,
  );
  const planOf = async (tenant: string): Promise<Plan> => plans[(await registry.tenants.demand(tenant)).plan];
  await billing.abandon();
  await keptAnswers.abandon();
  await billing.sweep();
  return {
    perform,
    /** Takes back the jobs of a worker that is known to be dead. */
    recover: async (worker: string) => queue.leases.recover(worker, planOf),
    /** Starts to run queued jobs under the name `id`, so many at once. */
    work: (id: string, slots: number) =>
      startWorker({
        ...queue,
        id,
        slots,
        operations: allOperations,
        perform,
        billing,
        planOf,
        report: (error) => report('a job could not be run or written', { err: error }),
      }),
    /** Starts to turn the ticks of monitors into runs. */
    schedule: () =>
      openScheduler({
        ...queue,
        report: (error) => report('the ticks of monitors could not be looked at', { err: error }),
      }),
    /** Starts to send the events of webhooks; `alone` where no other process can. */
    send: (how: 'alone' | 'beside others') =>
      openSending({
        db,
        clock,
        monotonic,
        guard,
        ...queue,
        isAlone: how === 'alone',
        report: (error) => report('an event could not be sent or written', { err: error }),
      }),
    /** Starts to help with crawls that the workers of other processes run. */
    assist: (id: string) =>
      startAssisting({
        db,
        id,
        most: ASSISTED_CRAWLS,
        news: queue.news,
        operations: allOperations,
        open: queue.leases.open,
        assist: work.assist,
        planOf,
        report: (error) => report('a crawl could not be helped with', { err: error }),
      }),
    accounts,
    billing,
    browsing,
    /** What the metrics tell of the model, nothing where there is none. */
    readings: model === null ? [] : readingsOfModel(model),
    upkeep: async () =>
      startUpkeep({
        billing,
        arrears,
        requestLog,
        pageCache,
        keptAnswers,
        jobRetention: queue.retention,
        crawlRetention: buildCrawlRetention({ db, clock: time }),
        monitorRetention: queue.monitorRetention,
        deliveryRetention: queue.deliveryRetention,
        results,
        artifacts,
        room: buildKeptRoom({ db, clock, results, keptAnswers, objects, hasFiles: place.kind === 'folder', plans }),
        dataDir: config.QUERN_DATA_DIR,
        quota: config.QUERN_MAX_DISK,
        report: (error) => report('a round of upkeep failed', { err: error }),
      }),
    async close() {
      // Where the store is away others find out by themselves.
      await billing.leave().catch(ignoreUnavailable);
      await siteHealth.close();
      await hints.close();
      await parsing.close();
      await crawls.close();
      await tiers.close();
      await model?.close();
      await browsing.close();
      await egress.close();
    },
  };
}

export type Engine = Awaited<ReturnType<typeof openEngine>>;

/** The id under which this data folder keeps pages beside others; an embedded store has no other. */
function cacheFolderOf(config: Config): string | null {
  return config.QUERN_DATABASE_URL === undefined ? null : loadFolderId(config.QUERN_DATA_DIR);
}

function ignoreUnavailable(error: unknown): void {
  if (!(error instanceof StoreUnavailable)) throw error;
}
