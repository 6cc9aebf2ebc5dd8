import { bindWork } from '#engine/call/bound-operation.ts';
import { ignoreEvents } from '#kernel/events.ts';
import { Disk } from 'flydrive';
import { FSDriver } from 'flydrive/drivers/fs';
import { z } from 'zod';
import { createBreakers } from '#access/tiers/circuit-breaker.ts';
import { createHostMemory } from '#access/tiers/host-memory.ts';
import { buildService, type Ports } from '#compose/build.ts';
import { createNoSearch } from '#compose/search-settings.ts';
import { makeFeatures } from '#compose/features.ts';
import { HostPaces } from '#engine/politeness/host-pace.ts';
import { RobotsCache } from '#engine/politeness/robots-cache.ts';
import { type Clock, SYSTEM_CLOCK } from '#kernel/clock.ts';
import { describeTiers } from '#engine/call/instance.ts';
import { declareWork } from '#engine/call/operation.ts';
import { Keys } from '#engine/identity/keys.ts';
import { loadPlans } from '#engine/identity/plans.ts';
import { NO_SETTINGS } from '#sites/framework/site.ts';
import { Tenants } from '#engine/credits/tenants.ts';
import { ActiveTenants } from '#kernel/active-tenants.ts';
import { createMemoryBudgets } from '#kernel/memory-budget.ts';
import { startWorker } from '#engine/jobs/worker.ts';
import { newId } from '#kernel/ids.ts';
import { createSealer } from '#kernel/sealer.ts';
import { submitJob } from '#features/jobs/operations.ts';
import type { Db } from '#store/db.ts';
import { NO_HINTS } from '#store/hints.ts';
import { guardWith } from '#testkit/visitor.ts';
import { buildIdleLoadPace } from '#testkit/load-pace.ts';
import { CONCURRENCY, type QueueUnderTest } from './jobs-settings.ts';

const CREDITS = 2;
const TENANTS = 8;

/** An operation with a price that visits nothing, so that only queue, gate and credits are measured. */
const emptyOperation = bindWork(
  declareWork({
    id: 'empty',
    route: 'POST /v1/empty',
    summary: 'Nothing',
    errors: [],
    plan: 'free',
    price: { base: CREDITS, cacheHit: CREDITS, perTier: false },
    input: z.strictObject({ n: z.int() }),
    output: z.object({ n: z.int() }),
    example: { n: 1 },
  }),
  {
    admit: () => ({ timeoutMs: 30_000, tiers: ['http'], cheapest: CREDITS, maxCredits: null }),
    run: async ({ n }) => ({ body: { n }, tier: 'http' }),
  },
);

/** The queue with all steps of a job in the service: gate, credits, ledger, log and result. */
export async function createQuernQueue(db: Db, folder: string): Promise<QueueUnderTest> {
  const clock = SYSTEM_CLOCK;
  const plan = loadPlans(null).scale;
  const tenants = new Tenants({ db, clock });
  const ids: string[] = [];
  for (let at = 0; at < TENANTS; at += 1) ids.push(await tenants.create(`bench ${at}`, 'scale'));
  const { core, perform, performJob } = buildService(buildPorts(db, folder, clock), (...given) => {
    const made = makeFeatures(...given);
    return { ...made, features: [...made.features, { operations: [emptyOperation] }] };
  });
  const { billing, processes, queue } = core;
  await processes.sweep();
  const signal = new AbortController().signal;
  let submitted = 0;

  return {
    async submit() {
      submitted += 1;
      const n = submitted;
      await perform(
        submitJob,
        { kind: 'empty', input: { n } },
        {
          caller: { tenant: ids[n % TENANTS] ?? '', keyId: 'bench', plan },
          requestId: newId('req', clock.now()),
          signal,
          idempotencyKey: null,
          lastEventId: null,
          lease: null,
        },
      );
    },
    async work(jobs) {
      const done = Promise.withResolvers<void>();
      let left = jobs;
      const worker = startWorker({
        ...queue,
        id: 'bench',
        slots: CONCURRENCY,
        observe: ignoreEvents,
        perform: async (ask) => {
          await performJob(ask);
          left -= 1;
          if (left === 0) done.resolve();
        },
        billing,
        clock,
        readPlan: async () => plan,
        report: done.reject,
      });
      await done.promise;
      return async () => worker.drain();
    },
  };
}

/** Ports without access to pages. */
function buildPorts(db: Db, folder: string, clock: Clock): Ports {
  const sealer = createSealer(new Uint8Array(32), 'bench');
  const reach = () => ({
    tierVisits: () => ({}),
    browser: () => 'as it is' as const,
    breakers: createBreakers({ clock }),
    hosts: createHostMemory({ clock }),
  });
  const plans = loadPlans(null);
  return {
    db,
    hints: NO_HINTS,
    storeClock: clock,
    wallClock: clock,
    random: Math.random,
    plans,
    keys: new Keys({ db, clock, plans }),
    tenants: new Tenants({ db, clock }),
    observe: ignoreEvents,
    planOf: async () => plans.scale,
    processId: 'bench',
    objects: null,
    hasFiles: false,
    space: 'bench',
    cache: {
      disk: new Disk(new FSDriver({ location: folder, visibility: 'private' })),
      location: folder,
      folder: 'bench',
      fileClock: clock,
    },
    secret: new Uint8Array(32),
    sealerFor: () => sealer,
    allowsInsecureTls: false,
    sessionTerms: { idleDays: 30, maxIdleDays: 90 },
    guard: guardWith().guard,
    calls: { ...reach(), openSessionVisits: () => null },
    crawls: {
      ...reach(),
      random: Math.random,
      robots: new RobotsCache({ visit: readNothing, clock }),
      paces: new HostPaces({ clock, leases: null, load: buildIdleLoadPace(clock) }),
    },
    parsing: { read: readNothing, readPacked: readNothing, readOfSite: readNothing, readSource: readNothing },
    model: null,
    search: createNoSearch(),
    settings: [],
    newMark: () => '',
    memory: createMemoryBudgets(),
    active: new ActiveTenants(SYSTEM_CLOCK),
    sites: { of: () => NO_SETTINGS },
    listCrawls: [],
    watched: [],
    endpoints: [],
    operations: [emptyOperation.operation],
    interfaces: [],
    version: '0.0.0',
    tiers: () => describeTiers(['http'], 'off'),
    warn: throwError,
    reporter: () => throwError,
  };
}

async function readNothing(): Promise<never> {
  throw new Error('the empty job reads nothing');
}

function throwError(error: unknown): void {
  throw error;
}
