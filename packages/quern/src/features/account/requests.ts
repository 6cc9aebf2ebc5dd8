import { z } from 'zod';
import { declareControl } from '#engine/call/operation.ts';
import { SERVED_TIERS } from '#engine/credits/prices.ts';
import { wholeNumber } from '#extract/schema/whole-number.ts';
import { Attempts } from '#features/schema/page-outputs.ts';
import { LIST_INPUT, buildListOutput } from '#features/schema/lists.ts';
import { nameSchema } from '#extract/schema/names.ts';

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
