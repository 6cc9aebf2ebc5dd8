import { parseArgs } from 'node:util';
import type { Keys, ListedKey } from '#engine/identity/keys.ts';
import { demandPlan } from '#engine/identity/plans.ts';
import type { Plans } from '#engine/identity/plans.ts';
import type { Tenants } from '#engine/credits/tenants.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { Administration, Terminal } from './parts.ts';
import { EXIT } from './exit.ts';
import { printTable } from './table.ts';

/** The parts of the store that the operator's commands work on. */
export type Registry = { readonly keys: Keys; readonly tenants: Tenants; readonly plans: Plans };

/** Opens the store for one command and closes it after. */
export type WithRegistry = <T>(work: (registry: Registry) => Promise<T>) => Promise<T>;

const OPTIONS = {
  plan: { type: 'string' },
  tenant: { type: 'string' },
  name: { type: 'string' },
  operator: { type: 'boolean' },
  json: { type: 'boolean' },
} as const;

/** `quern keys create | list | revoke | rotate`. */
export function keysCommand(withRegistry: WithRegistry): Administration {
  return {
    summary: 'create --plan PLAN [--name N] [--tenant TEN] [--operator], list, revoke KEY_ID, rotate KEY_ID',
    async run(args, terminal) {
      const { values, positionals } = readArgs(args);
      const [verb, keyId] = positionals;
      if (verb === 'create') {
        const made = await withRegistry(async (registry) => create(registry, values));
        printKey(made, { terminal, json: values.json === true });
      } else if (verb === 'list') {
        const rows = await withRegistry(async ({ keys }) => keys.list());
        const json = values.json === true;
        printTable(json ? rows : rows.map(toShortRow), { terminal, json });
      } else if (verb === 'revoke' && keyId !== undefined) {
        await withRegistry(async ({ keys }) => keys.revoke(keyId));
        terminal.note(`quern: ${keyId} is revoked`);
      } else if (verb === 'rotate' && keyId !== undefined) {
        const made = await withRegistry(async (registry) => rotate(registry, keyId));
        printKey(made, { terminal, json: values.json === true });
      } else {
        throw new ServiceError('invalid_request', 'quern keys create | list | revoke KEY_ID | rotate KEY_ID');
      }
      return EXIT.ok;
    },
  };
}

/** The columns of a key that fit a terminal; `--json` has all. */
function toShortRow({ id, tenant_id, name, created_at, revoked_at }: ListedKey) {
  return { id, tenant_id, name, created_at, revoked_at };
}

type NewKeyLine = {
  readonly tenant: string;
  readonly key: string;
  readonly key_id: string;
  readonly plan: string;
};

type Chosen = {
  readonly plan?: string;
  readonly tenant?: string;
  readonly name?: string;
  readonly operator?: boolean;
};

async function create(
  { keys, tenants, plans }: Registry,
  { plan, tenant, name, operator: isOperator = false }: Chosen,
): Promise<NewKeyLine> {
  if ((plan === undefined) === (tenant === undefined)) {
    throw new ServiceError('invalid_request', 'give --plan for a new tenant, or --tenant for a further key of one');
  }
  const chosen = tenant === undefined ? demandPlan(plans, plan ?? '').name : (await tenants.demand(tenant)).plan;
  const owner = tenant ?? (await tenants.create(name ?? chosen, chosen));
  const { key, keyId } = await keys.make({ tenant: owner, name: name ?? 'key', isOperator });
  return { tenant: owner, key, key_id: keyId, plan: chosen };
}

async function rotate({ keys, tenants }: Registry, old: string): Promise<NewKeyLine> {
  const { tenant, key, keyId } = await keys.rotate(old);
  const { plan } = await tenants.demand(tenant);
  return { tenant, key, key_id: keyId, plan };
}

function printKey(line: NewKeyLine, { terminal, json }: { readonly terminal: Terminal; readonly json: boolean }): void {
  if (json) {
    terminal.out(`${JSON.stringify(line)}\n`);
    return;
  }
  terminal.out(`${line.key}\n`);
  terminal.note(`quern: key ${line.key_id} of tenant ${line.tenant}; it is shown this once`);
}

function readArgs(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true, strict: true });
  } catch (error) {
    throw new ServiceError('invalid_request', error instanceof Error ? error.message : String(error), { cause: error });
  }
}
