import { forum } from './site.ts';
import { subredditAtom } from './subreddit-atom.ts';
import { SubredditInput, SubredditPage } from './subreddit-input.ts';
import { subredditJson } from './subreddit-json.ts';
import { subredditNewPage } from './subreddit-new.ts';
import { subredditOldPage } from './subreddit-old.ts';
import { PAGE_SIZE } from './listing.ts';

/** A community and its posts. */
export const subreddit = forum({
  path: '/subreddit',
  summary: 'A community and its posts, one page a request',
  input: SubredditInput,
  anyOf: ['subreddit', 'url'],
  aliases: { subreddit: ['name', 'community'], limit: ['per_page'] },
  record: SubredditPage,
  list: 'posts',
  limit: { default: PAGE_SIZE, most: 100 },
  expected: ['posts.author', 'posts.created_at', 'posts.score', 'posts.comment_count', 'posts.type'],
  canary: { subreddit: 'programming' },
  sources: [subredditJson.oauth, subredditJson.json, subredditOldPage, subredditNewPage, subredditAtom],
});
