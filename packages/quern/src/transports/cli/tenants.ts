import { z } from 'zod';
import { listTenants, refundTenant, topUpTenant, updateTenant } from '#features/admin/operations.ts';
import { TenantView } from '#features/admin/schema.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { RunAdministration } from './administration.ts';
import { EXIT } from './exit.ts';
import { listAll, type OperatorParts, type PrintOptions } from './operator.ts';
import { getArgument, hasFlag } from './spec.ts';
import { printTable } from './table.ts';

const Refund = z.object({ credits: z.int() });

/** `quern tenants list | plan | top-up | credit | suspend | resume`. */
export function createTenantsCommand({ ask }: Pick<OperatorParts, 'ask'>): RunAdministration {
  return async (given, terminal, [, verb]) => {
    const printing = { terminal, json: hasFlag(given, 'json') };
    if (verb === 'list') {
      const rows = z.array(TenantView).parse(await listAll(ask, listTenants));
      printTable(rows.map(toTenantRow), printing);
      return EXIT.ok;
    }
    const tenant = getArgument(given, 0, 'TENANT');
    if (verb === 'suspend' || verb === 'resume') {
      const suspended = verb === 'suspend';
      await ask(updateTenant, { id: tenant, suspended });
      const sentence = suspended
        ? `${tenant} is suspended: only reads are permitted, and its jobs and monitors are paused`
        : `${tenant} is resumed`;
      return printResult({ tenant, suspended }, sentence, printing);
    }
    if (verb === 'plan') {
      const plan = getArgument(given, 1, 'PLAN');
      await ask(updateTenant, { id: tenant, plan });
      return printResult({ tenant, plan }, `${tenant} is on plan ${plan} now`, printing);
    }
    if (verb === 'top-up') {
      const credits = parseCredits(getArgument(given, 1, 'CREDITS'));
      await ask(topUpTenant, { id: tenant, credits });
      const sentence = `${tenant} has ${credits} more credits until the end of the month (UTC)`;
      return printResult({ tenant, credits }, sentence, printing);
    }
    const id = getArgument(given, 1, 'ID');
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
