import { z } from 'zod';
import { declareControl } from '#engine/call/operation.ts';
import { READS_OWN } from '#engine/call/tool-view.ts';
import { nameSchema } from '#extract/schema/names.ts';
import { CREDIT_FIELDS } from '#features/schema/credits.ts';

export const showUsage = declareControl({
  id: 'usage',
  clientName: 'getUsage',
  route: 'GET /v1/usage',
  summary: 'Credits of the current month and day, and stored bytes',
  errors: [],
  input: z.strictObject({}),
  output: nameSchema(
    'AccountUsage',
    z.object({
      plan: z.string(),
      cycle: z.object({ start: z.string(), end: z.string() }),
      credits_granted: z.int().nullable().describe('Null if the plan sets no limit'),
      ...CREDIT_FIELDS,
      daily_resets_at: z.string(),
      unpaid_seconds: z
        .int()
        .describe(
          'Seconds of browsers, parsers and models used by uncharged calls; falls by unpaid_seconds_per_hour of the plan',
        ),
      result_bytes: z.int().describe('Compressed bytes of stored results'),
      kept_result_bytes: z
        .int()
        .nullable()
        .describe('Beyond this your oldest results are deleted; null if the plan sets no limit'),
      file_bytes: z.int().describe('Bytes of stored files'),
      kept_file_bytes: z
        .int()
        .nullable()
        .describe('Beyond this your oldest files are deleted; null if the plan sets no limit'),
    }),
  ),
  example: {},
  agent: {
    tool: {
      name: 'usage',
      title: 'Show credits',
      task: 'remaining credits',
      about: 'Use this to see the remaining credits before expensive work, or after an error for lack of credits.',
      hints: READS_OWN,
    },
    facts: { plan: 'string', credits_used: 'integer', daily_used: 'integer' },
  },
});
