import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname, resolve as resolvePath } from 'node:path';
import type { ProxyFault } from '#access/proxy/proxy-fault.ts';
import type { ProxyCheck } from '#access/proxy/proxy-check.ts';
import type { ResolveName } from '#access/guard/resolver.ts';
import type { TierState, TierStates } from '#engine/call/instance.ts';
import type { RunAdministration } from './administration.ts';
import { EXIT } from './exit.ts';
import { describeOperatorError } from './failure.ts';
import { hasFlag } from './spec.ts';

/** The disk check fails below this much free space. */
export const LOW_DISK_BYTES = 1_000_000_000;
/** How many failing proxies are listed. */
const MAX_NAMED_PROXIES = 3;
/** A host reserved by RFC 2606, which always resolves. */
export const TEST_HOST = 'example.com';

/** What `quern doctor` needs to check this machine. */
export type DoctorParts = {
  readonly dataDir: string;
  /** The store and its location. */
  readonly store: string;
  /** The location of large results. */
  readonly artifacts: string;
  readonly tiers: () => TierStates;
  readonly model: TierState;
  /** Returns why installed browsers do not start, one line for each. */
  readonly checkBrowsers: () => Promise<readonly string[]>;
  /** Returns why there is no data yet; null if there is. */
  readonly findMissingData: () => Promise<string | null>;
  /** Checks that the data folder can be written; leaves nothing behind. */
  readonly checkDataDir: () => Promise<void>;
  /** Opens, migrates, writes and closes the store. */
  readonly openStore: () => Promise<void>;
  /** Writes, reads and deletes a file where large results are stored. */
  readonly checkArtifacts: () => Promise<void>;
  readonly resolve: ResolveName;
  /** Connects through each configured proxy. */
  readonly checkProxies: () => Promise<readonly ProxyCheck[]>;
};

/** The result of one check. `missing` means that a feature is unavailable, `failed` that something must be fixed. */
type CheckResult = { readonly name: string; readonly state: 'ok' | 'missing' | 'failed'; readonly says: string };

/** A result and the command that fixes it; null if nothing needs fixing or no command does. */
export type CheckResultWithFix = CheckResult & { readonly fix: string | null };

/** `quern doctor`: prints what works, what is missing or failed, and the command that fixes it. */
export function createDoctorCommand(examine: () => Promise<readonly CheckResultWithFix[]>): RunAdministration {
  return async (given, { out }) => {
    const findings = await examine();
    if (hasFlag(given, 'json')) out(`${JSON.stringify(findings, null, 2)}\n`);
    else for (const finding of findings) out(formatResult(finding));
    return findings.some(({ state }) => state === 'failed') ? EXIT.failure : EXIT.ok;
  };
}

function formatResult({ name, state, says, fix }: CheckResultWithFix): string {
  const line = `${state.padEnd(8)} ${name.padEnd(18)} ${says}\n`;
  return fix === null ? line : `${line}${' '.repeat(28)}-> ${fix}\n`;
}

const SETUP_BROWSER = 'npm run setup:browser';
const SET_DATACENTER_PROXIES = 'export QUERN_PROXIES_DATACENTER=http://USER:PASSWORD@HOST:PORT';
const SET_RESIDENTIAL_PROXIES = 'export QUERN_PROXIES_RESIDENTIAL=http://USER:PASSWORD@HOST:PORT';

/** Commands that fix a missing or failed part, by the name of the check. */
const FIXES: Readonly<Record<string, string>> = {
  data: 'npx quern serve',
  disk: 'export QUERN_DATA_DIR=FOLDER-ON-A-LARGER-VOLUME',
  DNS: 'getent hosts example.com',
  browser: SETUP_BROWSER,
  'tier browser': SETUP_BROWSER,
  'tier proxy': SET_DATACENTER_PROXIES,
  'tier proxy_browser': SET_RESIDENTIAL_PROXIES,
  'proxies datacenter': SET_DATACENTER_PROXIES,
  'proxies residential': SET_RESIDENTIAL_PROXIES,
  model: 'export QUERN_MODEL_URL=http://127.0.0.1:11434/v1 QUERN_MODEL=NAME',
};

function chooseFix({ name, state, says }: CheckResult): string | null {
  if (state === 'missing' && says.startsWith('QUERN_CHROMIUM is off')) return 'unset QUERN_CHROMIUM';
  return state === 'ok' || !Object.hasOwn(FIXES, name) ? null : (FIXES[name] ?? null);
}

