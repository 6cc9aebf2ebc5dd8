import { OperatorError } from '#kernel/errors.ts';
import { accessSync, constants } from 'node:fs';
import { dirname } from 'node:path';
import type { Logger } from 'pino';
import { type BrowserLimit, listBrowserLimits } from '#access/browser/limits.ts';
import {
  listStartFaults,
  findOrInstallBrowsers,
  type InstallOptions,
  listInstallMethods,
} from '#access/browser/install.ts';
import { describeTiers, type TierStates } from '#engine/call/instance.ts';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import { type Config, buildChildEnvironment } from '#kernel/config.ts';
import { isSetupRunning, type Lock, lockSetup } from '#store/locks.ts';
import { BROWSER_FOLDERS, findConfiguredBrowsers, type BrowserAccess } from './browsers.ts';
import { listTiers } from './version.ts';

/** The search for browsers on a machine, and the ways to install some. */
export type BrowserSources = Pick<InstallOptions, 'findBrowsers' | 'methods' | 'clock'>;

/** Interval at which a process checks whether another one has installed browsers. */
const LOOK_MS = 3_000;

/** Creates the browser setup of this machine with these settings. `system` allows installing system packages. */
export function findBrowserSources(config: Pick<Config, 'QUERN_CHROMIUM'>, { system = false } = {}): BrowserSources {
  const [beside, ofUser] = BROWSER_FOLDERS;
  const ways = listInstallMethods({
    platform: `${process.platform}-${process.arch}`,
    isRoot: process.getuid?.() === 0,
    folder: isWritable(dirname(beside)) ? beside : ofUser,
    system,
  });
  return { findBrowsers: () => findConfiguredBrowsers(config), methods: ways, clock: SYSTEM_CLOCK };
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

export type BrowserSetupParts = {
  readonly market: BrowserSources;
  readonly browsing: BrowserAccess;
  /** Only one process that uses this folder installs browsers at a time. */
  readonly dataDir: string;
  readonly log: Logger;
};

/**
 * Installs browsers in the background if there are none and the settings allow it, and then passes them to the service.
 * Closing ends the installation.
 */
export function startBrowserSetup(parts: BrowserSetupParts): { readonly close: () => Promise<void> } {
  const { browsing, log } = parts;
  const closing = new AbortController();
  const done = needsBrowser(browsing)
    ? installBrowsers(parts, closing.signal).catch((error: unknown) => {
        if (closing.signal.aborted) return;
        browsing.explain('unobtainable');
        log.warn({ err: error }, 'no browser could be installed');
      })
    : Promise.resolve();
  return {
    async close() {
      closing.abort();
      await done;
    },
  };
}

/** Whether a browser is wanted and missing. */
export function needsBrowser(browsing: Pick<BrowserAccess, 'binaries' | 'lack'>): boolean {
  return browsing.binaries() === null && browsing.lack() !== 'off';
}

async function installBrowsers(
  { market, browsing, dataDir, log }: BrowserSetupParts,
  signal: AbortSignal,
): Promise<void> {
  browsing.explain('awaited');
  const lock = await waitForTurn(dataDir, signal);
  try {
    const say = (line: string): void => log.info({ from: 'setup:browser' }, line);
    const found = await findOrInstallBrowsers(
      {
        findBrowsers: market.findBrowsers,
        methods: market.methods,
        clock: market.clock,
        wanted: 'any',
        environment: buildChildEnvironment(),
        onLine: say,
      },
      signal,
    );
    if (found === null)
      throw new OperatorError('no browser could be installed; npm run setup:browser -- --system installs packages');
    browsing.look();
    log.info(`the browser tier is ready: ${found.shell.path}, ${found.full.path}`);
  } finally {
    lock.release();
  }
}

/** Waits for the lock. After waiting, the browsers that another process installed are found. */
async function waitForTurn(dataDir: string, signal: AbortSignal): Promise<Lock> {
  for (;;) {
    const lock = lockSetup(dataDir);
    if (lock !== null) return lock;
    await SYSTEM_CLOCK.sleep(LOOK_MS, signal);
  }
}

/** The tiers that a service of this machine and these settings would have. */
export function describeMachine(config: Config): TierStates {
  const lack = isSetupRunning(config.QUERN_DATA_DIR) ? 'awaited' : 'missing';
  return describeTiers(
    listTiers(config, findConfiguredBrowsers(config)),
    config.QUERN_CHROMIUM === 'off' ? 'off' : lack,
  );
}

/** The reasons why browsers of this machine do not start, one line each. */
export async function checkBrowsers(config: Config): Promise<readonly string[]> {
  const found = findConfiguredBrowsers(config);
  return found === null ? [] : listStartFaults(found);
}

/** What the browsers of this machine do without; empty if there are none. */
export async function findBrowserLimits(config: Config): Promise<readonly BrowserLimit[]> {
  const found = findConfiguredBrowsers(config);
  return found === null ? [] : listBrowserLimits(found, { isChosen: config.QUERN_CHROMIUM !== undefined });
}
