import { Disk } from 'flydrive';
import { FSDriver } from 'flydrive/drivers/fs';
import { z } from 'zod';
import { buildBreakers } from '#access/breaker.ts';
import { buildHostMemory } from '#access/host-memory.ts';
import { openCrawling } from '#compose/crawling.ts';
import { buildAccounts } from '#engine/accounts.ts';
import { buildArrears } from '#engine/arrears.ts';
import { buildArtifacts } from '#engine/artifacts.ts';
import { buildBilling } from '#engine/billing.ts';
import { buildCursors } from '#engine/cursor.ts';
import { describeModel, describeTiers } from '#engine/instance.ts';
import { buildKeptAnswers } from '#engine/kept-answers.ts';
import { defineOperation } from '#engine/operation.ts';
import { buildPageCache } from '#engine/page-cache.ts';
import { buildPerform } from '#engine/perform.ts';
import { loadPlans } from '#engine/plans.ts';
import { buildQueue } from '#engine/queue.ts';
import { buildRequestLog } from '#engine/request-log.ts';
import { buildResults } from '#engine/results.ts';
import { NO_SETTINGS } from '#engine/sites/site.ts';
import { buildTenants } from '#engine/tenants.ts';
import { openRooms } from '#engine/rooms.ts';
import { buildVisiting } from '#engine/visiting.ts';
import { buildWebhooks } from '#engine/webhooks/webhooks.ts';
import { buildWork } from '#engine/work.ts';
import { startWorker } from '#engine/worker.ts';
import { newId } from '#kernel/ids.ts';
import { buildSealer } from '#kernel/sealing.ts';
import { submitJob } from '#operations/jobs.ts';
import type { Db } from '#store/db.ts';
import { NO_HINTS } from '#store/hints.ts';
import { groupCommits } from '#store/group-commit.ts';
import { guardWith } from '../test/support/visitor.ts';
import { AT_ONCE } from './jobs-settings.ts';
import type { Tool } from './jobs-settings.ts';

const CREDITS = 2;
const TENANTS = 8;

/** Priced work that visits nothing: what is left is the queue, the gate and the credits. */
const empty = defineOperation({
  id: 'empty',
  route: 'POST /v1/empty',
  summary: 'Nothing',
  errors: [],
  plan: 'free',
  price: { base: CREDITS, cacheHit: CREDITS, perTier: false },
  input: z.strictObject({ n: z.int() }),
  output: z.object({ n: z.int() }),
  example: { n: 1 },
  admit: () => ({ timeoutMs: 30_000, tiers: ['http'], cheapest: CREDITS, maxCredits: null }),
  run: async ({ n }) => ({ body: { n }, tier: 'http' }),
});

/** The queue with everything that a job goes through in the service: the gate, credits, ledger, log and result. */
export async function openQuern(db: Db, folder: string): Promise<Tool> {
  const clock = { now: Date.now };
  const plan = loadPlans(null).scale;
  const inTurn = groupCommits(db);
  const tenants = buildTenants({ db, clock });
  const ids: string[] = [];
  for (let at = 0; at < TENANTS; at += 1) ids.push(await tenants.create(`bench ${at}`, 'scale'));
  const billing = buildBilling({ db, inTurn, clock, holder: 'bench' });
  await billing.sweep();
  const sealer = buildSealer(new Uint8Array(32), 'bench');
  const disk = new Disk(new FSDriver({ location: folder, visibility: 'private' }));
  const results = buildResults({ db, objects: null, space: 'bench' });
  const artifacts = buildArtifacts({ db, objects: null, space: 'bench', clock });
  const { guard } = guardWith();
  const webhooks = buildWebhooks({ db, clock, sealer, guard });
  const queue = buildQueue({
    db,
    inTurn,
    clock,
    sealer,
    random: Math.random,
    results,
    webhooks,
    operations: [empty],
    hints: NO_HINTS,
    plans: loadPlans(null),
  });
  const { crawling, robots } = openCrawling({
    db,
    inTurn,
    billing,
    results,
    clock,
    time: clock,
    holder: 'bench',
    guard,
    upstreams: { datacenter: null, residential: null },
    browsing: { visits: () => null, lack: () => 'off' },
    rooms: openRooms(),
    read: readNothing,
    userAgent: null,
    report: fail,
    breakers: buildBreakers({ clock }),
  });
  const common = {
    billing,
    arrears: buildArrears(),
    inTurn,
    requestLog: buildRequestLog({ db, inTurn, clock }),
    jobs: queue.jobs,
    keptAnswers: buildKeptAnswers({ db, clock, sealer, holder: 'bench' }),
    visiting: buildVisiting({
      rungs: () => ({}),
      browser: () => 'as it is',
      breakers: buildBreakers({ clock }),
      hosts: buildHostMemory({ clock }),
      robots,
      guard,
      hasModel: false,
      billing,
      pageCache: buildPageCache({ db, inTurn, disk, location: folder, sealer, folder: 'bench', clock }),
      rooms: openRooms(),
      sites: { of: () => NO_SETTINGS },
      report: fail,
    }),
    clock,
  };
  const cursors = buildCursors(new Uint8Array(32));
  const perform = buildPerform(
    {
      ...common,
      accounts: buildAccounts({ db, clock }),
      monitors: queue.monitors,
      history: queue.history,
      following: queue.following,
      webhooks,
      deliveries: queue.deliveries,
      results,
      artifacts,
      cursors,
      instance: {
        version: '0.0.0',
        operations: [empty],
        tiers: () => describeTiers(['http'], 'off'),
        model: describeModel('missing'),
      },
    },
    buildWork({
      ...common,
      artifacts,
      crawling,
      interacting: { begin: () => ({ open: readNothing, close: async () => undefined }) },
      cursors,
      read: readNothing,
      readSource: readNothing,
      siteHealth: { observe: () => undefined },
      rooms: openRooms(),
      model: null,
      newMark: () => '',
    }),
  );
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
        slots: AT_ONCE,
        operations: [empty],
        async perform(...asked) {
          const answer = await perform(...asked);
          left -= 1;
          if (left === 0) done.resolve();
          return answer;
        },
        billing,
        planOf: async () => plan,
        report: done.reject,
      });
      await done.promise;
      return async () => worker.drain();
    },
  };
}

async function readNothing(): Promise<never> {
  throw new Error('the empty job reads nothing');
}

function fail(error: unknown): void {
  throw error;
}
