import { packOutputs, unpackOutputs } from '#engine/reading/packed-outputs.ts';
import type { ReadingCaller } from '#engine/reading/parser-queue.ts';
import { join } from 'node:path';
import { Disk } from 'flydrive';
import { FSDriver } from 'flydrive/drivers/fs';
import { createBreakers } from '#access/tiers/circuit-breaker.ts';
import { buildFailure } from '#access/failure.ts';
import { createHostMemory } from '#access/tiers/host-memory.ts';
import type { OpenSessionVisits } from '#access/interact/session-visits.ts';
import type { BrowserState } from '#access/tiers/ladder.ts';
import type { Page, PageRequest, Visit } from '#access/page.ts';
import { buildService, type Ports } from '#compose/build.ts';
import { watchedEndpoints, allOperations } from '#compose/registry.ts';
import { createNoSearch } from '#compose/search-settings.ts';
import { makeFeatures } from '#compose/features.ts';
import { HostPaces } from '#engine/politeness/host-pace.ts';
import { RobotsCache } from '#engine/politeness/robots-cache.ts';
import { describeTiers } from '#engine/call/instance.ts';
import type { JobInput } from '#engine/jobs/job-record.ts';
import type { Caller } from '#engine/identity/caller.ts';
import { Keys } from '#engine/identity/keys.ts';
import type { BoundOperation } from '#engine/call/bound-operation.ts';
import type { Operation } from '#engine/call/operation.ts';
import type { ServedEndpoint } from '#features/sites/endpoint.ts';
import type { ServedListCrawl } from '#features/sites/list-crawl.ts';
import { type Clock, SYSTEM_CLOCK } from '#kernel/clock.ts';
import { loadConfig } from '#kernel/config.ts';
import type { Answer } from '#engine/call/ask.ts';
import { loadPlans, type Plan, type PlanName } from '#engine/identity/plans.ts';
import { deriveSpace } from '#engine/results/results.ts';
import { ActiveTenants } from '#kernel/active-tenants.ts';
import { type MemoryBudgets, createMemoryBudgets } from '#kernel/memory-budget.ts';
import { NO_SETTINGS, type SiteSettings } from '#sites/framework/site.ts';
import type { SiteVerdict } from '#sites/framework/answers.ts';
import type { SourceReadRequest } from '#sites/framework/source-reader.ts';
import { Tenants } from '#engine/credits/tenants.ts';
import { isDocument } from '#extract/html/sniff.ts';
import { readDocument, type PageSource } from '#extract/page-source.ts';
import { ReadError } from '#extract/warnings.ts';
import { readPageWithTree } from '#extract/read-page.ts';
import { createLinkClassifier } from '#extract/urls/link-classifier.ts';
import { readSitePage } from '#extract/urls/site-page.ts';
import type { PageReading, ReadRequest } from '#extract/reading.ts';
import type { ArtifactStorage } from '#kernel/artifacts-url.ts';
import type { ServiceEvent } from '#kernel/events.ts';
import { ServiceError } from '#kernel/errors.ts';
import { createSealer } from '#kernel/sealer.ts';
import type { SharedModel } from '#llm/complete.ts';
import { fetchPage } from '#features/fetch/operation.ts';
import { endpoints, listCrawls } from '#compose/endpoints.ts';
import { readSource } from '#sites/read-source.ts';
import type { Db, StoreKind } from '#store/db.ts';
import { OBJECT_LIMITS, openObjectStore } from '#store/objects.ts';
import { NO_HINTS } from '#store/hints.ts';
import { buildIdleLoadPace } from '#testkit/load-pace.ts';
import { inTemporaryFolder, withStoreKind } from '../support/store.ts';
import { fasterClock, openTestClock, withShortSleep, withSoonTimers } from '../support/clock.ts';
import { classifyTiers, type FakeTiers } from '../support/tiers.ts';
import { guardWith } from '#testkit/visitor.ts';

export const SITE = 'https://mill.example/';

