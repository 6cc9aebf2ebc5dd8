import { z } from 'zod';
import { defineControl } from '#engine/operation.ts';
import { toDay } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import { LIST_INPUT, listOutput, toPage } from './lists.ts';

const DAYS_BACK = 30;

export const usageHistory = defineControl({
  id: 'usage.history',
  route: 'GET /v1/usage/history',
  summary: 'Calls and credits per day or per operation',
  errors: [],
  input: z.strictObject({
    from: z.iso.date().optional().describe('First day, UTC; default 30 days ago'),
    to: z.iso.date().optional().describe('Last day, UTC; default today'),
    by: z.enum(['day', 'operation']).default('day').describe('What a row stands for'),
    ...LIST_INPUT,
  }),
  output: listOutput(
    z.object({
      date: z.string().nullable().describe('Null when rows stand for operations'),
      operation: z.string().nullable().describe('Null when rows stand for days'),
      calls: z.int(),
      credits: z.int(),
    }),
  ),
  example: { by: 'day' },
  async run({ from, to, by, limit, cursor }, { caller, now, accounts, cursors }) {
    if (from !== undefined && to !== undefined && from > to) {
      throw new ServiceError('invalid_request', 'from: is after to');
    }
    const range = { from: from ?? toDay(now - DAYS_BACK * 24 * 3600 * 1000), to: to ?? toDay(now), by };
    const scope = { tenant: caller.tenant, operation: 'usage.history', filters: { from, to, by } };
    const after = cursors.read(scope, cursor ?? null);
    const rows = await accounts.history({ tenant: caller.tenant, ...range, after, limit: limit + 1 });
    const page = toPage(rows, { limit, cursorOf: (last) => cursors.write(scope, last.position) });
    return {
      ...page,
      data: page.data.map(({ date, operation, calls, credits }) => ({ date, operation, calls, credits })),
    };
  },
});
