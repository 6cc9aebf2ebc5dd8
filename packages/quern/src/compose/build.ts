import type { SessionOpenerParts } from '#features/interact/session-opener.ts';
import type { Guard } from '#access/guard/guard.ts';
import type { Breakers } from '#access/tiers/circuit-breaker.ts';
import type { HostMemory } from '#access/tiers/host-memory.ts';
import type { BrowserState, TierVisits } from '#access/tiers/ladder.ts';
import { buildCursors } from '#engine/call/cursor.ts';
import { DeferredReleases } from '#engine/call/deferred-releases.ts';
import type { Feature } from '#engine/call/feature.ts';
import { IdempotentAnswers } from '#engine/call/idempotency.ts';
import { InvariantError } from '#extract/invariant-error.ts';
import { describeModel, type Instance, type TierStates } from '#engine/call/instance.ts';
import type { BoundOperation, BoundWork } from '#engine/call/bound-operation.ts';
import type { Operation } from '#engine/call/operation.ts';
import { buildPerform } from '#engine/call/perform.ts';
import { RequestLog } from '#engine/call/request-log.ts';
import { buildHelp, type RunParts } from '#engine/call/steps/run.ts';
import type { GetAdmissionFacts } from '#engine/call/steps/order.ts';
import { JobGate } from '#engine/call/steps/queue.ts';
import { UnpaidWork } from '#engine/call/unpaid-work.ts';
import { buildPerformWork } from '#engine/call/work.ts';
import { Accounts } from '#engine/credits/accounts.ts';
import { Billing } from '#engine/credits/billing.ts';
import { Processes } from '#engine/credits/processes.ts';
import type { Tenants } from '#engine/credits/tenants.ts';
import type { Keys } from '#engine/identity/keys.ts';
import type { Plan, Plans } from '#engine/identity/plans.ts';
import { QueueState } from '#engine/jobs/queue-state.ts';
import { buildQueue } from '#engine/jobs/queue.ts';
import type { PerformJob } from '#engine/jobs/worker.ts';
import type { HostPaces } from '#engine/politeness/host-pace.ts';
import type { RobotsCache } from '#engine/politeness/robots-cache.ts';
import { Artifacts } from '#engine/results/artifacts.ts';
import { Results } from '#engine/results/results.ts';
import type { ServedEndpoint } from '#features/sites/endpoint.ts';
import type { WatchedEndpoint } from '#features/sites/health-operation.ts';
import type { ServedListCrawl } from '#features/sites/list-crawl.ts';
import type { SiteBook } from '#features/sites/settings.ts';
import type { SiteWorkParts } from '#features/sites/site-work.ts';
import type { CrawlParts } from '#features/crawl/run/open-crawl.ts';
import { SavedSessions, type SessionTerms } from '#engine/sessions/saved-sessions.ts';
import { DiskUsage } from '#engine/upkeep/disk-usage.ts';
import { StorageQuota } from '#engine/upkeep/storage-quota.ts';
import { UpkeepLog } from '#engine/upkeep/upkeep-log.ts';
import { PageCache, type PageCacheParts } from '#engine/visits/page-cache.ts';
import { buildPageVisitor } from '#engine/visits/visits.ts';
import type { Clock } from '#kernel/clock.ts';
import type { SettingSummary } from '#kernel/config.ts';
import type { ObserveEvent } from '#kernel/events.ts';
import type { ActiveTenants } from '#kernel/active-tenants.ts';
import type { MemoryBudgets } from '#kernel/memory-budget.ts';
import type { Sealer } from '#kernel/sealer.ts';
import type { SharedModel } from '#llm/complete.ts';
import { describeSearch, type SearchPorts } from './search-settings.ts';
import type { Db } from '#store/db.ts';
import { createGroupCommit, type GroupedTransaction } from '#store/group-commit.ts';
import type { Hints } from '#store/hints.ts';
import type { ObjectStore } from '#store/objects.ts';

/** The access to pages of one kind of visitor: calls, or crawls, which identify themselves. */
export type AccessPorts = {
  /** The tiers that are available now: a browser may be installed while the service runs. */
  readonly tierVisits: () => TierVisits;
  readonly browser: () => BrowserState;
  readonly breakers: Breakers;
  readonly hosts: HostMemory;
};

