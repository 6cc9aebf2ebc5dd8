import { z } from 'zod';
import { declareControl } from '#engine/call/operation.ts';
import { READS_OWN } from '#engine/call/tool-view.ts';
import { named } from '#extract/schema/names.ts';

/** What a tenant has beside the credits of its plan, as `toBalance` gives it. */
export const CREDIT_FIELDS = {
  credits_topped_up: z.int(),
  credits_used: z.int(),
  credits_reserved: z.int().describe('Reserved by running calls'),
  credits_remaining: z.int().nullable(),
  daily_cap: z.int().nullable(),
  daily_used: z.int(),
};

export const usage = declareControl({
  id: 'usage',
  clientName: 'getUsage',
  route: 'GET /v1/usage',
  summary: 'Credits of the running month and day, and what is kept for you',
  errors: [],
  input: z.strictObject({}),
  output: named(
    'AccountUsage',
    z.object({
      plan: z.string(),
      cycle: z.object({ start: z.string(), end: z.string() }),
      credits_granted: z.int().nullable().describe('Null when the plan sets no limit'),
      ...CREDIT_FIELDS,
      daily_resets_at: z.string(),
      unpaid_seconds: z
        .int()
        .describe(
          'Of browsers, parsers and models that calls took and ended free; falls by unpaid_seconds_per_hour of the plan',
        ),
      result_bytes: z.int().describe('Of results of ended jobs that are kept, packed'),
      kept_result_bytes: z
        .int()
        .nullable()
        .describe('Beyond it your oldest results go; null when the plan sets no limit'),
      file_bytes: z.int().describe('Of files made of pages that are kept'),
      kept_file_bytes: z.int().nullable().describe('Beyond it your oldest files go; null when the plan sets no limit'),
    }),
  ),
  example: {},
  agent: {
    tool: {
      name: 'usage',
      title: 'Show credits',
      task: 'credits that are left',
      about: 'Use this to see the credits that are left, before work that costs many or after a refusal for credits.',
      hints: READS_OWN,
    },
    facts: { plan: 'string', credits_used: 'integer', daily_used: 'integer' },
  },
});