/** A page of the fake site. */
export function buildTestPage(facts: Partial<Page> & { readonly text?: string } = {}): Page {
  const { text = '<h1>Rye</h1>', ...rest } = facts;
  const body = new TextEncoder().encode(text);
  const known = { url: SITE, status: 200, headers: {}, contentType: 'text/html', wireBytes: body.length, warnings: [] };
  return { ...known, body, ...rest };
}

/** A tier that returns the same page each time. */
export function brings(facts: Parameters<typeof buildTestPage>[0] = {}): Visit {
  return async ({ url }) => buildTestPage({ url: url.href, ...facts });
}

export const isBlocked: Visit = brings({ status: 403 });

/** A tier that never responds within its time slice. */
export const timesOut: Visit = async (_request, signal) =>
  new Promise((_resolve, reject) => {
    const fail = (): void => reject(buildFailure('timeout', 'the target took too long'));
    if (signal.aborted) fail();
    signal.addEventListener('abort', fail, { once: true });
  });

/** A tier that times out at once. */
export const isLate: Visit = async () => {
  throw buildFailure('timeout', 'the target took too long');
};

async function findSource({ body }: ReadRequest): Promise<PageSource | undefined> {
  return isDocument(body) ? readDocument(body, () => true) : undefined;
}

/** Parses as a parser thread does: content that cannot be parsed is a `ServiceError`. */
async function refusing<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw error instanceof ReadError ? new ServiceError(error.code, error.message) : error;
  }
}

type Read = (request: ReadRequest, reader: ReadingCaller) => Promise<PageReading>;

export type GateOptions = {
  /** Default: the embedded store. */
  readonly store?: StoreKind;
  /** Wraps the store, for example to make it unavailable. */
  readonly through?: (db: Db) => Db | Promise<Db>;
  /** The initial time; default: 2026-11-21 at noon. */
  readonly at?: string;
  /** The speed of the clock for pacing, compared with the machine's; default: 1. */
  readonly paceSpeed?: number;
  readonly plan?: PlanName;
  readonly limits?: Partial<Plan>;
  readonly tierVisits?: FakeTiers;
  /** The allowed hosts; default: those of the fake site. */
  readonly allow?: string;
  /** Default: false. */
  readonly allowsInsecureTls?: boolean;
  /** Whether a missing browser is being installed. */
  readonly browserState?: BrowserState;
  /** Browser sessions; default: none. */
  readonly openClimb?: OpenSessionVisits;
  readonly read?: Read;
  /** Parser time of a crawled page, ms; default: 0. */
  readonly siteReadMs?: number;
  /** Called for a page that could not be stored; the default fails the test. */
  readonly report?: (error: unknown) => void;
  /** The store for large results; default: a new folder. */
  readonly artifacts?: ArtifactStorage;
  /** The settings of sites. */
  readonly sites?: Readonly<Record<string, SiteSettings>>;
  /** The parser of site endpoints; default: that of the project. */
  readonly readSource?: (order: SourceReadRequest) => SiteVerdict;
  /** Operations in addition to those of the registry. */
  readonly more?: readonly BoundOperation[];
  /** Site endpoints in addition to those of the project. */
  readonly endpoints?: readonly ServedEndpoint[];
  readonly listCrawls?: readonly ServedListCrawl[];
  /** The operator's model; default: none. */
  readonly model?: SharedModel | null;
  /** The memory budgets; default: those of the service. */
  readonly memory?: MemoryBudgets;
  /** The search backends; default: none. */
  readonly search?: (db: Db, folder: string) => Ports['search'];
};

export type Gate = Awaited<ReturnType<typeof openGate>>;

type Outcome = { readonly code: string; readonly error: ServiceError | null; readonly answer: Answer | null };

/** Creates the real gate with a real store, fake tiers and, by default, a parser without a thread. */
export async function withGate(options: GateOptions, work: (gate: Gate) => Promise<void>): Promise<void> {
  await inTemporaryFolder(async (folder) =>
    withStoreKind(options.store ?? 'sqlite', async (db) => {
      const gate = await openGate(options, (await options.through?.(db)) ?? db, folder);
      await work(gate).finally(async () => gate.siteHealth.close());
    }),
  );
}

function newMark(): string {
  return 'mark-of-the-test';
}