/** The ports of the engine and its features to everything outside; tests and benchmarks replace some of them. */
export type Ports = {
  readonly db: Db;
  readonly hints: Hints;
  /** The clock of calls and records; a clock file can set it. */
  readonly storeClock: Clock;
  /** The clock of this machine for pacing and waits; it cannot be set. */
  readonly wallClock: Clock;
  /** From 0 to 1. */
  readonly random: () => number;
  readonly plans: Plans;
  readonly keys: Keys;
  readonly tenants: Tenants;
  readonly planOf: (tenant: string) => Promise<Plan>;
  /** The id of this process in reservations, jobs and leases. */
  readonly processId: string;
  /** The store of large results; null if they are stored in rows. */
  readonly objects: ObjectStore | null;
  /** Whether that store is a folder of this machine. */
  readonly hasFiles: boolean;
  /** The prefix of this instance's objects in a store that others may use too. */
  readonly space: string;
  readonly cache: Pick<PageCacheParts, 'disk' | 'location' | 'folder' | 'fileClock'>;
  /** Signs cursors. */
  readonly secret: Uint8Array;
  readonly sealerFor: (purpose: 'page cache' | 'kept answers' | 'jobs' | 'webhooks' | 'sessions') => Sealer;
  /** Whether calls may accept any certificate of a target. */
  readonly allowsInsecureTls: boolean;
  readonly sessionTerms: SessionTerms;
  readonly guard: Guard;
  readonly calls: AccessPorts & Pick<SessionOpenerParts, 'openSessionVisits'>;
  readonly crawls: AccessPorts & {
    readonly robots: RobotsCache;
    readonly paces: HostPaces;
    /** Returns a random number from 0 to below 1, which distinguishes the members of a crawl. */
    readonly random: () => number;
  };
  /** Reads pages in parser threads, until the signal fires. */
  readonly parsing: {
    readonly read: RunParts['read'];
    readonly readPacked: RunParts['readPacked'];
    readonly readOfSite: CrawlParts['read'];
    readonly readSource: SiteWorkParts['readSource'];
  };
  readonly model: SharedModel | null;
  readonly search: SearchPorts;
  /** Creates a random word that cannot be guessed. */
  readonly newMark: () => string;
  readonly memory: MemoryBudgets;
  readonly active: ActiveTenants;
  readonly sites: SiteBook;
  readonly endpoints: readonly ServedEndpoint[];
  readonly listCrawls: readonly ServedListCrawl[];
  /** The endpoints whose health is reported. */
  readonly watched: readonly WatchedEndpoint[];
  /** All operations, in the order of the docs. */
  readonly operations: readonly Operation[];
  /** The interfaces of other services that are served. */
  readonly interfaces: Instance['interfaces'];
  readonly version: string;
  /** The settings of this process as an operator may see them. */
  readonly settings: readonly SettingSummary[];
  readonly tiers: () => TierStates;
  /** Receives events for the log and the metrics. */
  readonly observe: ObserveEvent;
  /** Prints a line for the operator. */
  readonly warn: (line: string) => void;
  /** Creates a receiver of errors that no call waits for; `what` begins its line. */
  readonly reporter: (what: string) => (error: unknown) => void;
};

export type Core = ReturnType<typeof buildCore>;

function openPageCache({ db, storeClock: clock, cache, sealerFor }: Ports, inTurn: GroupedTransaction): PageCache {
  return new PageCache({
    db,
    inTurn,
    disk: cache.disk,
    location: cache.location,
    folder: cache.folder,
    fileClock: cache.fileClock,
    sealer: sealerFor('page cache'),
    clock,
  });
}

