import { join, resolve } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { Disk } from 'flydrive';
import { FSDriver } from 'flydrive/drivers/fs';
import { parseAllowTargets } from '#access/allowed.ts';
import { DEPTH_HEADER, openGuard } from '#access/guard.ts';

import { openHttp } from '#access/http.ts';
import type { Rungs } from '#access/ladder.ts';
import type { Endpoint } from '#access/rules.ts';
import { LIMITS } from '#access/limits.ts';
import { readMachine } from '#access/machine.ts';
import type { Tier } from '#access/page.ts';
import { DESKTOP } from '#access/profile.ts';
import { openDnsResolver, resolveBySystem, withCache } from '#access/resolver.ts';
import { buildAccounts } from '#engine/accounts.ts';
import { buildBilling, HOLDER_DEAD_MS } from '#engine/billing.ts';
import { buildCursors } from '#engine/cursor.ts';
import { ensureFirstKey } from '#engine/first-key.ts';
import { describeInstance } from '#engine/instance.ts';
import { buildKeptAnswers } from '#engine/kept-answers.ts';
import { buildKeys } from '#engine/keys.ts';
import type { Operation } from '#engine/operation.ts';
import { buildPageCache } from '#engine/page-cache.ts';
import { openParsing } from '#engine/parsing.ts';
import { buildPerform } from '#engine/perform.ts';
import { loadPlans } from '#engine/plans.ts';
import type { Plan } from '#engine/plans.ts';
import { buildQueue } from '#engine/queue.ts';
import { buildRequestLog } from '#engine/request-log.ts';
import { buildTenants, LOCAL_TENANT } from '#engine/tenants.ts';
import { startUpkeep } from '#engine/upkeep.ts';
import { buildVisiting } from '#engine/visiting.ts';
import { startWorker } from '#engine/worker.ts';
import { openClockFile, systemClock } from '#kernel/clock-file.ts';
import type { Clock } from '#kernel/clock.ts';
import { loadConfig } from '#kernel/config.ts';
import type { Config, Remote } from '#kernel/config.ts';
import { loadFolderId, loadSecret, prepareDataDir } from '#kernel/data-dir.ts';
import { newId } from '#kernel/ids.ts';
import { buildSealer } from '#kernel/sealing.ts';
import { readVersion } from '#kernel/version.ts';
import { operations } from '#operations/index.ts';
import type { Secret } from '#store/backup.ts';
import { groupCommits } from '#store/group-commit.ts';
import { backUpPlace, openMigrated, restorePlace } from '#store/open.ts';
import type { Place } from '#store/open.ts';
import { lockDataDir } from '#store/serve-lock.ts';
import { backupCommand, restoreCommand } from '#transports/cli/backup.ts';
import type { BackUp, Restore } from '#transports/cli/backup.ts';
import { runCli } from '#transports/cli/cli.ts';
import type { Terminal } from '#transports/cli/cli.ts';
import { configCommand } from '#transports/cli/config.ts';
import { doctorCommand } from '#transports/cli/doctor.ts';
import { EXIT } from '#transports/cli/exit.ts';
import { keysCommand } from '#transports/cli/keys.ts';
import type { Registry } from '#transports/cli/keys.ts';
import { askRemote } from '#transports/cli/remote.ts';
import { serveCommand } from '#transports/cli/serve.ts';
import type { Running } from '#transports/cli/serve.ts';
import { tenantsCommand } from '#transports/cli/tenants.ts';

const DRAIN_MS = 25_000;
/** Jobs that one process runs at once. */
const JOB_SLOTS = 16;
/** Names the one service that a data folder can have, so that a start knows what an earlier one left behind. */
const SERVICE = 'serve';
const VERSION = readVersion();
/** The access tiers that this version has. */
const BUILT: readonly Tier[] = ['http'];
/** Time slices and lifetimes that no one may set back. */
const monotonic: Clock = { now: () => performance.now() };

const terminal: Terminal = {
  out: (text) => void process.stdout.write(text),
  note: (line) => void process.stderr.write(`${line}\n`),
};

/** The store with what reads and writes it; every command that touches data opens one. */
async function openStore(config: Config, report: (error: unknown) => void, note: (line: string) => void = noteLine) {
  prepareDataDir(config.QUERN_DATA_DIR);
  const plans = loadPlans(config.QUERN_PLANS_FILE ?? null);
  const clock = openClock(config);
  const backups = { dataDir: config.QUERN_DATA_DIR, secret: () => secretOf(config), now: clock.now, note };
  const db = await openMigrated(placeOf(config), { report, backups });
  const registry: Registry = { keys: buildKeys({ db, clock, plans }), tenants: buildTenants({ db, clock }) };
  return { db, clock, plans, registry };
}

