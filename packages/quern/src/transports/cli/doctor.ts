import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname, resolve as resolvePath } from 'node:path';
import type { Fault } from '#access/proxy/proxy-fault.ts';
import type { ProxyCheck } from '#access/proxy/proxy-check.ts';
import type { ResolveName } from '#access/guard/resolver.ts';
import type { TierState, TierStates } from '#engine/call/instance.ts';
import type { Administer } from './administration.ts';
import { EXIT } from './exit.ts';
import { sentenceOf } from './failure.ts';
import { isGiven } from './spec.ts';

/** Below this much free space the next pages may not fit. */
export const LOW_DISK_BYTES = 1_000_000_000;
/** Failing proxies that are named. */
const NAMED_PROXIES = 3;
/** A host reserved by RFC 2606 that always exists. */
export const KNOWN_NAME = 'example.com';

export type DoctorParts = {
  readonly dataDir: string;
  /** The store and its location. */
  readonly store: string;
  /** The location of large results. */
  readonly artifacts: string;
  readonly tiers: () => TierStates;
  readonly model: TierState;
  /** Why browsers that are there do not start, a line for each. */
  readonly checkBrowsers: () => Promise<readonly string[]>;
  /** Why there are no data yet, null if there are. */
  readonly findLack: () => Promise<string | null>;
  /** Tries whether the place of the data can be written, and leaves nothing there. */
  readonly tryDataDir: () => Promise<void>;
  /** Opens, migrates, writes and closes the store. */
  readonly openStore: () => Promise<void>;
  /** Writes, reads and deletes in the place of large results. */
  readonly checkArtifacts: () => Promise<void>;
  readonly resolve: ResolveName;
  /** Asks the proxies of the settings for a connection. */
  readonly checkProxies: () => Promise<readonly ProxyCheck[]>;
};

/** The result of one check. A missing part names its consequence; a failed one prevents the service from running. */
type Finding = { readonly name: string; readonly state: 'ok' | 'missing' | 'failed'; readonly says: string };

/** A finding and the command that fixes it, null where nothing is to fix or no command does. */
export type Advised = Finding & { readonly fix: string | null };

/** `quern doctor`: what works, what is missing, what that costs, and the command for it. */
export function doctorCommand(examine: () => Promise<readonly Advised[]>): Administer {
  return async (given, { out }) => {
    const findings = await examine();
    if (isGiven(given, 'json')) out(`${JSON.stringify(findings, null, 2)}\n`);
    else for (const finding of findings) out(toLines(finding));
    return findings.some(({ state }) => state === 'failed') ? EXIT.failure : EXIT.ok;
  };
}

function toLines({ name, state, says, fix }: Advised): string {
  const line = `${state.padEnd(8)} ${name.padEnd(18)} ${says}\n`;
  return fix === null ? line : `${line}${' '.repeat(28)}-> ${fix}\n`;
}

const SETUP_BROWSER = 'npm run setup:browser';
const SET_DATACENTER = 'export QUERN_PROXIES_DATACENTER=http://USER:PASSWORD@HOST:PORT';
const SET_RESIDENTIAL = 'export QUERN_PROXIES_RESIDENTIAL=http://USER:PASSWORD@HOST:PORT';

/** The command for what is missing or failed, by the name of its check. */
const FIXES: Readonly<Record<string, string>> = {
  data: 'npx quern serve',
  disk: 'export QUERN_DATA_DIR=FOLDER-ON-A-LARGER-VOLUME',
  DNS: 'getent hosts example.com',
  browser: SETUP_BROWSER,
  'tier browser': SETUP_BROWSER,
  'tier proxy': SET_DATACENTER,
  'tier proxy_browser': SET_RESIDENTIAL,
  'proxies datacenter': SET_DATACENTER,
  'proxies residential': SET_RESIDENTIAL,
  model: 'export QUERN_MODEL_URL=http://127.0.0.1:11434/v1 QUERN_MODEL=NAME',
};

function fixOf({ name, state, says }: Finding): string | null {
  if (state === 'missing' && says.startsWith('QUERN_CHROMIUM is off')) return 'unset QUERN_CHROMIUM';
  return state === 'ok' || !Object.hasOwn(FIXES, name) ? null : (FIXES[name] ?? null);
}

/** The findings about this machine, by its settings. */
export async function examineMachine(parts: DoctorParts): Promise<readonly Advised[]> {
  const findings = await examineParts(parts);
  return findings.map((finding) => ({ ...finding, fix: fixOf(finding) }));
}

