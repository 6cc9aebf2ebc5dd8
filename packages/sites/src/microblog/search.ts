import { skySearch } from './bluesky.ts';
import { tagged } from './mastodon.ts';
import { FoundPosts } from './records.ts';
import { MicroSearchInput } from './search-input.ts';
import { microblog } from './site.ts';
import { xSearchDrawn } from './x-graph.ts';

export const microblogSearch = microblog({
  path: '/search',
  summary: 'Short posts by words or hashtags (Bluesky, Mastodon, X)',
  input: MicroSearchInput,
  record: FoundPosts,
  aliases: { search: ['q', 'query', 'keyword', 'keywords'], limit: ['per_page'] },
  list: 'results',
  limit: { default: 20, most: 100 },
  sources: [skySearch, tagged, xSearchDrawn],
  expected: ['results.text', 'results.created_at', 'results.like_count', 'results.author.name'],
  canary: { search: 'windmill' },
});
