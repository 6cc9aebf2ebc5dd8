import { flushCompileCache } from 'node:module';
import { resolve } from 'node:path';
import type { Logger } from 'pino';
import { DEPTH_HEADER } from '#access/guard/guard.ts';
import type { Endpoint } from '#access/guard/rules.ts';
import { ensureFirstKey } from '#engine/credits/tenants.ts';
import { toCaller } from '#engine/identity/caller.ts';
import { findPlan } from '#engine/identity/plans.ts';
import { createLocalRates, type Rates, SharedRates } from '#engine/identity/rates.ts';
import { buildTenantSecrets } from '#features/webhooks/signing.ts';
import { buildFileLinks } from '#engine/results/file-links.ts';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import type { Config, LoadedConfig } from '#kernel/config.ts';
import { createDataDir, loadSecret } from '#kernel/data-dir.ts';
import { newId } from '#kernel/ids.ts';
import type { Metric } from '#kernel/metric.ts';
import { collectGarbage } from '#kernel/memory-budget.ts';
import { lockDataDir } from '#store/locks.ts';
import { type RunningService, type StartContext, buildWelcomeUrl } from '#transports/cli/serve.ts';
import { CONSOLE_FOLDER } from '#transports/http/console/files.ts';
import { type CompatServices, TIMEOUTS } from '#transports/http/server-parts.ts';
import { createServer } from '#transports/http/server.ts';
import { checkArtifacts } from './artifacts.ts';
import { type Background, startBackground, listen, buildReadinessCheck } from './background.ts';
import { type BrowserSources, needsBrowser, findBrowserSources, startBrowserSetup } from './browser-setup.ts';
import { type Engine, openEngine } from './engine.ts';
import { logNotices, openLog } from './log.ts';
import { openObserver } from './observer.ts';
import { routedOperations, unroutedOperations } from './registry.ts';
import { createStartRetry } from './start-retry.ts';
import { openWritable, toStorePlace, type Store } from './store.ts';
import { VERSION } from './version.ts';

const DRAIN_MS = 25_000;
/** When the garbage of a start is collected, so that the first callers need not wait for it. */
const COLLECT_AFTER_MS = 1000;
/** The process id of the only service of a data folder. A start releases what an earlier process with this id left. */
const SERVICE = 'serve';

/** `quern serve`: runs the API in this process, and jobs too, unless the settings leave jobs to other processes. */
export async function startService(
  { config, artifacts, settings }: LoadedConfig,
  starting: StartContext,
  market: BrowserSources = findBrowserSources(config),
): Promise<RunningService> {
  const { log, flush } = await openLog(config);
  const observer = openObserver(log);
  const patiently = createStartRetry(config, starting);
  await patiently(() => createDataDir(config.QUERN_DATA_DIR));
  await patiently(async () => checkArtifacts({ config, artifacts }));
  const isEmbedded = toStorePlace(config).kind === 'sqlite';
  const lock = isEmbedded ? await patiently(() => lockDataDir(config.QUERN_DATA_DIR)) : null;
  const store = await openWritable({ config, artifacts }, logNotices(log), patiently);
  // On a shared database, leases and reservations of an earlier process are released when they expire.
  const id = lock === null ? newId('hld', store.storeClock.now()) : SERVICE;
  const own: Endpoint[] = [];
  const engine = await openEngine(config, store, {
    processId: id,
    own: () => own,
    artifacts,
    settings,
    findBrowsers: market.findBrowsers,
    observe: observer.observe,
    report: (message, facts) => log.warn(facts, message),
    reportText: (message, facts) => log.debug(facts, message),
  });
  await engine.recover(id);
  // Files without a row are deleted before anything can write a file whose row is still to come.
  const upkeep = await engine.upkeep();
  const background = startBackground(engine, config.QUERN_JOB_SLOTS, { id, isAlone: lock !== null });
  const draining = new AbortController();
  const server = await openServer(config, {
    store,
    engine,
    background,
    log,
    draining: draining.signal,
    observed: observer.metrics,
  });
  const origin = await listen(server, { config, setting: 'QUERN_PORT' });
  own.push({ host: config.QUERN_HOST, port: Number(new URL(origin).port) });
  // A process that is killed does not store its compiled code, so it is stored now for the next process.
  flushCompileCache();
  SYSTEM_CLOCK.after(COLLECT_AFTER_MS, collectGarbage).unref();
  const { browsing } = engine;
  const notes = [...listStartNotes(config, needsBrowser(browsing)), ...(await findUnknownPlans(store))];
  const setup = startBrowserSetup({ market, browsing, dataDir: config.QUERN_DATA_DIR, log });
  const firstKey = await ensureFirstKey(
    { db: store.db, clock: store.storeClock, plans: store.plans },
    config.QUERN_BOOTSTRAP_KEY,
  );
  const welcome = config.QUERN_CONSOLE === 'on' ? await store.registry.consoleSessions.createFirstLink() : null;
  return {
    origin,
    dataDir: resolve(config.QUERN_DATA_DIR),
    firstKey,
    welcomeUrl: welcome === null ? null : buildWelcomeUrl(origin, welcome),
    notes,
    async drain() {
      draining.abort();
      const late = SYSTEM_CLOCK.after(DRAIN_MS, () => server.server.closeAllConnections());
      await Promise.all([server.close(), background.drainJobs(), setup.close()]);
      await background.close();
      late.close();
      await upkeep.close();
      await engine.close();
      await store.db.close();
      lock?.release();
      flush();
    },
  };
}

