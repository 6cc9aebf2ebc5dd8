import { z } from 'zod';

export const MicroSearchInput = z.object({
  search: z.string().trim().min(1).max(500).describe('Words to search for; on mastodon one hashtag'),
  network: z
    .enum(['bluesky', 'mastodon', 'x'])
    .default('bluesky')
    .describe('Where to search; x shows results only to those who are logged in, and is often target_blocked'),
  sort: z.enum(['top', 'latest']).default('top').describe('The order; hashtags of mastodon always come latest first'),
});

export type MicroSearchInput = z.output<typeof MicroSearchInput>;
