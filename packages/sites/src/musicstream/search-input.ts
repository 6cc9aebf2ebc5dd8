import { z } from 'zod';
import { EntityInput } from './entity.ts';

const TYPES = ['track', 'artist', 'album', 'playlist', 'podcast', 'episode'] as const;

export type SearchType = (typeof TYPES)[number];

export const StreamSearchInput = z.object({
  search: z.string().trim().min(1).max(1000).describe('Words to search for'),
  type: z
    .array(z.enum(TYPES))
    .min(1)
    .max(TYPES.length)
    .default(['track', 'artist', 'album', 'playlist'])
    .describe('What to look for; several at once, each with a list of its own'),
  language: EntityInput.shape.language,
});

export type StreamSearchInput = z.output<typeof StreamSearchInput>;
