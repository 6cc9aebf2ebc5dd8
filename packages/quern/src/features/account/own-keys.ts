import { z } from 'zod';
import { declareControl } from '#engine/call/operation.ts';
import { LIST_INPUT, buildListOutput } from '#features/schema/lists.ts';
import { nameSchema } from '#extract/schema/names.ts';

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
