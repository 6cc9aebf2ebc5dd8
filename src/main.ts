import { openDnsResolver } from '#access/resolver.ts';
import { openArchive } from '#compose/archive.ts';
import { checkArtifacts, describeArtifacts } from '#compose/artifacts.ts';
import { earsOf, openAsking } from '#compose/asking.ts';
import { describePlace, openClock, openStore } from '#compose/store.ts';
import { checkBrowsers, describeMachine } from '#compose/browser-setup.ts';
import { routedOperations } from '#compose/registry.ts';
import { VERSION } from '#compose/version.ts';
import { listHealth } from '#engine/sites/health.ts';
import { describeModel } from '#engine/instance.ts';
import { loadConfig } from '#kernel/config.ts';
import { endpoints } from '#sites/index.ts';
import { backupCommand, restoreCommand } from '#transports/cli/backup.ts';
import { runCli } from '#transports/cli/cli.ts';
import { configCommand } from '#transports/cli/config.ts';
import { KNOWN_NAME, doctorCommand } from '#transports/cli/doctor.ts';
import { EXIT } from '#transports/cli/exit.ts';
import { keysCommand } from '#transports/cli/keys.ts';
import type { Registry } from '#transports/cli/keys.ts';
import { serveCommand } from '#transports/cli/serve.ts';
import { sitesCommand } from '#transports/cli/sites.ts';
import { tenantsCommand } from '#transports/cli/tenants.ts';
import { openTerminal } from '#transports/cli/terminal.ts';
import { webhooksCommand } from '#transports/cli/webhooks.ts';
import { workerCommand } from '#transports/cli/worker.ts';

/** For each proxy that `quern doctor` asks. */
const PROXY_CHECK_MS = 10_000;

const terminal = openTerminal(process.stdout, process.stderr);

// Whoever writes asks whether somebody still reads, and ends in order when nobody does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

async function main(args: readonly string[]): Promise<number> {
  const loaded = loadConfig();
  const { config, shown, remote } = loaded;
  const ears = earsOf(terminal);
  async function withRegistry<T>(work: (registry: Registry) => Promise<T>): Promise<T> {
    const store = await openStore(loaded, ears);
    return work(store.registry).finally(() => store.db.close());
  }
  const doctor = doctorCommand({
    dataDir: config.QUERN_DATA_DIR,
    tiers: () => describeMachine(config),
    checkBrowsers: async () => checkBrowsers(config),
    model: describeModel(config.QUERN_MODEL_URL === undefined ? 'missing' : 'there'),
    store: describePlace(config),
    artifacts: describeArtifacts(loaded.artifacts),
    openStore: async () => (await openStore(loaded, ears)).db.close(),
    checkArtifacts: async () => checkArtifacts(loaded),
    resolve: openDnsResolver(null),
    async checkProxies() {
      const { checkProxies } = await import('#access/proxy-check.ts');
      return checkProxies(config, { to: { host: KNOWN_NAME, port: 443 }, timeoutMs: PROXY_CHECK_MS });
    },
  });
  const archive = openArchive(loaded);
  const asking = openAsking({ ...loaded, remote, terminal });
  return runCli(args, {
    operations: routedOperations,
    administration: {
      // What a short command does not need it does not load.
      serve: serveCommand(async () => (await import('#compose/service.ts')).startService(loaded), onStop),
      worker: workerCommand(async () => (await import('#compose/worker.ts')).startJobWorker(loaded), onStop),
      keys: keysCommand(withRegistry),
      tenants: tenantsCommand(withRegistry),
      webhooks: webhooksCommand(asking.interrupted),
      backup: backupCommand(archive.backUp),
      restore: restoreCommand(archive.restore),
      sites: sitesCommand({
        endpoints,
        async listHealth() {
          const store = await openStore(loaded, ears);
          return listHealth(store.db).finally(async () => store.db.close());
        },
        ask: async (operation, raw) => asking.ask(operation, raw),
      }),
      config: configCommand(shown),
      doctor,
    },
    ...asking,
    version: VERSION,
    terminal,
    now: () => openClock(config).now(),
  }).finally(async () => asking.close());
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

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  // Settings, folders and ports that do not fit end here: the operator needs the sentence, not the stack.
  terminal.note(`quern: ${error instanceof Error ? error.message : String(error)}`);
  // What was opened before the failure would keep the process alive.
  process.exit(EXIT.failure);
}