function placeOf({ QUERN_DATABASE_URL: url, QUERN_DATA_DIR: folder, QUERN_SQLITE_SYNC: sync }: Config): Place {
  return url === undefined ? { kind: 'sqlite', file: join(folder, 'quern.db'), sync } : { kind: 'postgres', url };
}

/** The secret as a backup takes it: one that a setting gives is kept by whoever sets it. */
function secretOf({ QUERN_DATA_DIR: folder, QUERN_SECRET_KEY: setting }: Config): Secret {
  return { bytes: loadSecret(folder, setting), carried: setting === undefined };
}

/** `quern backup` and `quern restore`: neither opens the store as a service does, and so neither changes its schema. */
function archiving(config: Config): { readonly backUp: BackUp; readonly restore: Restore } {
  return {
    async backUp(file, progress) {
      prepareDataDir(config.QUERN_DATA_DIR);
      const now = openClock(config).now();
      return backUpPlace(placeOf(config), file, { secret: secretOf(config), now, progress, signal: interruption() });
    },
    async restore(file, options) {
      prepareDataDir(config.QUERN_DATA_DIR);
      const now = openClock(config).now();
      return restorePlace(placeOf(config), now - HOLDER_DEAD_MS, {
        ...options,
        file,
        now,
        dataDir: config.QUERN_DATA_DIR,
        secretSetting: config.QUERN_SECRET_KEY,
        signal: interruption(),
      });
    },
  };
}

function describePlace({ QUERN_DATABASE_URL: text, QUERN_DATA_DIR: folder }: Config): string {
  if (text === undefined) return `SQLite in ${folder}`;
  const { host, pathname } = new URL(text);
  return `PostgreSQL at ${host}${pathname}`;
}

/** The id under which this data folder keeps pages beside others; an embedded store has no other. */
function cacheFolderOf(config: Config): string | null {
  return config.QUERN_DATABASE_URL === undefined ? null : loadFolderId(config.QUERN_DATA_DIR);
}

type Store = Awaited<ReturnType<typeof openStore>>;

/** What performs operations over a store: the gate with the ladder, the parser threads and the credits behind it. */
async function openEngine(
  config: Config,
  { db, clock, plans, registry }: Store,
  { holder, own, report }: EngineOptions,
) {
  const inTurn = groupCommits(db);
  const billing = buildBilling({ db, inTurn, clock, holder });
  const requestLog = buildRequestLog({ db, inTurn });
  const accounts = buildAccounts({ db, clock });
  const disk = new Disk(new FSDriver({ location: resolve(config.QUERN_DATA_DIR, 'cache'), visibility: 'private' }));
  const secret = loadSecret(config.QUERN_DATA_DIR, config.QUERN_SECRET_KEY);
  const sealer = buildSealer(secret, 'page cache');
  const pageCache = buildPageCache({ db, inTurn, disk, sealer, folder: cacheFolderOf(config), clock });
  const keptAnswers = buildKeptAnswers({ db, clock, sealer: buildSealer(secret, 'kept answers'), holder });
  const queue = buildQueue({ db, inTurn, clock, sealer: buildSealer(secret, 'jobs'), random: Math.random });
  const guard = openGuard({
    allowed: parseAllowTargets(config.QUERN_ALLOW_TARGETS),
    own,
    ...readMachine(),
    resolve: withCache(openDnsResolver(null), monotonic),
    resolveAllowed: withCache(resolveBySystem, monotonic),
    report: (refusal) => report('the egress guard refused a target', refusal),
  });
  const http = openHttp({ guard, limits: LIMITS, profile: DESKTOP, authorities: [] });
  const rungs: Rungs = { http: http.visit };
  const parsing = openParsing();
  const perform = buildPerform({
    billing,
    inTurn,
    accounts,
    requestLog,
    jobs: queue.jobs,
    news: queue.news,
    keptAnswers,
    cursors: buildCursors(secret),
    instance: describeInstance(VERSION, operations, BUILT),
    visiting: buildVisiting({
      rungs,
      readTarget: guard.readTarget,
      billing,
      pageCache,
      report: (error) => report('a page could not be cached', { err: error }),
    }),
    read: parsing.read,
    clock,
  });
  const planOf = async (tenant: string): Promise<Plan> => plans[(await registry.tenants.demand(tenant)).plan];
  await billing.abandon();
  await keptAnswers.abandon();
  await billing.sweep();
  return {
    perform,
    /** Takes back the jobs of a worker that is known to be dead. */
    recover: async (worker: string) => queue.leases.recover(worker, planOf),
    work: (id: string) =>
      startWorker({
        ...queue,
        id,
        slots: JOB_SLOTS,
        operations,
        perform,
        billing,
        planOf,
        report: (error) => report('a job could not be run or written', { err: error }),
      }),
    accounts,
    billing,
    upkeep: async () =>
      startUpkeep({
        billing,
        requestLog,
        pageCache,
        keptAnswers,
        jobRetention: queue.retention,
        clock,
        dataDir: config.QUERN_DATA_DIR,
        quota: config.QUERN_MAX_DISK,
        report: (error) => report('a round of upkeep failed', { err: error }),
      }),
    async close() {
      await parsing.close();
      await http.close();
    },
  };
}

