import { z } from 'zod';
import { WARNING_CODES } from '#kernel/warnings.ts';

/** What stands around a record: everything, nothing but `usage`, or nothing. */
export type Shape = 'open' | 'plain' | 'closed';

/** What an endpoint answers, `request_id` and `usage` aside. */
export function toOutput(
  provider: string,
  record: z.ZodObject,
  { list, shape }: { readonly list: string | null; readonly shape: Shape },
): z.ZodObject {
  const members = { provider: z.literal(provider), ...record.shape };
  if (shape === 'closed') return z.strictObject(members);
  if (shape === 'plain') return z.object(members);
  return z.object({
    ...members,
    ...(list === null ? {} : { next_cursor: z.string().nullable().describe('Null at the end') }),
    source_url: z.string().describe('Where it was found'),
    fetched_at: z.string().describe('When the page was had, ISO 8601 UTC'),
    partial: z.boolean().describe('Whether something is left out that the full answer has; warnings say what'),
    warnings: z
      .array(z.object({ code: z.enum(WARNING_CODES), message: z.string() }))
      .readonly()
      .optional(),
  });
}
