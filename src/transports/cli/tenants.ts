import { parseArgs } from 'node:util';
import { ServiceError } from '#kernel/errors.ts';
import type { Administration } from './parts.ts';
import { EXIT } from './exit.ts';
import { demandPlan } from '#engine/identity/plans.ts';
import type { WithRegistry } from './keys.ts';
import { printTable } from './table.ts';

const USAGE =
  'quern tenants list | plan TENANT PLAN | top-up TENANT CREDITS | credit TENANT ID_OF_REQUEST_JOB_OR_RUN (gives back a charge)';

/** `quern tenants list | plan | top-up | credit`. */
export function tenantsCommand(withRegistry: WithRegistry): Administration {
  return {
    summary: 'list, plan TENANT PLAN, top-up TENANT CREDITS, credit TENANT ID_OF_REQUEST_JOB_OR_RUN',
    async run(args, terminal) {
      const { values, positionals } = readArgs(args);
      const [verb, tenant, value] = positionals;
      if (verb === 'list') {
        const rows = await withRegistry(async ({ tenants }) => tenants.list());
        printTable(rows, { terminal, json: values.json === true });
        return EXIT.ok;
      }
      if (tenant === undefined || value === undefined) throw new ServiceError('invalid_request', USAGE);
      if (verb === 'plan') {
        await withRegistry(async ({ tenants, plans }) => tenants.setPlan(tenant, demandPlan(plans, value).name));
        terminal.note(`quern: ${tenant} is on plan ${value} now`);
      } else if (verb === 'top-up') {
        const credits = readCredits(value);
        await withRegistry(async ({ tenants }) => tenants.topUp(tenant, credits));
        terminal.note(`quern: ${tenant} has ${credits} credits more until the end of the month (UTC)`);
      } else if (verb === 'credit') {
        const credits = await withRegistry(async ({ tenants }) => tenants.credit(tenant, value));
        terminal.note(`quern: ${tenant} got ${credits} credits of ${value} back`);
      } else {
        throw new ServiceError('invalid_request', USAGE);
      }
      return EXIT.ok;
    },
  };
}

function readCredits(text: string): number {
  const credits = /^[1-9]\d{0,11}$/.test(text) ? Number(text) : 0;
  if (credits === 0) throw new ServiceError('invalid_request', 'CREDITS: must be a whole number from 1');
  return credits;
}

function readArgs(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: { json: { type: 'boolean' } }, allowPositionals: true, strict: true });
  } catch (error) {
    throw new ServiceError('invalid_request', error instanceof Error ? error.message : String(error), { cause: error });
  }
}
