import { z } from 'zod';
import type { Operation } from '#engine/call/operation.ts';
import type { CreatedKey } from '#engine/identity/keys.ts';
import {
  createKey,
  createTenantOperation,
  listAllKeys,
  listTenants,
  refundTenant,
  revokeKey,
  rotateKey,
  showTenant,
  topUpTenant,
  updateTenant,
} from '#features/admin/operations.ts';
import { KeyView, NewKeyView, TenantView } from '#features/admin/schema.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { RunAdministration } from './administration.ts';
import { EXIT } from './exit.ts';
import type { OperationAnswer, Terminal } from './context.ts';
import { type CommandArguments, getArgument, getFlag, hasFlag } from './spec.ts';
import { printTable } from './table.ts';

/** What operator commands need: a way to call operator operations, locally or on a server. */
export type OperatorParts = {
  readonly ask: (operation: Operation, raw: unknown) => Promise<OperationAnswer>;
  /** Returns a function that creates an operator key, which no operation can. Throws `OperatorError` if commands go to a server. */
  readonly operatorKeys: () => (wanted: { readonly tenant: string; readonly name: string }) => Promise<CreatedKey>;
};

/** Where and how a command prints: as text, or as JSON. */
export type PrintOptions = { readonly terminal: Terminal; readonly json: boolean };

type CallOperation = OperatorParts['ask'];

const Page = z.looseObject({ data: z.array(z.looseObject({})), next_cursor: z.string().nullable() });
const MAX_ROWS = 1000;

/** Loads all rows of a list, page by page. */
export async function listAll(
  ask: CallOperation,
  operation: Operation,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const rows: Readonly<Record<string, unknown>>[] = [];
  for (let cursor: string | null = null, isFirst = true; isFirst || cursor !== null; isFirst = false) {
    const { body } = await ask(operation, { limit: MAX_ROWS, ...(cursor === null ? {} : { cursor }) });
    const page = Page.parse(body);
    rows.push(...page.data);
    cursor = page.next_cursor;
  }
  return rows;
}

/** `quern keys create | list | revoke | rotate`. */
export function createKeysCommand(parts: OperatorParts): RunAdministration {
  const { ask } = parts;
  return async (args, terminal, [, verb]) => {
    const json = hasFlag(args, 'json');
    if (verb === 'list') {
      const rows = z.array(KeyView).parse(await listAll(ask, listAllKeys));
      printTable(json ? rows : rows.map(toKeyRow), { terminal, json });
      return EXIT.ok;
    }
    if (verb === 'create') {
      printKey(await runCreate(parts, args), { terminal, json });
      return EXIT.ok;
    }
    const keyId = getArgument(args, 0, 'KEY_ID');
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

async function runCreate(parts: OperatorParts, args: CommandArguments): Promise<NewKeyLine> {
  const { ask, operatorKeys } = parts;
  const [plan, tenant, name] = ['plan', 'tenant', 'name'].map((flag) => getFlag(args, flag));
  if ((plan === undefined) === (tenant === undefined)) {
    throw new ServiceError(
      'invalid_request',
      'use --plan to create a tenant, or --tenant to create a key for an existing tenant',
    );
  }
  const addOperatorKey = hasFlag(args, 'operator') ? operatorKeys() : null;
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

const Refund = z.object({ credits: z.int() });

/** `quern tenants list | plan | top-up | credit | suspend | resume`. */
export function createTenantsCommand({ ask }: Pick<OperatorParts, 'ask'>): RunAdministration {
  return async (args, terminal, [, verb]) => {
    const printing = { terminal, json: hasFlag(args, 'json') };
    if (verb === 'list') {
      const rows = z.array(TenantView).parse(await listAll(ask, listTenants));
      printTable(rows.map(toTenantRow), printing);
      return EXIT.ok;
    }
    const tenant = getArgument(args, 0, 'TENANT');
    if (verb === 'suspend' || verb === 'resume') {
      const suspended = verb === 'suspend';
      await ask(updateTenant, { id: tenant, suspended });
      const sentence = suspended
        ? `${tenant} is suspended: only reads are permitted, and its jobs and monitors are paused`
        : `${tenant} is resumed`;
      return printResult({ tenant, suspended }, sentence, printing);
    }
    if (verb === 'plan') {
      const plan = getArgument(args, 1, 'PLAN');
      await ask(updateTenant, { id: tenant, plan });
      return printResult({ tenant, plan }, `${tenant} is on plan ${plan} now`, printing);
    }
    if (verb === 'top-up') {
      const credits = parseCredits(getArgument(args, 1, 'CREDITS'));
      await ask(topUpTenant, { id: tenant, credits });
      const sentence = `${tenant} has ${credits} more credits until the end of the month (UTC)`;
      return printResult({ tenant, credits }, sentence, printing);
    }
    const id = getArgument(args, 1, 'ID');
    const { credits } = Refund.parse((await ask(refundTenant, { id: tenant, charge: id })).body);
    return printResult({ tenant, id, credits }, `${tenant} got ${credits} credits of ${id} back`, printing);
  };
}

/** Picks the columns of a tenant; `quern admin tenants show` prints everything about one. */
function toTenantRow(tenant: z.output<typeof TenantView>) {
  const { id, name, plan, created_at, suspended_at, credits_used, credits_topped_up, credits_reserved } = tenant;
  const credits = { used: credits_used, topped_up: credits_topped_up, reserved: credits_reserved };
  return { id, name, plan, created_at, suspended_at, ...credits };
}

/** Prints what was done as a sentence, and as JSON with `--json`. */
function printResult(
  done: Readonly<Record<string, unknown>>,
  sentence: string,
  { terminal, json }: PrintOptions,
): number {
  if (json) terminal.out(`${JSON.stringify(done)}\n`);
  terminal.note(`quern: ${sentence}`);
  return EXIT.ok;
}

function parseCredits(text: string): number {
  const credits = /^[1-9]\d{0,11}$/.test(text) ? Number(text) : 0;
  if (credits === 0) throw new ServiceError('invalid_request', 'CREDITS: must be a whole number from 1');
  return credits;
}
