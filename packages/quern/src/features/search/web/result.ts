import { z } from 'zod';
import { nameSchema } from '#extract/schema/names.ts';

/** One result of an engine. */
export const WebsearchResult = nameSchema(
  'WebsearchResult',
  z.object({
    position: z.int().describe('Position in its list, counted over all pages'),
    position_overall: z.int().describe('Position among organic and paid results together'),
    title: z.string(),
    description: z.string(),
    url: z.string(),
    url_shown: z.string().describe('URL as the engine displays it'),
  }),
);
