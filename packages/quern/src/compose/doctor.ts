import { existsSync, rmdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import { createDnsResolver } from '#access/guard/resolver.ts';
import { describeModel } from '#engine/call/instance.ts';
import { showCapabilities } from '#features/account/capabilities.ts';
import { showUsage } from '#features/account/operations.ts';
import { showInstance } from '#features/admin/operations.ts';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import type { LoadedConfig } from '#kernel/config.ts';
import { createDataDir } from '#kernel/data-dir.ts';
import { type Remote, formatRemoteSource } from '#kernel/login.ts';
import type { RunAdministration } from '#transports/cli/administration.ts';
import {
  createDoctorCommand,
  type DoctorParts,
  checkMachine,
  TEST_HOST,
  checkServer,
  type ServerDoctorParts,
} from '#transports/cli/doctor.ts';
import { checkArtifacts, describeArtifacts } from './artifacts.ts';
import { checkBrowsers, describeMachine, findBrowserLimits } from './browser-setup.ts';
import { describeMissingData, hasData } from './local-data.ts';
import { describePlace, type Store } from './store.ts';
import { VERSION } from './version.ts';

/** Time limit for each proxy that `quern doctor` checks. */
const PROXY_CHECK_MS = 10_000;
/** Time limit for the response of a server. */
const SERVER_CHECK_MS = 10_000;

/** `quern doctor` for this machine and these settings. */
export function openDoctor(loaded: LoadedConfig, openStore: () => Promise<Store>): RunAdministration {
  const { config } = loaded;
  const parts: DoctorParts = {
    dataDir: config.QUERN_DATA_DIR,
    tiers: () => describeMachine(config),
    checkBrowsers: async () => checkBrowsers(config),
    findBrowserLimits: async () => findBrowserLimits(config),
    model: describeModel(config.QUERN_MODEL_URL === undefined ? 'missing' : 'there'),
    store: describePlace(config),
    artifacts: describeArtifacts(loaded.artifacts),
    findMissingData: async () => ((await hasData(config)) ? null : describeMissingData(config)),
    checkDataDir: async () => checkFolderWritable(resolve(config.QUERN_DATA_DIR)),
    openStore: async () => (await openStore()).db.close(),
    checkArtifacts: async () => checkArtifacts(loaded),
    resolve: createDnsResolver(null, SYSTEM_CLOCK),
    async checkProxies() {
      const { checkProxies } = await import('#access/proxy/proxy-check.ts');
      return checkProxies(config, {
        to: { host: TEST_HOST, port: 443 },
        timeoutMs: PROXY_CHECK_MS,
        clock: SYSTEM_CLOCK,
      });
    },
  };
  return createDoctorCommand(async () => checkMachine(parts));
}

/** `quern doctor` for the server that commands use. */
export function openServerDoctor(remote: Remote, ask: ServerDoctorParts['ask']): RunAdministration {
  const { url } = remote;
  return createDoctorCommand(async () =>
    checkServer({
      url,
      from: formatRemoteSource(remote),
      version: VERSION,
      findObstacle: async () => findObstacle(url),
      operations: { capabilities: showCapabilities, usage: showUsage, instance: showInstance },
      ask,
    }),
  );
}

const Refusal = z.looseObject({ error: z.looseObject({ message: z.string() }) });

async function findObstacle(url: string): Promise<string | null> {
  const ready = `${url}/readyz`;
  try {
    const answer = await fetch(ready, { signal: SYSTEM_CLOCK.deadline(SERVER_CHECK_MS) });
    if (answer.status === 200) return null;
    const refusal = Refusal.safeParse(await answer.json().catch(() => null));
    const why = refusal.success ? `: ${refusal.data.error.message}` : '';
    return `answers ${answer.status} at ${ready}${why}`;
  } catch {
    return 'does not answer';
  }
}

/** Creates a folder and deletes what it created. */
function checkFolderWritable(folder: string): void {
  const made = listMissingFolders(folder);
  createDataDir(folder);
  for (const one of made) rmdirSync(one);
}

/** The folders of a path that do not exist, the innermost first. */
function listMissingFolders(folder: string): readonly string[] {
  return existsSync(folder) ? [] : [folder, ...listMissingFolders(dirname(folder))];
}
