import { resolve } from 'node:path';
import { capabilities } from '#features/account/capabilities.ts';
import { usage } from '#features/account/usage.ts';
import { listSettings } from '#features/admin/operations.ts';
import { explain } from '#features/explain/operation.ts';
import { jobResult, jobs, showJob, submitJob } from '#features/jobs/operations.ts';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import { loadConfig, type Loaded, type Purpose } from '#kernel/config.ts';
import type { Operation } from '#engine/call/operation.ts';
import { type Remote, sourceOf } from '#kernel/login.ts';
import type { Administer } from '#transports/cli/administration.ts';
import type { OperatorParts } from '#transports/cli/operator.ts';
import type { CliParts } from '#transports/cli/parts.ts';
import { type Asking, openAsking } from './asking.ts';
import { demandData, hasData, refuseRemote } from './own-store.ts';
import type { Store } from './store.ts';
import type { Surroundings } from './surroundings.ts';
import { VERSION } from './version.ts';

/** The parts of every command once its settings are read; each command loads its own code. */
export type Commands = ReturnType<typeof openCommands>;

type Context = Surroundings & {
  readonly settled: Loaded;
  readonly asking: Asking;
  readonly openNotified: () => Promise<Store>;
};

type Loading = Readonly<Record<string, () => Promise<Administer>>>;

/** Reads the settings and opens what commands need. Throws `OperatorError` where settings do not fit. */
export function openCommands(surroundings: Surroundings, purpose: Purpose) {
  const { terminal, interruption } = surroundings;
  const settled = surroundings.loaded ?? loadConfig(undefined, undefined, purpose);
  const { config } = settled;
  const asking = openAsking({ ...settled, terminal, interruption });
  const context: Context = {
    ...surroundings,
    settled,
    asking,
    async openNotified() {
      const [{ openStore }, { noticesTo }] = await Promise.all([import('./store.ts'), import('./local.ts')]);
      return openStore(settled, noticesTo(terminal));
    },
  };
  const administration: Loading = { ...serving(context), ...ofTheOperator(context), ...ofTheUser(context) };

  async function open(): Promise<CliParts> {
    const [{ routedOperations }, { openClock }] = await Promise.all([import('./registry.ts'), import('./store.ts')]);
    return {
      ...asking,
      operations: routedOperations,
      jobs: { submit: submitJob, show: showJob, result: jobResult },
      place: describe(await placeIn(settled)),
      serveLine: toServeLine(settled),
      version: VERSION,
      terminal,
      now: () => openClock(config).now(),
      clock: SYSTEM_CLOCK,
    };
  }

  return { administration, open, close: async () => asking.close() };
}

/** The processes of a service. */
function serving({ settled, onStop, restrictFiles }: Context): Loading {
  return {
    serve: async () =>
      (await import('#transports/cli/serve.ts')).serveCommand(async (starting) => {
        restrictFiles();
        return (await import('./service.ts')).startService(settled, starting);
      }, onStop),
    worker: async () =>
      (await import('#transports/cli/worker.ts')).workerCommand(async (starting) => {
        restrictFiles();
        return (await import('./worker.ts')).startJobWorker(settled, starting);
      }, onStop),
  };
}

/** The commands of the operator: on the data of this machine, or of a server where one is set. */
function ofTheOperator({ settled, asking, openNotified, interruption }: Context): Loading {
  const { remote } = settled;
  const ask: OperatorParts['ask'] = async (operation, raw) => asking.ask(operation, raw);
  const operatorKeys: OperatorParts['operatorKeys'] = () => {
    refuseRemote(
      settled,
      'keys of operators are made on the machine of the data alone, so that no key makes others like it',
    );
    return async (wanted) => {
      const store = await openNotified();
      return store.registry.keys.make({ ...wanted, isOperator: true }).finally(async () => store.db.close());
    };
  };
  const archive = async () => (await import('./archive.ts')).openArchive(settled, interruption);
  return {
    keys: async () => (await import('#transports/cli/keys.ts')).keysCommand({ ask, operatorKeys }),
    console: async () => (await import('./console-link.ts')).openConsoleCommand(settled, openNotified),
    tenants: async () => (await import('#transports/cli/tenants.ts')).tenantsCommand({ ask }),
    backup: async () =>
      (await import('#transports/cli/backup.ts')).backupCommand(async (file, progress) => {
        if (remote !== null) {
          const { fetchBackup } = await import('./archive.ts');
          return fetchBackup(ask, file, { progress, signal: asking.interrupted() });
        }
        await demandData(settled.config, 'there is nothing to back up');
        return (await archive()).backUp(file, progress);
      }, SYSTEM_CLOCK),
    restore: async () =>
      (await import('#transports/cli/backup.ts')).restoreCommand(async (file, options) => {
        refuseRemote(
          settled,
          'a restore replaces all data, and no service may run on them: stop it, and restore on its machine',
        );
        return (await archive()).restore(file, options);
      }, SYSTEM_CLOCK),
    config: async () => {
      const { configCommand, serverConfigCommand } = await import('#transports/cli/config.ts');
      if (remote === null) return configCommand(settled.shown);
      return serverConfigCommand({ url: remote.url, from: sourceOf(remote), settings: listSettings, ask });
    },
    doctor: async () => {
      const { openDoctor, openServerDoctor } = await import('./doctoring.ts');
      return remote === null ? openDoctor(settled, openNotified) : openServerDoctor(remote, ask);
    },
  };
}

