import { existsSync, rmdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { openDnsResolver } from '#access/guard/resolver.ts';
import { describeModel } from '#engine/call/instance.ts';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import type { Loaded } from '#kernel/config.ts';
import { prepareDataDir } from '#kernel/data-dir.ts';
import { sourceOf } from '#kernel/login.ts';
import type { Administer } from '#transports/cli/administration.ts';
import { doctorCommand, KNOWN_NAME } from '#transports/cli/doctor.ts';
import type { Finding } from '#transports/cli/doctor.ts';
import { checkArtifacts, describeArtifacts } from './artifacts.ts';
import { checkBrowsers, describeMachine } from './browser-setup.ts';
import { describeLack, hasData } from './own-store.ts';
import { describePlace } from './store.ts';
import type { Store } from './store.ts';

/** Time for each proxy that `quern doctor` checks. */
const PROXY_CHECK_MS = 10_000;
/** Time for the answer of a server. */
const SERVER_CHECK_MS = 10_000;

/** `quern doctor` for this machine and these settings. */
export function openDoctor(loaded: Loaded, openStore: () => Promise<Store>): Administer {
  const { config } = loaded;
  return doctorCommand({
    dataDir: config.QUERN_DATA_DIR,
    tiers: () => describeMachine(config),
    checkBrowsers: async () => checkBrowsers(config),
    model: describeModel(config.QUERN_MODEL_URL === undefined ? 'missing' : 'there'),
    store: describePlace(config),
    artifacts: describeArtifacts(loaded.artifacts),
    checkServer: async () => checkServer(loaded),
    findLack: async () => ((await hasData(config)) ? null : describeLack(config)),
    tryDataDir: async () => tryFolder(resolve(config.QUERN_DATA_DIR)),
    openStore: async () => (await openStore()).db.close(),
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
}

async function checkServer({ remote }: Loaded): Promise<readonly Finding[]> {
  if (remote === null) return [];
  const { url } = remote;
  const from = sourceOf(remote);
  const ready = `${url}/readyz`;
  try {
    const { status } = await fetch(ready, { signal: SYSTEM_CLOCK.deadline(SERVER_CHECK_MS) });
    const says = `commands go to ${url} (${from}), which ${status === 200 ? 'is ready' : `answers ${status} at ${ready}`}`;
    return [{ name: 'server', state: status === 200 ? 'ok' : 'failed', says }];
  } catch {
    return [{ name: 'server', state: 'failed', says: `commands go to ${url} (${from}), which does not answer` }];
  }
}

/** Makes a folder and deletes what it made. */
function tryFolder(folder: string): void {
  const made = missingOf(folder);
  prepareDataDir(folder);
  for (const one of made) rmdirSync(one);
}

/** The folders of a path that do not exist, the innermost first. */
function missingOf(folder: string): readonly string[] {
  return existsSync(folder) ? [] : [folder, ...missingOf(dirname(folder))];
}
