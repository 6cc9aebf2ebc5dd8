import { z } from 'zod';

/** What to pull out of a page: named fields, or a JSON Schema. */
export const Extract = z.strictObject({
  fields: z.record(z.string(), z.unknown()).optional(),
  schema: z.record(z.string(), z.unknown()).optional(),
});

export type Extract = z.output<typeof Extract>;
