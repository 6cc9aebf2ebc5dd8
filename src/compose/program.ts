import { describeModel } from '#engine/call/instance.ts';
import { openDnsResolver } from '#access/guard/resolver.ts';
import { listHealth } from '#features/sites/health.ts';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import type { Loaded } from '#kernel/config.ts';
import { jobResult, showJob, submitJob } from '#features/jobs/operations.ts';
import { fetchPage } from '#features/fetch/operation.ts';
import { endpoints } from '#sites/index.ts';
import { backupCommand, restoreCommand } from '#transports/cli/backup.ts';
import { runCli } from '#transports/cli/cli.ts';
import type { Terminal } from '#transports/cli/parts.ts';
import { configCommand } from '#transports/cli/config.ts';
import { KNOWN_NAME, doctorCommand } from '#transports/cli/doctor.ts';
import { explainCommand } from '#transports/cli/explain.ts';
import { keysCommand } from '#transports/cli/keys.ts';
import type { Registry } from '#transports/cli/keys.ts';
import { mcpCommand } from '#transports/cli/mcp.ts';
import { serveCommand } from '#transports/cli/serve.ts';
import type { OnStop } from '#transports/cli/serve.ts';
import { sitesCommand } from '#transports/cli/sites.ts';
import { tenantsCommand } from '#transports/cli/tenants.ts';
import { webhooksCommand } from '#transports/cli/webhooks.ts';
import { workerCommand } from '#transports/cli/worker.ts';
import { openArchive } from './archive.ts';
import { checkArtifacts, describeArtifacts } from './artifacts.ts';
import { noticesTo, openAsking } from './asking.ts';
import { checkBrowsers, describeMachine } from './browser-setup.ts';
import { routedOperations } from './registry.ts';
import { describePlace, openClock, openStore } from './store.ts';
import { VERSION } from './version.ts';

/** Time for each proxy that `quern doctor` checks. */
const PROXY_CHECK_MS = 10_000;

/** The surroundings of a command line: settings, terminal, and the signals that end it. */
export type Surroundings = {
  readonly loaded: Loaded;
  readonly terminal: Terminal;
  /** Creates a signal that fires when the user interrupts; called once there is something to interrupt. */
  readonly interruption: () => AbortSignal;
  /** Tells a service or a worker when to stop. */
  readonly onStop: OnStop;
};

/**
 * Runs one command line and answers its exit code. Throws `OperatorError` where settings, folders or ports do not fit.
 */
export async function runProgram(
  args: readonly string[],
  { loaded, terminal, interruption, onStop }: Surroundings,
): Promise<number> {
  const { config, shown, remote } = loaded;
  const notices = noticesTo(terminal);
  async function withRegistry<T>(work: (registry: Registry) => Promise<T>): Promise<T> {
    const store = await openStore(loaded, notices);
    return work(store.registry).finally(() => store.db.close());
  }
  const doctor = doctorCommand({
    dataDir: config.QUERN_DATA_DIR,
    tiers: () => describeMachine(config),
    checkBrowsers: async () => checkBrowsers(config),
    model: describeModel(config.QUERN_MODEL_URL === undefined ? 'missing' : 'there'),
    store: describePlace(config),
    artifacts: describeArtifacts(loaded.artifacts),
    openStore: async () => (await openStore(loaded, notices)).db.close(),
    checkArtifacts: async () => checkArtifacts(loaded),
    resolve: openDnsResolver(null, SYSTEM_CLOCK),
    async checkProxies() {
      const { checkProxies } = await import('#access/proxy/proxy-check.ts');
      return checkProxies(config, {
        to: { host: KNOWN_NAME, port: 443 },
        timeoutMs: PROXY_CHECK_MS,
        clock: SYSTEM_CLOCK,
      });
    },
  });
  const archive = openArchive(loaded, interruption);
  const asking = openAsking({ ...loaded, remote, terminal, interruption });
  return runCli(args, {
    operations: routedOperations,
    jobs: { submit: submitJob, show: showJob, result: jobResult },
    administration: {
      // A short command does not load the code of a service.
      serve: serveCommand(async () => (await import('./service.ts')).startService(loaded), onStop),
      worker: workerCommand(async () => (await import('./worker.ts')).startJobWorker(loaded), onStop),
      keys: keysCommand(withRegistry),
      tenants: tenantsCommand(withRegistry),
      webhooks: webhooksCommand(asking.interrupted),
      backup: backupCommand(archive.backUp, SYSTEM_CLOCK),
      restore: restoreCommand(archive.restore, SYSTEM_CLOCK),
      sites: sitesCommand({
        endpoints,
        async listHealth() {
          const store = await openStore(loaded, notices);
          return listHealth(store.db).finally(async () => store.db.close());
        },
        ask: async (operation, raw) => asking.ask(operation, raw),
      }),
      explain: explainCommand({
        fetch: fetchPage,
        ask: async (operation, raw) => asking.ask(operation, raw),
        explain: async (html, page) => {
          const { explainPage } = await import('#extract/explain-page.ts');
          return explainPage(html, { ...page, fetchedAt: SYSTEM_CLOCK.now() });
        },
      }),
      mcp: mcpCommand({ ...asking, version: VERSION, operations: routedOperations }),
      config: configCommand(shown),
      doctor,
    },
    ...asking,
    version: VERSION,
    terminal,
    now: () => openClock(config).now(),
    clock: SYSTEM_CLOCK,
  }).finally(async () => asking.close());
}
