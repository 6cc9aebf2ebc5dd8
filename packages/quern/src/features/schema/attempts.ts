import { z } from 'zod';
import { OUTCOMES, TIERS } from '#access/page.ts';
import { named } from '#extract/schema/names.ts';

/** The steps of the ladder that a call took, as answers show them. */
export const Attempts = z
  .array(
    named(
      'Attempt',
      z.object({
        tier: z.enum(TIERS),
        outcome: z.enum(OUTCOMES),
        status_code: z.int().optional(),
        reason: z.string().optional(),
        duration_ms: z.int(),
        bytes: z.int().describe('Received on the wire, headers aside'),
      }),
    ),
  )
  .readonly();
