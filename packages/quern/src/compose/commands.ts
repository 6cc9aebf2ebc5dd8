import { resolve } from 'node:path';
import { showCapabilities } from '#features/account/capabilities.ts';
import { showUsage } from '#features/account/operations.ts';
import { listSettings } from '#features/admin/operations.ts';
import { explain } from '#features/explain/operation.ts';
import { showJobResult, listJobs, showJob, submitJob } from '#features/jobs/operations.ts';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import { loadConfig, type LoadedConfig, type ConfigPurpose } from '#kernel/config.ts';
import type { Operation } from '#engine/call/operation.ts';
import { type Remote, formatRemoteSource } from '#kernel/login.ts';
import type { RunAdministration } from '#transports/cli/administration.ts';
import type { OperatorParts } from '#transports/cli/operator.ts';
import type { CommandContext, Terminal } from '#transports/cli/context.ts';
import { type CommandCaller, openAsker } from './ask.ts';
import { assertData, hasData, refuseRemote } from './local-data.ts';
import type { Store } from './store.ts';
import type { OnStop } from '#transports/cli/serve.ts';
import { VERSION } from './version.ts';

/** The parts of every command once its settings are read; each command loads its own code. */
export type Commands = ReturnType<typeof openCommands>;

/** The environment of a command line: settings, terminal, and the signals that end it. */
export type CommandEnvironment = {
  /** The settings; null for those of the process, which are read when a command runs. */
  readonly loaded: LoadedConfig | null;
  readonly terminal: Terminal;
  /** Creates a signal that fires when the user interrupts; called once there is something to interrupt. */
  readonly interruption: () => AbortSignal;
  /** Tells a service or a worker when to stop. */
  readonly onStop: OnStop;
  /** Makes files that the process creates from now on readable for its own user only, even in a shared folder. */
  readonly restrictFiles: () => void;
  /** Prompts the user for a secret. */
  readonly readSecret: (question: string) => Promise<string>;
};

type Context = Pick<CommandEnvironment, 'onStop' | 'restrictFiles' | 'readSecret' | 'interruption'> & {
  readonly settled: LoadedConfig;
  readonly asker: CommandCaller;
  readonly openNotified: () => Promise<Store>;
};

type CommandLoaders = Readonly<Record<string, () => Promise<RunAdministration>>>;

/** Reads the settings and opens the parts that commands need. Throws `OperatorError` if settings are invalid. */
export function openCommands(environment: CommandEnvironment, purpose: ConfigPurpose) {
  const { terminal, interruption } = environment;
  const settled = environment.loaded ?? loadConfig(undefined, undefined, purpose);
  const { config } = settled;
  const asker = openAsker({
    config,
    artifacts: settled.artifacts,
    shown: settled.settings,
    remote: settled.remote,
    terminal,
    interruption,
  });
  const context: Context = {
    onStop: environment.onStop,
    restrictFiles: environment.restrictFiles,
    readSecret: environment.readSecret,
    interruption,
    settled,
    asker,
    async openNotified() {
      const [{ openStore }, { writeNoticesTo }] = await Promise.all([
        import('./store.ts'),
        import('./local-engine.ts'),
      ]);
      return openStore(settled, writeNoticesTo(terminal));
    },
  };
  const administration: CommandLoaders = {
    ...buildServerCommands(context),
    ...buildOperatorCommands(context),
    ...buildUserCommands(context),
  };

  async function open(): Promise<CommandContext> {
    const [{ routedOperations }, { openClock }] = await Promise.all([import('./registry.ts'), import('./store.ts')]);
    return {
      ask: asker.ask,
      work: asker.work,
      isServed: asker.isServed,
      interrupted: asker.interrupted,
      operations: routedOperations,
      jobs: { submit: submitJob, show: showJob, result: showJobResult },
      place: describeLocation(await locateService(settled)),
      serveLine: toServeLine(settled),
      version: VERSION,
      terminal,
      now: () => openClock(config).now(),
      clock: SYSTEM_CLOCK,
    };
  }

  return { administration, open, close: async () => asker.close() };
}

/** The processes of a service. */
function buildServerCommands({ settled, onStop, restrictFiles }: Context): CommandLoaders {
  return {
    serve: async () =>
      (await import('#transports/cli/serve.ts')).createServeCommand(async (starting) => {
        restrictFiles();
        return (await import('./service.ts')).startService(settled, starting);
      }, onStop),
    worker: async () =>
      (await import('#transports/cli/serve.ts')).createWorkerCommand(async (starting) => {
        restrictFiles();
        return (await import('./worker.ts')).startWorkerProcess(settled, starting);
      }, onStop),
  };
}

