import { PAGE_SIZE } from './listing.ts';
import { forum } from './site.ts';
import { userAtom } from './user-atom.ts';
import { UserInput, UserPage } from './user-input.ts';
import { userJson } from './user-json.ts';
import { userOldPage } from './user-old.ts';

/** A person with their posts and comments. */
export const forumUser = forum({
  path: '/user',
  summary: "A person's profile, posts and comments, one page a request",
  input: UserInput,
  anyOf: ['username', 'url'],
  aliases: { limit: ['per_page'] },
  record: UserPage,
  list: 'items',
  limit: { default: PAGE_SIZE, most: 100 },
  expected: ['items.author', 'items.created_at', 'items.score', 'items.subreddit'],
  canary: { username: 'spez' },
  sources: [userJson.oauth, userJson.json, userOldPage, userAtom],
});
