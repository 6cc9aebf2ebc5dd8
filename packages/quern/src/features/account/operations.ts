import { z } from 'zod';
import { declareControl } from '#engine/call/operation.ts';
import { READS_OWN } from '#engine/call/tool-view.ts';
import { SERVED_TIERS } from '#engine/credits/prices.ts';
import { nameSchema } from '#extract/schema/names.ts';
import { wholeNumber } from '#extract/schema/whole-number.ts';
import { CREDIT_FIELDS } from '#features/schema/credits.ts';
import { buildListOutput, LIST_INPUT } from '#features/schema/lists.ts';
import { Attempts } from '#features/schema/page-outputs.ts';

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

export const listOwnKeys = declareControl({
  id: 'account.keys',
  clientName: 'listOwnKeys',
  route: 'GET /v1/keys',
  summary: 'The API keys of your tenant, newest first, without their text',
  errors: [],
  input: z.strictObject({ ...LIST_INPUT }),
  output: buildListOutput(
    nameSchema(
      'OwnKey',
      z.object({
        id: z.string(),
        name: z.string(),
        prefix: z
          .string()
          .nullable()
          .describe('The first characters after qk_; null for a key that was chosen by the operator'),
        operator: z.boolean().describe('Whether it allows /v1/admin'),
        created_at: z.string(),
        last_used_at: z.string().nullable().describe('Accurate to about a minute; null if never used'),
        expires_at: z.string().nullable(),
        revoked_at: z.string().nullable(),
        current: z.boolean().describe('Whether this call used it'),
      }),
    ),
  ),
  example: { limit: 10 },
});

const LoggedRequest = nameSchema(
  'LoggedRequest',
  z.object({
    id: z.string(),
    at: z.string(),
    operation: z.string(),
    status: z.int(),
    code: z.string().nullable().describe('The error code; null if the call succeeded'),
    credits: z.int(),
    tier: z.enum(SERVED_TIERS).nullable(),
    duration_ms: z.int(),
    input_tokens: z.int().describe('Tokens read by the language model; 0 if it was not used'),
    output_tokens: z.int().describe('Tokens written by the language model'),
    url: z.string().nullable().describe('For failed calls: the requested URL, without secrets'),
    message: z.string().nullable().describe('For failed calls: the error message, without secrets in URLs'),
  }),
);

const instant = z.iso.datetime().transform((text) => new Date(text).toISOString());

export const listRequests = declareControl({
  id: 'requests',
  clientName: 'listRequests',
  route: 'GET /v1/requests',
  summary: 'Calls that cost credits in the last 24 hours, newest first',
  errors: [],
  input: z.strictObject({
    status: wholeNumber(100, 599).optional().describe('HTTP status of the response'),
    operation: z.string().max(100).optional().describe('Operation id, such as fetch'),
    from: instant.optional().describe('Earliest time, ISO 8601 UTC'),
    to: instant.optional().describe('Latest time, ISO 8601 UTC'),
    ...LIST_INPUT,
  }),
  output: buildListOutput(LoggedRequest),
  example: { limit: 10 },
});

export const showRequest = declareControl({
  id: 'requests.get',
  clientName: 'getRequest',
  route: 'GET /v1/requests/{request_id}',
  summary: 'One logged call with all access attempts',
  errors: ['not_found'],
  input: z.strictObject({ request_id: z.string().min(1).max(100).describe('The request_id of its response') }),
  output: LoggedRequest.extend({ attempts: Attempts }),
  example: { request_id: 'req_01kat6v3g5f2q8r9s0tvwxyzab' },
});

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
