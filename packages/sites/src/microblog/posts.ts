import { MicroAccountInput } from './account.ts';
import { skyPosts } from './bluesky.ts';
import { toots } from './mastodon.ts';
import { PostList } from './records.ts';
import { microblog } from './site.ts';
import { xPostsEmbed } from './x-embed.ts';
import { xPostsDrawn } from './x-graph.ts';

export const microblogPosts = microblog({
  path: '/posts',
  summary: 'The posts of an account of a network of short posts (X, Bluesky, Mastodon)',
  input: MicroAccountInput,
  record: PostList,
  anyOf: ['username', 'url'],
  aliases: { username: ['handle', 'user'], limit: ['per_page'] },
  list: 'posts',
  limit: { default: 20, most: 100 },
  sources: [xPostsEmbed, xPostsDrawn, skyPosts, toots],
  expected: ['posts.text', 'posts.created_at', 'posts.like_count', 'posts.repost_count'],
  canary: { username: 'bsky.app' },
});
