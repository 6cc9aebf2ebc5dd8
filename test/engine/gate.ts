import { join } from 'node:path';
import { Disk } from 'flydrive';
import { FSDriver } from 'flydrive/drivers/fs';
import { buildBreakers } from '#access/breaker.ts';
import { failed } from '#access/failure.ts';
import { buildHostMemory } from '#access/host-memory.ts';
import type { OpenClimb } from '#access/interact/climbing.ts';
import type { BrowserState, Rungs } from '#access/ladder.ts';
import type { Page, PageRequest, Visit } from '#access/page.ts';
import { allOperations } from '#compose/registry.ts';
import { buildAccounts } from '#engine/accounts.ts';
import { buildArrears } from '#engine/arrears.ts';
import { buildArtifacts } from '#engine/artifacts.ts';
import { buildBilling } from '#engine/billing.ts';
import { buildCrawling } from '#engine/crawl/crawling.ts';
import { buildPaces } from '#engine/crawl/paces.ts';
import { buildRobotsGate } from '#engine/crawl/robots-gate.ts';
import { buildCursors } from '#engine/cursor.ts';
import { buildInteracting } from '#engine/interact/interacting.ts';
import { describeModel, describeTiers } from '#engine/instance.ts';
import { buildKeptAnswers } from '#engine/kept-answers.ts';
import { buildKeptRoom } from '#engine/kept-room.ts';
import type { JobInput } from '#engine/job-record.ts';
import { buildKeys } from '#engine/keys.ts';
import type { Operation } from '#engine/operation.ts';
import { buildPageCache } from '#engine/page-cache.ts';
import { buildPerform } from '#engine/perform.ts';
import type { Answer } from '#engine/ask.ts';
import { loadPlans } from '#engine/plans.ts';
import { buildQueue } from '#engine/queue.ts';
import type { Plan, PlanName } from '#engine/plans.ts';
import { buildRequestLog } from '#engine/request-log.ts';
import { buildResults, spaceOf } from '#engine/results.ts';
import { openRooms } from '#engine/rooms.ts';
import type { Rooms } from '#engine/rooms.ts';
import { NO_SETTINGS } from '#engine/sites/site.ts';
import type { SiteSettings } from '#engine/sites/site.ts';
import type { Verdict } from '#engine/sites/answers.ts';
import { buildSiteHealth } from '#engine/sites/health.ts';
import type { ReadOrder } from '#engine/sites/reading.ts';
import { buildTenants } from '#engine/tenants.ts';
import { buildWork } from '#engine/work.ts';
import { buildWebhooks } from '#engine/webhooks/webhooks.ts';
import { buildVisiting } from '#engine/visiting.ts';
import { isDocument } from '#extract/html/signature.ts';
import { readDocument } from '#extract/read-document.ts';
import { readWhole } from '#extract/read-page.ts';
import type { Source } from '#extract/read-page.ts';
import { buildJudge } from '#extract/site/judging.ts';
import { readSitePage } from '#extract/site/site-page.ts';
import type { Reading, ReadRequest } from '#extract/reading.ts';
import type { ArtifactsPlace } from '#kernel/artifacts-url.ts';
import { ServiceError } from '#kernel/errors.ts';
import { buildSealer } from '#kernel/sealing.ts';
import type { Model } from '#llm/complete.ts';
import { fetchPage } from '#operations/fetch.ts';
import { readSource } from '#sites/reading.ts';
import type { Db, StoreKind } from '#store/db.ts';
import { groupCommits } from '#store/group-commit.ts';
import { OBJECT_LIMITS, openObjects } from '#store/objects.ts';
import { NO_HINTS } from '#store/hints.ts';
import { inTemporaryFolder, openTestClock, withStoreOf } from '../support/store.ts';
import { guardWith } from '../support/visitor.ts';

export const SITE = 'https://mill.example/';

/** A page of the fake site. */
export function pageOf(facts: Partial<Page> & { readonly text?: string } = {}): Page {
  const { text = '<h1>Rye</h1>', ...rest } = facts;
  const body = new TextEncoder().encode(text);
  const known = { url: SITE, status: 200, headers: {}, contentType: 'text/html', wireBytes: body.length, warnings: [] };
  return { ...known, body, ...rest };
}

/** A tier that brings the same page each time. */
export function brings(facts: Parameters<typeof pageOf>[0] = {}): Visit {
  return async ({ url }) => pageOf({ url: url.href, ...facts });
}

export const isBlocked: Visit = brings({ status: 403 });

/** A tier that never answers within its slice. */
export const timesOut: Visit = async (_request, signal) =>
  new Promise((_resolve, reject) => {
    const fail = (): void => reject(failed('timeout', 'the target took too long'));
    if (signal.aborted) fail();
    signal.addEventListener('abort', fail, { once: true });
  });

/** A tier whose time is up at once. */
export const isLate: Visit = async () => {
  throw failed('timeout', 'the target took too long');
};