/** Runs all checks of this machine. */
export async function checkMachine(parts: DoctorParts): Promise<readonly CheckResultWithFix[]> {
  const findings = await runChecks(parts);
  return findings.map((finding) => ({ ...finding, fix: chooseFix(finding) }));
}

async function runChecks(parts: DoctorParts): Promise<readonly CheckResult[]> {
  const { dataDir, store, artifacts, model, openStore, checkArtifacts, resolve, checkProxies } = parts;
  const lack = await parts.findMissingData().catch(ignoreSystemError);
  const { node, sqlite } = process.versions;
  return [
    { name: 'runtime', state: 'ok', says: `Node ${node}, SQLite ${sqlite ?? 'missing'}` },
    ...(lack === null ? [] : [{ name: 'data', state: 'missing' as const, says: lack }]),
    await checkPart('store', store, lack === null ? openStore : parts.checkDataDir),
    ...(lack === null ? [await checkPart('results', artifacts, checkArtifacts)] : []),
    await checkDisk(dataDir),
    await checkDns(resolve),
    ...Object.entries(parts.tiers()).map(([tier, { available, reason }]): CheckResult => ({
      name: `tier ${tier}`,
      state: available ? 'ok' : 'missing',
      says: reason ?? 'ready',
    })),
    ...(await parts.checkBrowsers()).map((says): CheckResult => ({ name: 'browser', state: 'failed', says })),
    ...(await checkProxies()).map(toProxyResult),
    { name: 'model', state: model.available ? 'ok' : 'missing', says: model.reason ?? 'configured' },
  ];
}

async function checkPart(name: string, place: string, check: () => Promise<void>): Promise<CheckResult> {
  try {
    await check();
    return { name, state: 'ok', says: `${place} can be read and written` };
  } catch (error) {
    return { name, state: 'failed', says: describeOrThrow(error) };
  }
}

/** Ignores a system error, which the check of the store reports again. */
function ignoreSystemError(error: unknown): null {
  describeOrThrow(error);
  return null;
}

/** Returns the message of an operator error; rethrows anything else, which is a bug. */
function describeOrThrow(error: unknown): string {
  const sentence = describeOperatorError(error);
  if (sentence === null) throw error;
  return sentence;
}

async function checkDisk(dataDir: string): Promise<CheckResult> {
  try {
    const { bavail, bsize } = await statfs(findExistingFolder(resolvePath(dataDir)));
    const free = bavail * bsize;
    const says = `${(free / 1e9).toFixed(1)} GB free`;
    if (free >= LOW_DISK_BYTES) return { name: 'disk', state: 'ok', says };
    return { name: 'disk', state: 'failed', says: `${says}: when it is full, work answers backend_unavailable` };
  } catch (error) {
    return { name: 'disk', state: 'failed', says: describeOrThrow(error) };
  }
}

/** Returns the folder or its nearest existing parent, which is on the same volume. */
function findExistingFolder(folder: string): string {
  return existsSync(folder) ? folder : findExistingFolder(dirname(folder));
}

async function checkDns(resolve: ResolveName): Promise<CheckResult> {
  try {
    await resolve(TEST_HOST);
    return { name: 'DNS', state: 'ok', says: `${TEST_HOST} resolves` };
  } catch {
    const says = `${TEST_HOST} does not resolve: only addresses and names in QUERN_ALLOW_TARGETS can be fetched`;
    return { name: 'DNS', state: 'missing', says };
  }
}

const FAULT_MEANINGS: Readonly<Record<ProxyFault, string>> = {
  proxy_unreachable: 'cannot be reached',
  proxy_auth: 'refuses its user or password',
  proxy_refused: 'does not connect to port 443 of example.com',
  proxy_malformed: 'does not speak its protocol',
  proxy_closed: 'closes without an answer',
  proxy_timeout: 'does not answer in time',
  proxy_failed: 'fails',
  exit_unreached: 'does not reach example.com',
};

/** Converts a proxy check: failed if no proxy works, missing if only some work. */
function toProxyResult({ setting, proxies, failing }: ProxyCheck): CheckResult {
  const name = setting.replace('QUERN_PROXIES_', 'proxies ').toLowerCase();
  if (failing.length === 0) return { name, state: 'ok', says: `${proxies} of ${proxies} connect` };
  const named = failing.slice(0, MAX_NAMED_PROXIES).map((one) => `${one.name} ${FAULT_MEANINGS[one.fault]}`);
  const more = failing.length > MAX_NAMED_PROXIES ? '; …' : '';
  const says = `${proxies - failing.length} of ${proxies} connect: ${named.join('; ')}${more}`;
  return { name, state: failing.length === proxies ? 'failed' : 'missing', says };
}