type EngineOptions = {
  /** Names this process in what it reserves and begins. */
  readonly holder: string;
  /** Where this process itself listens. */
  readonly own: () => readonly Endpoint[];
  /** For the operator: what happened, and the particulars. */
  readonly report: (message: string, facts: Readonly<Record<string, unknown>>) => void;
};

/** `quern serve`: the whole service in this process. */
async function start(config: Config): Promise<Running> {
  const [{ pino }, { buildServer }, { TIMEOUTS }] = await Promise.all([
    import('pino'),
    import('#transports/http/server.ts'),
    import('#transports/http/parts.ts'),
  ]);
  // Lines are written together: one write a line costs more than making it.
  const lines = pino.destination({ fd: 2, sync: false, minLength: 4096, periodicFlush: 1000 });
  const log = pino({ level: config.QUERN_LOG_LEVEL }, lines);
  prepareDataDir(config.QUERN_DATA_DIR);
  const place = placeOf(config);
  const lock = place.kind === 'sqlite' ? lockDataDir(config.QUERN_DATA_DIR) : null;
  const store = await openStore(config, (error) => log.warn({ err: error }, 'a connection of the store broke'));
  // Beside others on one database, what an earlier one held is freed when its time is up.
  const service = lock === null ? newId('hld', store.clock.now()) : SERVICE;
  const own: Endpoint[] = [];
  const engine = await openEngine(config, store, {
    holder: service,
    own: () => own,
    report: (message, facts) => log.warn(facts, message),
  });
  await engine.recover(service);
  const worker = engine.work(service);
  const draining = new AbortController();
  const server = await buildServer({
    version: VERSION,
    operations,
    perform: engine.perform,
    findCaller: store.registry.keys.findCaller,
    remaining: async ({ tenant, plan }) => engine.accounts.remaining(tenant, plan),
    log,
    newRequestId: () => newId('req', store.clock.now()),
    findObstacles: async () => {
      const stopped = worker.isAlive() ? [] : ['the worker has stopped'];
      return engine.billing.sweep().then(
        () => stopped,
        () => [...stopped, 'the store cannot be written'],
      );
    },
    draining: draining.signal,
    depthHeader: DEPTH_HEADER,
    metricsToken: config.QUERN_METRICS_TOKEN ?? null,
    corsOrigins: config.QUERN_CORS_ORIGINS,
    trustProxy: config.QUERN_TRUST_PROXY,
    timeouts: TIMEOUTS,
  });
  // Files without a row are tidied away before a request can write one whose row is still to come.
  const upkeep = await engine.upkeep();
  const origin = await listen(server, config);
  own.push({ host: config.QUERN_HOST, port: Number(new URL(origin).port) });
  return {
    origin,
    dataDir: resolve(config.QUERN_DATA_DIR),
    firstKey: await ensureFirstKey(store, config.QUERN_BOOTSTRAP_KEY),
    notes: config.QUERN_CLOCK_FILE === undefined ? [] : [`the time is that of ${config.QUERN_CLOCK_FILE}`],
    async drain() {
      draining.abort();
      const late = setTimeout(() => server.server.closeAllConnections(), DRAIN_MS);
      await Promise.all([server.close(), worker.drain()]);
      clearTimeout(late);
      await upkeep.close();
      await engine.close();
      await store.db.close();
      lock?.release();
      lines.flushSync();
    },
  };
}

