import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname, resolve as resolvePath } from 'node:path';
import { z } from 'zod';
import type { BrowserLimit } from '#access/browser/limits.ts';
import type { ResolveName } from '#access/guard/resolver.ts';
import type { ProxyCheck } from '#access/proxy/proxy-check.ts';
import type { ProxyFault } from '#access/proxy/proxy-fault.ts';
import type { TierState, TierStates } from '#engine/call/instance.ts';
import type { Operation } from '#engine/call/operation.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { RunAdministration } from './administration.ts';
import { EXIT } from './exit.ts';
import { describeOperatorError } from './failure.ts';
import type { OperationAnswer } from './context.ts';
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
  readonly findBrowserLimits: () => Promise<readonly BrowserLimit[]>;
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
  return async (args, { out }) => {
    const findings = await examine();
    if (hasFlag(args, 'json')) out(`${JSON.stringify(findings, null, 2)}\n`);
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
  'light browser': SETUP_BROWSER,
  'full browser': SETUP_BROWSER,
  'CJK fonts': 'apt-get install fonts-noto-cjk',
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
    ...(await parts.findBrowserLimits()).map((name): CheckResult => ({
      name,
      state: 'missing',
      says: `${BROWSER_LIMITS[name]}; the container image with a tag that ends in -full has both browsers and all fonts`,
    })),
    ...(await checkProxies()).map(toProxyResult),
    { name: 'model', state: model.available ? 'ok' : 'missing', says: model.reason ?? 'configured' },
  ];
}

/** What the service does without each part. */
const BROWSER_LIMITS: Readonly<Record<BrowserLimit, string>> = {
  'light browser': 'the full Chromium loads every page, which takes about twice the processor time',
  'full browser': 'sites that refuse the headless shell stay blocked',
  'CJK fonts': 'screenshots and PDFs show boxes in place of Chinese, Japanese or Korean',
};

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
  proxy_auth: 'rejects its user or password',
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

const Capability = z.looseObject({ available: z.boolean(), reason: z.string().optional() });
const Capabilities = z.looseObject({
  version: z.string(),
  tiers: z.record(z.string(), Capability),
  model: Capability,
  search: Capability.optional(),
});
const Balance = z.looseObject({ plan: z.string(), credits_remaining: z.number().nullable() });
const InstanceState = z.looseObject({
  store: z.looseObject({ kind: z.string(), bytes: z.number() }),
  disk: z.looseObject({ data_dir: z.string(), free_bytes: z.number() }).nullable(),
});

/** What `quern doctor` needs to check a server. */
export type ServerDoctorParts = {
  readonly url: string;
  /** What selected the server: a setting or a login. */
  readonly from: string;
  /** The version of this command. */
  readonly version: string;
  /** Returns why the server is not ready; null if it is. */
  readonly findObstacle: () => Promise<string | null>;
  readonly operations: { readonly capabilities: Operation; readonly usage: Operation; readonly instance: Operation };
  readonly ask: (operation: Operation, raw: unknown) => Promise<OperationAnswer>;
};

/** Checks the server that commands go to, as far as the key permits. */
export async function checkServer(parts: ServerDoctorParts): Promise<readonly CheckResultWithFix[]> {
  const { url, from, version, findObstacle } = parts;
  const place = `commands go to ${url} (${from})`;
  const obstacle = await findObstacle();
  const server = { name: 'server', state: obstacle === null ? ('ok' as const) : ('failed' as const) };
  const fix = obstacle === null ? null : 'npx quern login URL';
  const findings = [
    { ...server, says: `${place}, which ${obstacle ?? 'is ready'}`, fix },
    {
      name: 'runtime',
      state: 'ok' as const,
      says: `this command is Quern ${version} on Node ${process.versions.node}`,
      fix: null,
    },
  ];
  try {
    return [...findings, ...(await checkKey(parts)), ...(await checkCapabilities(parts)), ...(await checkData(parts))];
  } catch (error) {
    return [...findings, toKeyResult(error)];
  }
}

async function checkKey({ ask, operations }: ServerDoctorParts): Promise<readonly CheckResultWithFix[]> {
  const { plan, credits_remaining: left } = Balance.parse((await ask(operations.usage, {})).body);
  const says = `plan ${plan}, ${left === null ? 'unlimited credits' : `${left} credits left`}`;
  return [left === 0 ? { name: 'key', state: 'failed', says, fix: null } : toOkResult('key', says)];
}

async function checkCapabilities({
  ask,
  operations,
  version,
}: ServerDoctorParts): Promise<readonly CheckResultWithFix[]> {
  const read = Capabilities.parse((await ask(operations.capabilities, {})).body);
  const isSame = read.version === version;
  return [
    toOkResult('version', isSame ? `Quern ${version}` : `Quern ${read.version}, and this command is ${version}`),
    ...Object.entries(read.tiers).map(([tier, state]) => toCapabilityResult(`tier ${tier}`, state)),
    toCapabilityResult('model', read.model),
    ...(read.search === undefined ? [] : [toCapabilityResult('search', read.search)]),
  ];
}

/** Checks store and disk, which only operators may read. */
async function checkData({ ask, operations }: ServerDoctorParts): Promise<readonly CheckResultWithFix[]> {
  try {
    const { store, disk } = InstanceState.parse((await ask(operations.instance, {})).body);
    const findings = [toOkResult('store', `${store.kind}, ${formatGigabytes(store.bytes)}`)];
    if (disk === null) return findings;
    const says = `${formatGigabytes(disk.free_bytes)} free in ${disk.data_dir}`;
    if (disk.free_bytes >= LOW_DISK_BYTES) return [...findings, toOkResult('disk', says)];
    return [
      ...findings,
      { name: 'disk', state: 'failed', says: `${says}: when it is full, work answers backend_unavailable`, fix: null },
    ];
  } catch (error) {
    if (!(error instanceof ServiceError) || (error.code !== 'operator_key_required' && error.code !== 'not_found'))
      throw error;
    const why =
      error.code === 'not_found' ? 'this older server does not report them' : 'only an operator key may read them';
    return [
      {
        name: 'store and disk',
        state: 'missing',
        says: `${why}; quern doctor on the machine of the server shows them`,
        fix: null,
      },
    ];
  }
}

function toCapabilityResult(name: string, { available, reason }: z.output<typeof Capability>): CheckResultWithFix {
  return { name, state: available ? 'ok' : 'missing', says: reason ?? 'ready', fix: null };
}

function toOkResult(name: string, says: string): CheckResultWithFix {
  return { name, state: 'ok', says, fix: null };
}

function formatGigabytes(bytes: number): string {
  return `${(bytes / 1e9).toFixed(1)} GB`;
}

/** Converts the error of a failed call to a result. */
function toKeyResult(error: unknown): CheckResultWithFix {
  if (error instanceof ServiceError) {
    return { name: 'key', state: 'failed', says: `${error.code}: ${error.message}`, fix: 'npx quern login URL' };
  }
  if (!(error instanceof z.ZodError)) throw error;
  return {
    name: 'version',
    state: 'failed',
    says: 'the server is not a Quern server, or has an incompatible version',
    fix: 'npx quern login URL',
  };
}
