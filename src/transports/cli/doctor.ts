import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname, resolve as resolvePath } from 'node:path';
import type { Fault } from '#access/proxy/proxy-fault.ts';
import type { ProxyCheck } from '#access/proxy/proxy-check.ts';
import type { ResolveName } from '#access/guard/resolver.ts';
import type { TierState, TierStates } from '#engine/call/instance.ts';
import type { Administration } from './parts.ts';
import { EXIT } from './exit.ts';
import { sentenceOf } from './failure.ts';

/** Below this much free space the next pages may not fit. */
const LOW_DISK_BYTES = 1_000_000_000;
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

/** `quern doctor`: what works here, what is missing, and what that costs. */
export function doctorCommand(parts: DoctorParts): Administration {
  return {
    summary: 'check store, results, disk, DNS, runtime and access tiers',
    async run(args, { out }) {
      const findings = await examine(parts);
      if (args.includes('--json')) out(`${JSON.stringify(findings, null, 2)}\n`);
      else for (const { name, state, says } of findings) out(`${state.padEnd(8)} ${name.padEnd(18)} ${says}\n`);
      return findings.some(({ state }) => state === 'failed') ? EXIT.failure : EXIT.ok;
    },
  };
}

async function examine(parts: DoctorParts): Promise<readonly Finding[]> {
  const { dataDir, store, artifacts, model, openStore, checkArtifacts, resolve, checkProxies } = parts;
  const { node, sqlite } = process.versions;
  return [
    { name: 'runtime', state: 'ok', says: `Node ${node}, SQLite ${sqlite ?? 'missing'}` },
    await examinePart('store', store, openStore),
    await examinePart('results', artifacts, checkArtifacts),
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