/** Builds the engine without features: calls, credits, jobs, results and visits. */
function buildCore(ports: Ports, bound: BoundOperations) {
  const { db, storeClock: clock, processId, objects, space, memory, active, guard, model, plans } = ports;
  const inTurn = createGroupCommit(db, clock);
  const billing = new Billing({ db, inTurn, clock, processId });
  const results = new Results({ db, objects, space });
  const idempotentAnswers = new IdempotentAnswers({ db, clock, sealer: ports.sealerFor('kept answers'), processId });
  const pageCache = openPageCache(ports, inTurn);
  const savedSessions = new SavedSessions({
    db,
    inTurn,
    clock,
    sealer: ports.sealerFor('sessions'),
    terms: ports.sessionTerms,
  });
  const unpaid = new UnpaidWork(ports.wallClock);
  const hooks = () => bound.features.flatMap(({ jobHooks }) => jobHooks ?? []);
  const queue = buildQueue({
    db,
    inTurn,
    clock,
    sealer: ports.sealerFor('jobs'),
    results,
    random: ports.random,
    hooks,
    observe: ports.observe,
    plans,
    hints: ports.hints,
  });
  const factsFor: GetAdmissionFacts = (plan) => ({
    plan,
    readTarget: guard.parseTarget,
    isOpened: guard.isAllowed,
    allowsInsecureTls: ports.allowsInsecureTls,
    hasModel: model !== null,
  });
  const findWork = (id: string): BoundWork | null => {
    const found = bound.byId.get(id);
    return found?.kind === 'work' ? found : null;
  };
  const ids = () => [...bound.byId].filter(([, { kind }]) => kind === 'work').map(([id]) => id);
  return {
    inTurn,
    billing,
    processes: new Processes({ db, clock, processId }),
    results,
    idempotentAnswers,
    pageCache,
    savedSessions,
    queue,
    memory,
    active,
    factsFor,
    findWork,
    unpaid,
    accounts: new Accounts({ db, clock }),
    deferredReleases: new DeferredReleases(),
    requestLog: new RequestLog({ db, inTurn, clock }),
    artifacts: new Artifacts({ db, objects, space, clock }),
    cursors: buildCursors(ports.secret),
    queueing: new JobGate({ jobs: queue.jobs, unpaid, getFacts: factsFor, findWork, listIds: ids }),
    help: buildHelp({ billing, model, createNonce: ports.newMark, getFacts: factsFor, memory, clock, findWork }),
    diskUsage: new DiskUsage({ db, clock, results, objects, idempotentAnswers, hasFiles: ports.hasFiles, plans }),
    keptRoom: new StorageQuota({ db, clock, results, objects, plans }),
    queueState: new QueueState({ db, clock }),
    upkeepLog: new UpkeepLog(clock),
    instance: describeInstance(ports),
  };
}

function describeInstance({ version, operations, tiers, model, search, interfaces }: Ports): Instance {
  const hasModel = model !== null;
  return {
    version,
    operations,
    tiers,
    model: describeModel(hasModel ? 'there' : 'missing'),
    search: describeSearch(search, hasModel),
    interfaces,
  };
}

/** The features and their operations; empty until they are built. */
type BoundOperations = { features: readonly Feature[]; readonly byId: Map<string, BoundOperation> };

/** Adds the operations of all features. Throws `InvariantError` if two have the same id or route. */
function addOperations({ features, byId }: BoundOperations): void {
  const routes = new Set<string>();
  for (const one of features.flatMap(({ operations }) => operations)) {
    const { id, route } = one.operation;
    if (byId.has(id)) throw new InvariantError(`${id}: two operations have this id`);
    if (route !== null && routes.has(route)) throw new InvariantError(`${id}: two operations have the route ${route}`);
    byId.set(id, one);
    if (route !== null) routes.add(route);
  }
}

/** Builds the engine with its ports, and the features with the engine. */
export function buildService<F extends { readonly features: readonly Feature[] }>(
  ports: Ports,
  makeFeatures: (ports: Ports, core: Core) => F,
) {
  const bound: BoundOperations = { features: [], byId: new Map() };
  const core = buildCore(ports, bound);
  const made = makeFeatures(ports, core);
  bound.features = made.features;
  addOperations(bound);
  const { calls, model, newMark, storeClock: clock, observe, parsing } = ports;
  const { billing, idempotentAnswers, inTurn, deferredReleases, unpaid, queueing, artifacts, memory } = core;
  const visiting = buildPageVisitor({
    tierVisits: calls.tierVisits,
    browser: calls.browser,
    breakers: calls.breakers,
    hosts: calls.hosts,
    robots: ports.crawls.robots,
    billing,
    pageCache: core.pageCache,
    savedSessions: core.savedSessions,
    memory,
    clock,
    random: ports.random,
    observe,
    report: ports.reporter('a page could not be cached'),
  });
  const work = buildPerformWork({
    billing,
    model,
    createNonce: newMark,
    visiting,
    read: parsing.read,
    readPacked: parsing.readPacked,
    unpaid,
    clock,
    deferredReleases,
    requestLog: core.requestLog,
    idempotentAnswers,
    observe,
    queueing,
    artifacts,
    memory,
    active: core.active,
  });
  const perform = buildPerform({
    deferredReleases,
    idempotentAnswers,
    inTurn,
    clock,
    accounts: core.accounts,
    factsFor: core.factsFor,
    findOperation: (id) => bound.byId.get(id) ?? null,
    work,
  });
  const performJob: PerformJob = ({ kind, input, ...asked }) => {
    const found = core.findWork(kind);
    return found === null
      ? null
      : perform(found.operation, input, { ...asked, idempotencyKey: null, lastEventId: null, takesJsonBytes: true });
  };
  return { core, made, perform, performJob };
}
