import { demandPlan } from '#engine/identity/plans.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { Administer } from './administration.ts';
import { EXIT } from './exit.ts';
import type { WithRegistry } from './keys.ts';
import type { Terminal } from './parts.ts';
import { demandValue, isGiven } from './spec.ts';
import { printTable } from './table.ts';

/** `quern tenants list | plan | top-up | credit`. */
export function tenantsCommand(withRegistry: WithRegistry): Administer {
  return async (given, terminal, [, verb]) => {
    const json = isGiven(given, 'json');
    if (verb === 'list') {
      printTable(await withRegistry(async ({ tenants }) => tenants.list()), { terminal, json });
      return EXIT.ok;
    }
    const tenant = demandValue(given, 0, 'TENANT');
    if (verb === 'plan') {
      const plan = demandValue(given, 1, 'PLAN');
      await withRegistry(async ({ tenants, plans }) => tenants.setPlan(tenant, demandPlan(plans, plan).name));
      return say({ tenant, plan }, `${tenant} is on plan ${plan} now`, { terminal, json });
    }
    if (verb === 'top-up') {
      const credits = readCredits(demandValue(given, 1, 'CREDITS'));
      await withRegistry(async ({ tenants }) => tenants.topUp(tenant, credits));
      const sentence = `${tenant} has ${credits} credits more until the end of the month (UTC)`;
      return say({ tenant, credits }, sentence, { terminal, json });
    }
    const id = demandValue(given, 1, 'ID');
    const credits = await withRegistry(async ({ tenants }) => tenants.credit(tenant, id));
    return say({ tenant, id, credits }, `${tenant} got ${credits} credits of ${id} back`, { terminal, json });
  };
}

/** Says what was done, and answers it where JSON is wanted. */
function say(
  done: Readonly<Record<string, unknown>>,
  sentence: string,
  { terminal, json }: { readonly terminal: Terminal; readonly json: boolean },
): number {
  if (json) terminal.out(`${JSON.stringify(done)}\n`);
  terminal.note(`quern: ${sentence}`);
  return EXIT.ok;
}

function readCredits(text: string): number {
  const credits = /^[1-9]\d{0,11}$/.test(text) ? Number(text) : 0;
  if (credits === 0) throw new ServiceError('invalid_request', 'CREDITS: must be a whole number from 1');
  return credits;
}
