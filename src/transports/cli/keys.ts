import type { Keys, ListedKey } from '#engine/identity/keys.ts';
import { demandPlan } from '#engine/identity/plans.ts';
import type { Plans } from '#engine/identity/plans.ts';
import type { Tenants } from '#engine/credits/tenants.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { Administer } from './administration.ts';
import { EXIT } from './exit.ts';
import type { Terminal } from './parts.ts';
import { demandValue, flagText, isGiven } from './spec.ts';
import type { Given } from './spec.ts';
import { printTable } from './table.ts';

/** The parts of the store that the operator's commands work on. */
export type Registry = { readonly keys: Keys; readonly tenants: Tenants; readonly plans: Plans };

/** Opens the store for one command and closes it after. */
export type WithRegistry = <T>(work: (registry: Registry) => Promise<T>) => Promise<T>;

/** `quern keys create | list | revoke | rotate`. */
export function keysCommand(withRegistry: WithRegistry): Administer {
  return async (given, terminal, [, verb]) => {
    const json = isGiven(given, 'json');
    if (verb === 'list') {
      const rows = await withRegistry(async ({ keys }) => keys.list());
      printTable(json ? rows : rows.map(toShortRow), { terminal, json });
      return EXIT.ok;
    }
    if (verb === 'create') {
      printKey(await withRegistry(async (registry) => create(registry, given)), { terminal, json });
      return EXIT.ok;
    }
    const keyId = demandValue(given, 0, 'KEY_ID');
    if (verb === 'rotate') {
      printKey(await withRegistry(async (registry) => rotate(registry, keyId)), { terminal, json });
      return EXIT.ok;
    }
    await withRegistry(async ({ keys }) => keys.revoke(keyId));
    if (json) terminal.out(`${JSON.stringify({ key_id: keyId, revoked: true })}\n`);
    terminal.note(`quern: ${keyId} is revoked`);
    return EXIT.ok;
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

async function create({ keys, tenants, plans }: Registry, given: Given): Promise<NewKeyLine> {
  const [plan, tenant, name] = ['plan', 'tenant', 'name'].map((flag) => flagText(given, flag));
  const isOperator = isGiven(given, 'operator');
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