async function examineParts(parts: DoctorParts): Promise<readonly Finding[]> {
  const { dataDir, store, artifacts, model, openStore, checkArtifacts, resolve, checkProxies } = parts;
  const lack = await parts.findLack().catch(leaveToStore);
  const { node, sqlite } = process.versions;
  return [
    { name: 'runtime', state: 'ok', says: `Node ${node}, SQLite ${sqlite ?? 'missing'}` },
    ...(lack === null ? [] : [{ name: 'data', state: 'missing' as const, says: lack }]),
    await examinePart('store', store, lack === null ? openStore : parts.tryDataDir),
    ...(lack === null ? [await examinePart('results', artifacts, checkArtifacts)] : []),
    await examineDisk(dataDir),
    await examineDns(resolve),
    ...Object.entries(parts.tiers()).map(([tier, { available, reason }]): Finding => ({
      name: `tier ${tier}`,
      state: available ? 'ok' : 'missing',
      says: reason ?? 'ready',
    })),
    ...(await parts.checkBrowsers()).map((says): Finding => ({ name: 'browser', state: 'failed', says })),
    ...(await checkProxies()).map(toFinding),
    { name: 'model', state: model.available ? 'ok' : 'missing', says: model.reason ?? 'configured' },
  ];
}

async function examinePart(name: string, place: string, check: () => Promise<void>): Promise<Finding> {
  try {
    await check();
    return { name, state: 'ok', says: `${place} can be read and written` };
  } catch (error) {
    return { name, state: 'failed', says: sayOrThrow(error) };
  }
}

/** A place that cannot be looked at is a finding of the store. */
function leaveToStore(error: unknown): null {
  sayOrThrow(error);
  return null;
}

/** A bug is no finding. */
function sayOrThrow(error: unknown): string {
  const sentence = sentenceOf(error);
  if (sentence === null) throw error;
  return sentence;
}

async function examineDisk(dataDir: string): Promise<Finding> {
  try {
    const { bavail, bsize } = await statfs(findExisting(resolvePath(dataDir)));
    const free = bavail * bsize;
    const says = `${(free / 1e9).toFixed(1)} GB free`;
    if (free >= LOW_DISK_BYTES) return { name: 'disk', state: 'ok', says };
    return { name: 'disk', state: 'failed', says: `${says}: when it is full, work answers backend_unavailable` };
  } catch (error) {
    return { name: 'disk', state: 'failed', says: sayOrThrow(error) };
  }
}

/** The folder, or its nearest existing parent, which lies on the same volume. */
function findExisting(folder: string): string {
  return existsSync(folder) ? folder : findExisting(dirname(folder));
}

async function examineDns(resolve: ResolveName): Promise<Finding> {
  try {
    await resolve(KNOWN_NAME);
    return { name: 'DNS', state: 'ok', says: `${KNOWN_NAME} resolves` };
  } catch {
    const says = `${KNOWN_NAME} does not resolve: only addresses and names in QUERN_ALLOW_TARGETS can be fetched`;
    return { name: 'DNS', state: 'missing', says };
  }
}

const FAULTS: Readonly<Record<Fault, string>> = {
  proxy_unreachable: 'cannot be reached',
  proxy_auth: 'refuses its user or password',
  proxy_refused: 'does not connect to port 443 of example.com',
  proxy_malformed: 'does not speak its protocol',
  proxy_closed: 'closes without an answer',
  proxy_timeout: 'does not answer in time',
  proxy_failed: 'fails',
  exit_unreached: 'does not reach example.com',
};

/** Without any proxy that answers the tier is lost; without some, the others do their work. */
function toFinding({ setting, proxies, failing }: ProxyCheck): Finding {
  const name = setting.replace('QUERN_PROXIES_', 'proxies ').toLowerCase();
  if (failing.length === 0) return { name, state: 'ok', says: `${proxies} of ${proxies} connect` };
  const named = failing.slice(0, NAMED_PROXIES).map((one) => `${one.name} ${FAULTS[one.fault]}`);
  const more = failing.length > NAMED_PROXIES ? '; …' : '';
  const says = `${proxies - failing.length} of ${proxies} connect: ${named.join('; ')}${more}`;
  return { name, state: failing.length === proxies ? 'failed' : 'missing', says };
}