type ServerParts = {
  readonly store: Store;
  readonly engine: Engine;
  readonly background: Background;
  readonly log: Logger;
  readonly draining: AbortSignal;
  /** The counters of events. */
  readonly observed: readonly Metric[];
};

async function openServer(config: Config, { store, engine, background, log, draining, observed }: ServerParts) {
  const reportRates = (error: unknown): void =>
    log.warn({ err: error }, 'minutes of requests that are over could not be forgotten');
  return createServer({
    version: VERSION,
    operations: routedOperations,
    unrouted: unroutedOperations,
    perform: engine.perform,
    findCaller: store.registry.keys.findCaller,
    consoleParts:
      config.QUERN_CONSOLE === 'on' ? { sessions: store.registry.consoleSessions, folder: CONSOLE_FOLDER } : null,
    compat: config.QUERN_COMPAT === 'on' ? buildCompatServices(config, store) : null,
    rates: openRates(store, reportRates),
    remaining: async ({ tenant, plan }) => engine.accounts.readRemaining(tenant, plan),
    log,
    newRequestId: () => newId('req', store.storeClock.now()),
    findObstacles: buildReadinessCheck({
      processes: engine.processes,
      isAlive: background.isAlive,
      room: store.room,
    }),
    draining,
    depthHeader: DEPTH_HEADER,
    readings: [...engine.metrics, ...background.metrics, ...observed],
    metricsToken: config.QUERN_METRICS_TOKEN ?? null,
    corsOrigins: config.QUERN_CORS_ORIGINS,
    trustProxy: config.QUERN_TRUST_PROXY,
    timeouts: TIMEOUTS,
    clock: SYSTEM_CLOCK,
  });
}

function buildCompatServices(config: Config, { registry, plans }: Store): CompatServices {
  const secret = loadSecret(config.QUERN_DATA_DIR, config.QUERN_SECRET_KEY);
  return {
    fileLinks: buildFileLinks(secret),
    deriveWebhookSecret: buildTenantSecrets(secret),
    publicUrl: config.QUERN_PUBLIC_URL ?? null,
    async findTenant(tenant) {
      const { plan, suspended_at } = await registry.tenants.read(tenant);
      return toCaller(plans, { id: tenant, tenant_id: tenant, operator: 0, plan, suspended_at });
    },
    keyless:
      config.QUERN_COMPAT_TENANT === undefined
        ? null
        : { tenant: config.QUERN_COMPAT_TENANT, networks: config.QUERN_COMPAT_NETWORKS },
  };
}

/** Prints the notices for the operator at the start. */
function listStartNotes({ QUERN_CLOCK_FILE: clockFile, QUERN_JOB_SLOTS: slots }: Config, wantsBrowser: boolean) {
  return [
    ...(clockFile === undefined ? [] : [`the time is that of ${clockFile}`]),
    ...(slots === 0 ? ['QUERN_JOB_SLOTS is 0: jobs wait for a quern worker'] : []),
    ...(wantsBrowser
      ? ['no browser was found: downloading one in the background (set QUERN_CHROMIUM=off to skip this)']
      : []),
  ];
}

/** Warns of plans that tenants have but the settings lack. */
async function findUnknownPlans({ plans, registry }: Store): Promise<readonly string[]> {
  const lost = (await registry.tenants.listPlansInUse()).filter((name) => findPlan(plans, name) === null);
  return lost.map((name) => `plan ${name} is not in QUERN_PLANS_FILE: its tenants are treated as on free`);
}

/** Creates the request rates: in memory with the embedded store, in rows if services share a PostgreSQL. */
function openRates({ db, wallClock }: Store, report: (error: unknown) => void): Rates {
  return db.kind === 'sqlite' ? createLocalRates() : new SharedRates({ db, clock: wallClock, report });
}
