import { z } from 'zod';
import { declareControl } from '#engine/call/operation.ts';
import { SERVED_TIERS } from '#engine/credits/prices.ts';
import { wholeNumber } from '#extract/schema/whole-number.ts';
import { Attempts } from '#features/schema/page-outputs.ts';
import { LIST_INPUT, listOutput } from '#features/schema/lists.ts';
import { named } from '#extract/schema/names.ts';

const LoggedRequest = named(
  'LoggedRequest',
  z.object({
    id: z.string(),
    at: z.string(),
    operation: z.string(),
    status: z.int(),
    code: z.string().nullable().describe('The error code, null when the call succeeded'),
    credits: z.int(),
    tier: z.enum(SERVED_TIERS).nullable(),
    duration_ms: z.int(),
    input_tokens: z.int().describe('What the model read for it, failed calls included; 0 where it was not asked'),
    output_tokens: z.int().describe('What the model wrote for it'),
    url: z.string().nullable().describe('Of a failed call: the URL that it asked for, without secrets'),
    message: z.string().nullable().describe('Of a failed call: the message of its error, without secrets in its URLs'),
  }),
);

const instant = z.iso.datetime().transform((text) => new Date(text).toISOString());

export const requests = declareControl({
  id: 'requests',
  clientName: 'listRequests',
  route: 'GET /v1/requests',
  summary: 'Requests for work of the last 24 hours, newest first',
  errors: [],
  input: z.strictObject({
    status: wholeNumber(100, 599).optional().describe('HTTP status that was answered'),
    operation: z.string().max(100).optional().describe('Operation id, such as fetch'),
    from: instant.optional().describe('Earliest instant, ISO 8601 UTC'),
    to: instant.optional().describe('Latest instant, ISO 8601 UTC'),
    ...LIST_INPUT,
  }),
  output: listOutput(LoggedRequest),
  example: { limit: 10 },
});

export const request = declareControl({
  id: 'requests.get',
  clientName: 'getRequest',
  route: 'GET /v1/requests/{request_id}',
  summary: 'One request for work with every access attempt',
  errors: ['not_found'],
  input: z.strictObject({ request_id: z.string().min(1).max(100).describe('The request_id of its answer') }),
  output: LoggedRequest.extend({ attempts: Attempts }),
  example: { request_id: 'req_01kat6v3g5f2q8r9s0tvwxyzab' },
});