/** The embedded store and what performs over it, for the tenant `local`, beside a running service if there is one. */
async function openLocally(config: Config, signal: AbortSignal) {
  const store = await openStore(config, noteBroken);
  const engine = await openEngine(config, store, {
    holder: newId('hld', store.clock.now()),
    own: () => [],
    report: (message, facts) => terminal.note(`quern: ${message}: ${JSON.stringify(facts)}`),
  });
  await store.registry.tenants.ensureLocal();
  let worker: ReturnType<typeof engine.work> | null = null;
  return {
    async ask(operation: Operation, raw: unknown) {
      const { body } = await engine.perform(operation, raw, {
        caller: { tenant: LOCAL_TENANT, keyId: LOCAL_TENANT, plan: store.plans.unlimited },
        requestId: newId('req', store.clock.now()),
        signal,
        idempotencyKey: null,
        lastEventId: null,
        lease: null,
      });
      return body;
    },
    /** Runs queued jobs in this process too, for there may be no service that does. */
    work(): void {
      worker ??= engine.work(newId('wrk', store.clock.now()));
    },
    async close(): Promise<void> {
      await worker?.drain();
      await engine.close();
      await store.db.close();
    },
  };
}

/** How the command line asks: the embedded store, opened at the first question, or a server. */
function openAsking(config: Config, remote: Remote | null) {
  let interrupted: AbortSignal | null = null;
  let opened: ReturnType<typeof openLocally> | null = null;
  function toSignal(): AbortSignal {
    interrupted ??= interruption();
    return interrupted;
  }
  async function local() {
    opened ??= openLocally(config, toSignal());
    return opened;
  }
  return {
    async ask(operation: Operation, raw: unknown) {
      if (remote !== null) return askRemote(remote, operation, raw, toSignal());
      return (await local()).ask(operation, raw);
    },
    async work(): Promise<void> {
      if (remote === null) (await local()).work();
    },
    interrupted: toSignal,
    async close(): Promise<void> {
      await (await opened)?.close();
    },
  };
}

function noteLine(line: string): void {
  terminal.note(`quern: ${line}`);
}

function noteBroken(error: unknown): void {
  terminal.note(`quern: a connection of the store broke: ${error instanceof Error ? error.message : String(error)}`);
}

/** Lets work end as a caller that went away, so that nothing is charged for it. */
function interruption(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => controller.abort());
  return controller.signal;
}

function onStop(first: () => void, second: () => void): void {
  let asked = 0;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      asked += 1;
      if (asked === 1) first();
      else second();
    });
  }
}

async function listen(server: FastifyInstance, { QUERN_HOST: host, QUERN_PORT: port }: Config): Promise<string> {
  try {
    return await server.listen({ host, port });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code === 'EADDRINUSE') {
      throw new Error(`QUERN_PORT ${port}: is taken on ${host}; stop what listens there or set another port`, {
        cause: error,
      });
    }
    throw new Error(`QUERN_HOST ${host}, QUERN_PORT ${port}: cannot be listened on (${String(code ?? error)})`, {
      cause: error,
    });
  }
}

function openClock({ QUERN_CLOCK_FILE: file }: Config): Clock {
  return file === undefined ? systemClock : openClockFile(file);
}

async function main(args: readonly string[]): Promise<number> {
  const { config, shown, remote } = loadConfig();
  async function withRegistry<T>(work: (registry: Registry) => Promise<T>): Promise<T> {
    const store = await openStore(config, noteBroken);
    return work(store.registry).finally(() => store.db.close());
  }
  const doctor = doctorCommand({
    dataDir: config.QUERN_DATA_DIR,
    tiers: describeInstance(VERSION, operations, BUILT).tiers,
    store: describePlace(config),
    openStore: async () => (await openStore(config, noteBroken)).db.close(),
    resolve: openDnsResolver(null),
  });
  const { backUp, restore } = archiving(config);
  const asking = openAsking(config, remote);
  return runCli(args, {
    operations,
    administration: {
      serve: serveCommand(async () => start(config), onStop),
      keys: keysCommand(withRegistry),
      tenants: tenantsCommand(withRegistry),
      backup: backupCommand(backUp),
      restore: restoreCommand(restore),
      config: configCommand(shown),
      doctor,
    },
    ...asking,
    version: VERSION,
    terminal,
  }).finally(async () => asking.close());
}

// A reader that has seen enough, such as head, closes the pipe: that is no failure.
process.stdout.on('error', (error) => {
  if (!('code' in error) || error.code !== 'EPIPE') throw error;
});
try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  // Settings, folders and ports that do not fit end here: the operator needs the sentence, not the stack.
  terminal.note(`quern: ${error instanceof Error ? error.message : String(error)}`);
  // What was opened before the failure would keep the process alive.
  process.exit(EXIT.failure);
}