/** The other commands, which ask as operations do. */
function ofTheUser({ settled, asking, openNotified, readSecret }: Context): Loading {
  const { config, remote, loginFile } = settled;
  const ask: CliParts['ask'] = async (operation, raw) => asking.ask(operation, raw);
  const login = {
    file: loginFile,
    remote,
    usage,
    ask: async (server: Remote, operation: Operation, raw: unknown) =>
      (await import('#transports/cli/remote.ts')).askRemote(server, operation, raw, asking.interrupted()),
    readSecret,
  };
  return {
    mcp: async () =>
      (await import('#transports/cli/mcp.ts')).mcpCommand({
        ...asking,
        version: VERSION,
        operations: (await import('./registry.ts')).routedOperations,
      }),
    webhooks: async () => (await import('#transports/cli/webhooks.ts')).webhooksCommand(asking.interrupted),
    sites: async () => openSites({ loaded: settled, openNotified, ask }),
    explain: async () => (await import('#transports/cli/explain.ts')).explainCommand({ operation: explain, ask }),
    login: async () => (await import('#transports/cli/login.ts')).loginCommand(login),
    logout: async () => (await import('#transports/cli/login.ts')).logoutCommand(login),
    status: async () =>
      (await import('#transports/cli/status.ts')).statusCommand({
        place: await placeIn(settled),
        hasData: async () => remote !== null || hasData(config),
        version: VERSION,
        operations: { usage, capabilities, jobs },
        ask,
        isServed: async () => asking.isServed(),
        serveLine: toServeLine(settled),
      }),
  };
}

type SiteParts = {
  readonly loaded: Loaded;
  readonly openNotified: () => Promise<Store>;
  readonly ask: CliParts['ask'];
};

async function openSites({ loaded, openNotified, ask }: SiteParts): Promise<Administer> {
  const [{ sitesCommand }, { endpoints }, { watchedEndpoints }, { listHealth }] = await Promise.all([
    import('#transports/cli/sites.ts'),
    import('./endpoints.ts'),
    import('./watched.ts'),
    import('#features/sites/health.ts'),
  ]);
  return sitesCommand({
    endpoints,
    watched: watchedEndpoints,
    async listHealth() {
      refuseRemote(loaded, 'this one works on the data of its own machine only');
      // Nothing was served from here yet.
      if (!(await hasData(loaded.config))) return [];
      const store = await openNotified();
      return listHealth(store.db).finally(async () => store.db.close());
    },
    ask,
    clock: SYSTEM_CLOCK,
    version: VERSION,
  });
}

/** Where commands go, and what decided that. */
async function placeIn({ config, remote, shown, usesUserFolder }: Loaded) {
  if (remote !== null) return { kind: 'server' as const, at: remote.url, from: sourceOf(remote) };
  const { describePlace } = await import('./store.ts');
  const name = config.QUERN_DATABASE_URL === undefined ? 'QUERN_DATA_DIR' : 'QUERN_DATABASE_URL';
  const source = shown.find((one) => one.name === name)?.source ?? 'default';
  const kind = config.QUERN_DATABASE_URL === undefined ? ('folder' as const) : ('database' as const);
  const at = kind === 'folder' ? resolve(config.QUERN_DATA_DIR) : describePlace(config);
  const fallback = usesUserFolder && kind === 'folder' ? 'no service has data in ./data' : 'nothing else is set';
  return { kind, at, from: source === 'default' ? fallback : `${name} of the ${source}` };
}

/** The line that starts a service on the data that commands use. */
function toServeLine({ config, usesUserFolder }: Loaded): string {
  const isElsewhere = usesUserFolder && config.QUERN_DATABASE_URL === undefined;
  return isElsewhere ? `QUERN_DATA_DIR="${config.QUERN_DATA_DIR}" quern serve` : 'quern serve';
}

function describe({ at, from }: Awaited<ReturnType<typeof placeIn>>): string {
  return `${at} (${from})`;
}