async function sourceOf({ body }: ReadRequest): Promise<Source | undefined> {
  return isDocument(body) ? readDocument(body, () => true) : undefined;
}

type Read = (request: ReadRequest, signal: AbortSignal) => Promise<Reading>;

export type GateOptions = {
  /** The embedded one unless given. */
  readonly store?: StoreKind;
  /** Stands between the gate and its store, such as one that can be away. */
  readonly through?: (db: Db) => Db | Promise<Db>;
  /** The time at the start; noon of 2026-11-21 unless given. */
  readonly at?: string;
  readonly plan?: PlanName;
  readonly limits?: Partial<Plan>;
  readonly rungs?: Rungs;
  /** The hosts that are open; the fake site's unless given. */
  readonly allow?: string;
  /** Whether a browser that is not there is on its way. */
  readonly browserState?: BrowserState;
  /** Sessions of a browser; none unless given. */
  readonly openClimb?: OpenClimb;
  readonly read?: Read;
  /** Told of a page that could not be kept; a test that does not expect that fails. */
  readonly report?: (error: unknown) => void;
  /** Where large results are kept; a folder of its own unless given. */
  readonly artifacts?: ArtifactsPlace;
  /** What is settled for sites. */
  readonly sites?: Readonly<Record<string, SiteSettings>>;
  /** Reads pages for endpoints; those of the project unless given. */
  readonly readSource?: (order: ReadOrder) => Verdict;
  /** Operations beside those of the registry. */
  readonly more?: readonly Operation[];
  /** The operator's model; none unless given. */
  readonly model?: Model | null;
  /** What may be held of large things; the usual unless given. */
  readonly rooms?: Rooms;
};

export type Gate = Awaited<ReturnType<typeof openGate>>;

type Outcome = { readonly code: string; readonly error: ServiceError | null; readonly answer: Answer | null };

