import { z } from 'zod';
import {
  createKey,
  createTenantOperation,
  listAllKeys,
  revokeKey,
  rotateKey,
  showTenant,
} from '#features/admin/operations.ts';
import { KeyView, NewKeyView, TenantView } from '#features/admin/schema.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { RunAdministration } from './administration.ts';
import { EXIT } from './exit.ts';
import { listAll, type OperatorParts, type PrintOptions } from './operator.ts';
import { getArgument, getFlag, type CommandArguments, hasFlag } from './spec.ts';
import { printTable } from './table.ts';

/** `quern keys create | list | revoke | rotate`. */
export function createKeysCommand(parts: OperatorParts): RunAdministration {
  const { ask } = parts;
  return async (given, terminal, [, verb]) => {
    const json = hasFlag(given, 'json');
    if (verb === 'list') {
      const rows = z.array(KeyView).parse(await listAll(ask, listAllKeys));
      printTable(json ? rows : rows.map(toKeyRow), { terminal, json });
      return EXIT.ok;
    }
    if (verb === 'create') {
      printKey(await runCreate(parts, given), { terminal, json });
      return EXIT.ok;
    }
    const keyId = getArgument(given, 0, 'KEY_ID');
    if (verb === 'rotate') {
      const { body } = await ask(rotateKey, { id: keyId });
      printKey(await buildKeyLine(parts, NewKeyView.parse(body)), { terminal, json });
      return EXIT.ok;
    }
    await ask(revokeKey, { id: keyId });
    if (json) terminal.out(`${JSON.stringify({ key_id: keyId, revoked: true })}\n`);
    terminal.note(`quern: ${keyId} is revoked`);
    return EXIT.ok;
  };
}

/** Picks the columns of a key that fit a terminal; `--json` prints all. */
function toKeyRow({ id, tenant_id, name, created_at, revoked_at }: z.output<typeof KeyView>) {
  return { id, tenant_id, name, created_at, revoked_at };
}

type NewKeyLine = {
  readonly tenant: string;
  readonly key: string;
  readonly key_id: string;
  readonly plan: string;
};

async function runCreate(parts: OperatorParts, given: CommandArguments): Promise<NewKeyLine> {
  const { ask, operatorKeys } = parts;
  const [plan, tenant, name] = ['plan', 'tenant', 'name'].map((flag) => getFlag(given, flag));
  if ((plan === undefined) === (tenant === undefined)) {
    throw new ServiceError('invalid_request', 'give --plan for a new tenant, or --tenant for a further key of one');
  }
  const addOperatorKey = hasFlag(given, 'operator') ? operatorKeys() : null;
  const owner = tenant ?? (await createTenant(ask, { name: name ?? plan, plan }));
  if (addOperatorKey !== null) {
    // Fails for an unknown tenant before a key is created.
    await ask(showTenant, { id: owner });
    const { key, keyId } = await addOperatorKey({ tenant: owner, name: name ?? 'key' });
    return buildKeyLine(parts, { id: keyId, tenant_id: owner, key });
  }
  const { body } = await ask(createKey, { id: owner, ...(name === undefined ? {} : { name }) });
  return buildKeyLine(parts, NewKeyView.parse(body));
}

async function createTenant(ask: OperatorParts['ask'], raw: unknown): Promise<string> {
  const { body } = await ask(createTenantOperation, raw);
  return TenantView.pick({ id: true }).parse(body).id;
}

async function buildKeyLine(
  { ask }: OperatorParts,
  { id, tenant_id: tenant, key }: Pick<z.output<typeof NewKeyView>, 'id' | 'tenant_id' | 'key'>,
): Promise<NewKeyLine> {
  const { body } = await ask(showTenant, { id: tenant });
  return { tenant, key, key_id: id, plan: TenantView.pick({ plan: true }).parse(body).plan };
}

function printKey(line: NewKeyLine, { terminal, json }: PrintOptions): void {
  if (json) {
    terminal.out(`${JSON.stringify(line)}\n`);
    return;
  }
  terminal.out(`${line.key}\n`);
  terminal.note(`quern: key ${line.key_id} of tenant ${line.tenant}; it is shown this once`);
}