function half(): number {
  return 0.5;
}

async function readHere(request: ReadRequest): Promise<PageReading> {
  return refusing(async () => readPageWithTree(request, await findSource(request)).reading);
}

async function openGate(options: GateOptions, db: Db, folder: string) {
  const { plan: planName = 'starter', limits = {}, model = null, paceSpeed = 1, read = readHere } = options;
  const clock = withSoonTimers(withShortSleep(openTestClock(options.at ?? '2026-11-21T12:00:00Z')), paceSpeed);
  const plan: Plan = { ...loadPlans(null)[planName], ...limits };
  const tenants = new Tenants({ db, clock });
  const plans = { ...loadPlans(null), [planName]: plan };
  const keys = new Keys({ db, clock, plans });
  const tenant = await tenants.create('t', planName);
  const visits: PageRequest[] = [];
  const warned: string[] = [];
  const events: ServiceEvent[] = [];
  const place = options.artifacts ?? { kind: 'folder', folder: join(folder, 'artifacts') };
  const location = join(folder, 'cache');
  const sealer = createSealer(new Uint8Array(32), 'test');
  const ofSites = [...(options.endpoints ?? []), ...(options.listCrawls ?? [])].map(({ operation }) => operation);
  const operations = [...allOperations, ...ofSites, ...(options.more ?? []).map(({ operation }) => operation)];
  const { calls, crawls } = buildFakeAccess(options, { clock, visits });
  const ports: Ports = {
    db,
    hints: NO_HINTS,
    storeClock: clock,
    wallClock: clock,
    random: half,
    plans,
    keys,
    tenants,
    planOf: async () => plan,
    processId: 'here',
    objects: await openObjectStore(place, { sync: 'normal', ...OBJECT_LIMITS, clock: SYSTEM_CLOCK }),
    hasFiles: place.kind === 'folder',
    space: deriveSpace(new Uint8Array(32)),
    cache: {
      disk: new Disk(new FSDriver({ location, visibility: 'private' })),
      location,
      folder: null,
      fileClock: SYSTEM_CLOCK,
    },
    secret: new Uint8Array(32),
    sealerFor: () => sealer,
    allowsInsecureTls: options.allowsInsecureTls ?? false,
    sessionTerms: { idleDays: 30, maxIdleDays: 90 },
    guard: guardWith({ allow: options.allow ?? 'mill.example' }).guard,
    calls,
    crawls,
    parsing: {
      read,
      readPacked: async (request, reader) => unpackOutputs(packOutputs(await read(request, reader))),
      async readOfSite(request, { onCost }) {
        onCost?.(options.siteReadMs ?? 0);
        return refusing(async () =>
          readSitePage(request, { judgeBy: createLinkClassifier, from: await findSource(request) }),
        );
      },
      readSource: async (order) => (options.readSource ?? readSource)(order),
    },
    model,
    search: options.search?.(db, folder) ?? createNoSearch(),
    newMark,
    memory: options.memory ?? createMemoryBudgets(),
    active: new ActiveTenants(clock),
    sites: { of: (name) => options.sites?.[name] ?? NO_SETTINGS },
    endpoints: [...endpoints, ...(options.endpoints ?? [])],
    listCrawls: [...listCrawls, ...(options.listCrawls ?? [])],
    watched: watchedEndpoints,
    operations,
    interfaces: [],
    version: '0.0.0',
    settings: loadConfig({}, null).settings,
    tiers: () => describeTiers(['http'], 'off'),
    observe: (event) => void events.push(event),
    warn: (line) => void warned.push(line),
    reporter: () => options.report ?? rethrow,
  };
  const withMore = (...given: Parameters<typeof makeFeatures>) => {
    const made = makeFeatures(...given);
    return { ...made, features: [...made.features, { operations: options.more ?? [] }] };
  };
  const built = buildService(ports, withMore);
  const { perform } = built;
  const { accounts, processes, queue } = built.core;
  await processes.sweep();
  let asked = 0;

  /** Makes one call. It only throws programming errors. */
  async function ask(operation: Operation, raw: unknown, more: AskOptions = {}): Promise<Outcome> {
    asked += 1;
    const { signal = new AbortController().signal, as = tenant, key = null, isOperator = false, suspendedAt } = more;
    const caller: Caller = {
      tenant: as,
      keyId: 'key_1',
      plan,
      ...(isOperator ? { isOperator: true } : {}),
      ...(suspendedAt === undefined ? {} : { suspendedAt }),
    };
    try {
      const requestId = `req_${String(asked).padStart(4, '0')}`;
      const answer = await perform(operation, raw, {
        caller,
        requestId,
        signal,
        idempotencyKey: key,
        lastEventId: null,
        lease: null,
        takesJsonBytes: more.takesJsonBytes ?? false,
      });
      return { code: 'ok', error: null, answer };
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      return { code: error.code, error, answer: null };
    }
  }

  return {
    ...built.core,
    ...built.made,
    perform,
    performJob: built.performJob,
    db,
    folder: location,
    clock,
    plan,
    tenant,
    tenants,
    keys,
    /** The queue, and the parts of monitors and webhooks that tests call directly. */
    queue: { ...queue, ...built.core, ...built.made },
    rounds: built.made.features.flatMap(({ rounds = [] }) => rounds),
    objects: ports.objects,
    /** The events that were emitted for log and metrics. */
    events,
    space: ports.space,
    operations,
    /** The health of site endpoints, as operators see it. */
    warned,
    /** The requests to the tiers, in order. */
    visits,
    ask,
    fetch: async (raw: Readonly<Record<string, unknown>> = {}, more: AskOptions = {}) =>
      ask(fetchPage, { url: SITE, ...raw }, more),
    balance: async () => accounts.readBalance(tenant, plan),
    /** Works on a crawl as another process would. */
    async assist({ kind, input, jobId }: { readonly kind: string; readonly input: JobInput; readonly jobId: string }) {
      const caller = { tenant, keyId: 'helper', plan };
      const { signal } = new AbortController();
      const { help } = buildService({ ...ports, processId: 'there' }, withMore).core;
      await help({ kind, input, caller, jobId, maxCredits: null, signal });
    },
    /** Credits used and currently reserved. */
    spent: async (): Promise<readonly [number, number]> => {
      const { credits_used, credits_reserved } = await accounts.readBalance(tenant, plan);
      return [credits_used, credits_reserved];
    },
  };
}