/** The real gate over a real store with fake tiers and, unless given, the reader without its thread. */
export async function withGate(options: GateOptions, work: (gate: Gate) => Promise<void>): Promise<void> {
  await inTemporaryFolder(async (folder) =>
    withStoreOf(options.store ?? 'sqlite', async (db) => {
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

async function openGate(options: GateOptions, db: Db, folder: string) {
  const { plan: planName = 'starter', limits = {}, rungs = { http: brings() }, model = null } = options;
  const clock = openTestClock(options.at ?? '2026-11-21T12:00:00Z');
  const plan: Plan = { ...loadPlans(null)[planName], ...limits };
  const plans = { ...loadPlans(null), [planName]: plan };
  const inTurn = groupCommits(db);
  const tenants = buildTenants({ db, clock });
  const tenant = await tenants.create('t', planName);
  const billing = buildBilling({ db, inTurn, clock, holder: 'here' });
  const arrears = buildArrears();
  const accounts = buildAccounts({ db, clock });
  const requestLog = buildRequestLog({ db, inTurn, clock });
  const cacheFolder = join(folder, 'cache');
  const disk = new Disk(new FSDriver({ location: cacheFolder, visibility: 'private' }));
  const sealer = buildSealer(new Uint8Array(32), 'test');
  const pageCache = buildPageCache({ db, inTurn, disk, location: cacheFolder, sealer, folder: null, clock });
  const visits: PageRequest[] = [];
  const warned: string[] = [];
  const read: Read = options.read ?? (async (request) => readWhole(request, await sourceOf(request)).reading);
  await billing.sweep();
  const keptAnswers = buildKeptAnswers({ db, clock, sealer, holder: 'here' });
  const rooms = options.rooms ?? openRooms();
  const known = [...allOperations, ...(options.more ?? [])];
  const place = options.artifacts ?? { kind: 'folder', folder: join(folder, 'artifacts') };
  const objects = await openObjects(place, { sync: 'normal', ...OBJECT_LIMITS });
  const space = spaceOf(new Uint8Array(32));
  const results = buildResults({ db, objects, space });
  const artifacts = buildArtifacts({ db, objects, space, clock });
  const { guard } = guardWith({ allow: options.allow ?? 'mill.example' });
  const webhooks = buildWebhooks({ db, clock, sealer, guard });
  const queue = buildQueue({
    db,
    inTurn,
    clock,
    sealer,
    random: half,
    results,
    webhooks,
    operations: known,
    hints: NO_HINTS,
    plans,
  });
  const own: Rungs = Object.fromEntries(
    Object.entries(rungs).map(([tier, visit]) => [
      tier,
      async (request: PageRequest, signal: AbortSignal) => {
        visits.push(request);
        return visit(request, signal);
      },
    ]),
  );
  const robots = buildRobotsGate({
    visit: async (url, signal) => (rungs.http ?? brings())({ url, headers: {}, cookies: [] }, signal),
    clock,
  });
  const crawlingOf = (holder: string) =>
    buildCrawling({
      db,
      inTurn,
      billing,
      results,
      rooms,
      clock,
      random: Math.random,
      holder,
      paces: buildPaces({ clock: { now: Date.now }, leases: null }),
      rungs: () => own,
      browser: () => options.browserState ?? 'as it is',
      breakers: buildBreakers({ clock }),
      hosts: buildHostMemory({ clock }),
      robots,
      readTarget: guard.readTarget,
      read: async (request) => readSitePage(request, { judgeBy: buildJudge, from: await sourceOf(request) }),
    });
  const common = {
    billing,
    arrears,
    inTurn,
    keptAnswers,
    jobs: queue.jobs,
    requestLog,
    visiting: buildVisiting({
      rungs: () => own,
      browser: () => options.browserState ?? 'as it is',
      breakers: buildBreakers({ clock }),
      hosts: buildHostMemory({ clock }),
      robots,
      guard,
      hasModel: model !== null,
      billing,
      pageCache,
      rooms,
      sites: { of: (name) => options.sites?.[name] ?? NO_SETTINGS },
      report: options.report ?? rethrow,
    }),
    clock,
  };
  const cursors = buildCursors(new Uint8Array(32));
  const siteHealth = buildSiteHealth({
    db,
    clock,
    warn: (line) => void warned.push(line),
    report: rethrow,
  });
  const sourced = {
    rooms,
    interacting: buildInteracting({
      openClimb: () => options.openClimb ?? null,
      browser: () => options.browserState ?? 'as it is',
      breakers: buildBreakers({ clock }),
      hosts: buildHostMemory({ clock }),
    }),
    siteHealth,
    cursors,
    read,
    model,
    newMark,
    readSource: async (order: ReadOrder) => (options.readSource ?? readSource)(order),
  };
  const work = buildWork({ ...common, ...sourced, artifacts, crawling: crawlingOf('here') });
  const perform = buildPerform(
    {
      ...common,
      accounts,
      monitors: queue.monitors,
      history: queue.history,
      following: queue.following,
      results,
      artifacts,
      cursors,
      webhooks,
      deliveries: queue.deliveries,
      instance: {
        version: '0.0.0',
        operations: known,
        tiers: () => describeTiers(['http'], 'off'),
        model: describeModel(model === null ? 'missing' : 'there'),
      },
    },
    work,
  );
  let asked = 0;

  /** One call; throws nothing but programmer's mistakes. */
  async function ask(operation: Operation, raw: unknown, more: AskOptions = {}): Promise<Outcome> {
    asked += 1;
    const { signal = new AbortController().signal, as = tenant, key = null } = more;
    const caller = { tenant: as, keyId: 'key_1', plan };
    try {
      const requestId = `req_${String(asked).padStart(4, '0')}`;
      const answer = await perform(operation, raw, {
        caller,
        requestId,
        signal,
        idempotencyKey: key,
        lastEventId: null,
        lease: null,
      });
      return { code: 'ok', error: null, answer };
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      return { code: error.code, error, answer: null };
    }
  }

  return {
    db,
    folder: cacheFolder,
    clock,
    plan,
    tenant,
    tenants,
    keys: buildKeys({ db, clock, plans: loadPlans(null) }),
    accounts,
    billing,
    arrears,
    requestLog,
    pageCache,
    perform,
    queue,
    results,
    artifacts,
    room: buildKeptRoom({ db, clock, results, keptAnswers, objects, hasFiles: place.kind === 'folder', plans }),
    webhooks,
    deliveryRetention: queue.deliveryRetention,
    monitorRetention: queue.monitorRetention,
    objects,
    space,
    operations: known,
    keptAnswers,
    siteHealth,
    /** What the operator was told of sites. */
    warned,
    /** What the tiers were asked for, in order. */
    visits,
    ask,
    fetch: async (raw: Readonly<Record<string, unknown>> = {}, more: AskOptions = {}) =>
      ask(fetchPage, { url: SITE, ...raw }, more),
    balance: async () => accounts.balance(tenant, plan),
    /** Credits used and credits set aside now. */
    /** Helps with a crawl as another process does. */
    async assist({ kind, input, jobId }: { readonly kind: string; readonly input: JobInput; readonly jobId: string }) {
      const operation = known.find(({ id }) => id === kind);
      if (operation?.kind !== 'work') throw new Error(`no work ${kind}`);
      const caller = { tenant, keyId: 'helper', plan };
      const { signal } = new AbortController();
      const helping = buildWork({ ...common, ...sourced, artifacts, crawling: crawlingOf('there') });
      await helping.assist({ operation, input, caller, jobId, maxCredits: null, signal });
    },
    spent: async (): Promise<readonly [number, number]> => {
      const { credits_used, credits_reserved } = await accounts.balance(tenant, plan);
      return [credits_used, credits_reserved];
    },
  };
}

type AskOptions = { readonly signal?: AbortSignal; readonly as?: string; readonly key?: string };

function rethrow(error: unknown): never {
  throw error;
}
