import { postsEmbed } from './posts-embed.ts';
import { PostsAnswer } from './posts-record.ts';
import { postsWeb } from './posts-web.ts';
import { ProfileInput } from './profile-input.ts';
import { socialnet } from './site.ts';

/** The newest posts of a page: its own page holds one, its embed some more. */
export const posts = socialnet({
  path: '/posts',
  summary: "A page's most recent posts",
  input: ProfileInput,
  anyOf: ['id', 'username', 'url'],
  record: PostsAnswer,
  aliases: { username: ['handle', 'page'], limit: ['per_page'] },
  list: 'posts',
  limit: { default: 1, most: 20 },
  expected: ['posts.author', 'posts.created_at', 'posts.stats.reactions', 'posts.stats.comments', 'posts.stats.shares'],
  canary: { username: 'bbcnews' },
  sources: [postsWeb, postsEmbed],
});