type Visiting = { readonly clock: Clock; readonly visits: PageRequest[] };

/** The fake tiers for calls and crawls; they record each request in `visits`. */
function buildFakeAccess(options: GateOptions, { clock, visits }: Visiting): Pick<Ports, 'calls' | 'crawls'> {
  const { tierVisits = { http: brings() } } = options;
  const own = classifyTiers(
    Object.fromEntries(
      Object.entries(tierVisits).map(([tier, visit]) => [
        tier,
        async (request: PageRequest, signal: AbortSignal) => {
          visits.push(request);
          return visit(request, signal);
        },
      ]),
    ),
  );
  const reach = () => ({
    tierVisits: () => own,
    browser: () => options.browserState ?? ('as it is' as const),
    breakers: createBreakers({ clock }),
    hosts: createHostMemory({ clock }),
  });
  const robots = new RobotsCache({
    visit: async (url, signal) => (tierVisits.http ?? brings())({ url, headers: {}, cookies: [] }, signal),
    clock,
  });
  return {
    calls: { ...reach(), openSessionVisits: () => options.openClimb ?? null },
    crawls: {
      ...reach(),
      robots,
      random: Math.random,
      paces: new HostPaces({
        clock: fasterClock(options.paceSpeed ?? 1),
        leases: null,
        load: buildIdleLoadPace(clock),
      }),
    },
  };
}

type AskOptions = {
  readonly signal?: AbortSignal;
  readonly as?: string;
  readonly key?: string;
  /** As in a call over HTTP. */
  readonly takesJsonBytes?: boolean;
  /** Whether the key is an operator's. */
  readonly isOperator?: boolean;
  /** When its tenant was suspended; null if it is not. */
  readonly suspendedAt?: string | undefined;
};

function rethrow(error: unknown): never {
  throw error;
}
