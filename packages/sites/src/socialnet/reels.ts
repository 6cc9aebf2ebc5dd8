import { z } from 'zod';
import { ProfileInput, askedProfileOf } from './profile-input.ts';
import { tabOf } from './profile-tab.ts';
import { Reel, readReels } from './reels-page.ts';
import { socialnet } from './site.ts';

/** The newest reels of a page. Its pages are ten to thirty times larger than others of the site, and so is the price. */
export const reels = socialnet({
  path: '/reels',
  summary: "A page's reels",
  input: ProfileInput,
  anyOf: ['id', 'username', 'url'],
  record: z.object({ reels: z.array(Reel).readonly() }),
  aliases: { username: ['handle', 'page'], limit: ['per_page'] },
  list: 'reels',
  limit: { default: 10, most: 50 },
  expected: ['reels.text', 'reels.created_at', 'reels.views', 'reels.likes', 'reels.comments', 'reels.video_url'],
  canary: { username: 'bbcnews' },
  price: 1340,
  request: (input, site) => tabOf(askedProfileOf(input, site), 'reels_tab'),
  parse: readReels,
});
