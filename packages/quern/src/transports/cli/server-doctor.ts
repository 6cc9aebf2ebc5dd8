import { z } from 'zod';
import type { Operation } from '#engine/call/operation.ts';
import { ServiceError } from '#kernel/errors.ts';
import { type CheckResultWithFix, LOW_DISK_BYTES } from './doctor.ts';
import type { OperationAnswer } from './parts.ts';

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
    says: 'the server does not answer as Quern does',
    fix: 'npx quern login URL',
  };
}
