import { z } from 'zod';
import { declareControl } from '#engine/call/operation.ts';
import { LIST_INPUT, buildListOutput } from '#features/schema/lists.ts';
import { nameSchema } from '#extract/schema/names.ts';

export const listUsage = declareControl({
  id: 'usage.history',
  clientName: 'listUsage',
  route: 'GET /v1/usage/history',
  summary: 'Calls and credits per day, per operation, or per operation of each day',
  errors: [],
  input: z.strictObject({
    from: z.iso.date().optional().describe('First day, UTC; default 30 days ago'),
    to: z.iso.date().optional().describe('Last day, UTC; default today'),
    by: z.enum(['day', 'operation', 'day_and_operation']).default('day').describe('How rows are grouped'),
    ...LIST_INPUT,
  }),
  output: buildListOutput(
    nameSchema(
      'UsageRow',
      z.object({
        date: z.string().nullable().describe('Null if rows are grouped by operation'),
        operation: z.string().nullable().describe('Null if rows are grouped by day'),
        calls: z.int(),
        credits: z.int(),
      }),
    ),
  ),
  example: { by: 'day' },
});