/** The commands of the operator: on the data of this machine, or of the configured server. */
function buildOperatorCommands({ settled, asker, openNotified, interruption }: Context): CommandLoaders {
  const { remote } = settled;
  const ask: OperatorParts['ask'] = async (operation, raw) => asker.ask(operation, raw);
  const operatorKeys: OperatorParts['operatorKeys'] = () => {
    refuseRemote(
      settled,
      'operator keys can only be created on the machine with the data folder, so that no key can create others like it',
    );
    return async (wanted) => {
      const store = await openNotified();
      return store.registry.keys.create({ ...wanted, isOperator: true }).finally(async () => store.db.close());
    };
  };
  const archive = async () => (await import('./archive.ts')).openArchive(settled, interruption);
  return {
    keys: async () => (await import('#transports/cli/operator.ts')).createKeysCommand({ ask, operatorKeys }),
    console: async () => (await import('./console-link.ts')).openConsoleCommand(settled, openNotified),
    tenants: async () => (await import('#transports/cli/operator.ts')).createTenantsCommand({ ask }),
    backup: async () =>
      (await import('#transports/cli/backup.ts')).backupCommand(async (file, progress) => {
        if (remote !== null) {
          const { fetchBackup } = await import('./archive.ts');
          return fetchBackup(ask, file, { progress, signal: asker.interrupted() });
        }
        await assertData(settled.config, 'there is nothing to back up');
        return (await archive()).backUp(file, progress);
      }, SYSTEM_CLOCK),
    restore: async () =>
      (await import('#transports/cli/backup.ts')).restoreCommand(async (file, options) => {
        refuseRemote(
          settled,
          'a restore replaces all data, so no service may use them: stop the service and run the command on its machine',
        );
        return (await archive()).restore(file, options);
      }, SYSTEM_CLOCK),
    config: async () => {
      const { createConfigCommand, createServerConfigCommand } = await import('#transports/cli/config.ts');
      if (remote === null) return createConfigCommand(settled.settings);
      return createServerConfigCommand({
        url: remote.url,
        from: formatRemoteSource(remote),
        settings: listSettings,
        ask,
      });
    },
    doctor: async () => {
      const { openDoctor, openServerDoctor } = await import('./doctor.ts');
      return remote === null ? openDoctor(settled, openNotified) : openServerDoctor(remote, ask);
    },
  };
}

/** The other commands, which call operations. */
function buildUserCommands({ settled, asker, openNotified, readSecret }: Context): CommandLoaders {
  const { config, remote, loginFile } = settled;
  const ask: CommandContext['ask'] = async (operation, raw) => asker.ask(operation, raw);
  const login = {
    file: loginFile,
    remote,
    usage: showUsage,
    ask: async (server: Remote, operation: Operation, raw: unknown) =>
      (await import('#transports/cli/remote.ts')).callServer(server, operation, raw, asker.interrupted()),
    readSecret,
  };
  return {
    mcp: async () =>
      (await import('#transports/cli/mcp.ts')).createMcpCommand({
        ask: asker.ask,
        work: asker.work,
        interrupted: asker.interrupted,
        version: VERSION,
        operations: (await import('./registry.ts')).routedOperations,
      }),
    jobs: async () =>
      (await import('#transports/cli/export.ts')).createExportCommand({
        ask,
        interrupted: asker.interrupted,
        result: showJobResult,
        upload: async (...args) => (await import('#store/bucket.ts')).uploadObject(...args),
      }),
    webhooks: async () => (await import('#transports/cli/webhooks.ts')).createWebhooksCommand(asker.interrupted),
    sites: async () => openSites({ loaded: settled, openNotified, ask }),
    explain: async () => (await import('#transports/cli/explain.ts')).createExplainCommand({ operation: explain, ask }),
    login: async () => (await import('#transports/cli/login.ts')).createLoginCommand(login),
    logout: async () => (await import('#transports/cli/login.ts')).createLogoutCommand(login),
    status: async () =>
      (await import('#transports/cli/status.ts')).createStatusCommand({
        place: await locateService(settled),
        hasData: async () => remote !== null || hasData(config),
        version: VERSION,
        operations: { usage: showUsage, capabilities: showCapabilities, jobs: listJobs },
        ask,
        isServed: async () => asker.isServed(),
        serveLine: toServeLine(settled),
      }),
  };
}

type SiteParts = {
  readonly loaded: LoadedConfig;
  readonly openNotified: () => Promise<Store>;
  readonly ask: CommandContext['ask'];
};

async function openSites({ loaded, openNotified, ask }: SiteParts): Promise<RunAdministration> {
  const [{ createSitesCommand }, { endpoints }, { watchedEndpoints }, { listHealth }] = await Promise.all([
    import('#transports/cli/sites.ts'),
    import('./endpoints.ts'),
    import('./registry.ts'),
    import('#features/sites/health.ts'),
  ]);
  return createSitesCommand({
    endpoints,
    watched: watchedEndpoints,
    async listHealth() {
      refuseRemote(loaded, 'this one works on the data of its own machine only');
      // No service has run with this data folder yet.
      if (!(await hasData(loaded.config))) return [];
      const store = await openNotified();
      return listHealth(store.db).finally(async () => store.db.close());
    },
    ask,
    clock: SYSTEM_CLOCK,
    version: VERSION,
  });
}

/** Describes the server or folder that commands use, and the setting that decides it. */
async function locateService({ config, remote, settings, usesUserFolder }: LoadedConfig) {
  if (remote !== null) return { kind: 'server' as const, at: remote.url, from: formatRemoteSource(remote) };
  const { describePlace } = await import('./store.ts');
  const name = config.QUERN_DATABASE_URL === undefined ? 'QUERN_DATA_DIR' : 'QUERN_DATABASE_URL';
  const source = settings.find((one) => one.name === name)?.source ?? 'default';
  const kind = config.QUERN_DATABASE_URL === undefined ? ('folder' as const) : ('database' as const);
  const at = kind === 'folder' ? resolve(config.QUERN_DATA_DIR) : describePlace(config);
  const fallback = usesUserFolder && kind === 'folder' ? 'no service has data in ./data' : 'nothing else is set';
  return { kind, at, from: source === 'default' ? fallback : `${name} of the ${source}` };
}

/** The command line that starts a service on the data that commands use. */
function toServeLine({ config, usesUserFolder }: LoadedConfig): string {
  const isElsewhere = usesUserFolder && config.QUERN_DATABASE_URL === undefined;
  return isElsewhere ? `QUERN_DATA_DIR="${config.QUERN_DATA_DIR}" quern serve` : 'quern serve';
}

function describeLocation({ at, from }: Awaited<ReturnType<typeof locateService>>): string {
  return `${at} (${from})`;
}
