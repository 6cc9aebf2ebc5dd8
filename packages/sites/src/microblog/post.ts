import { MicroPostInput } from './account.ts';
import { skyPost } from './bluesky.ts';
import { toot } from './mastodon.ts';
import { PostAnswer } from './records.ts';
import { microblog } from './site.ts';
import { xPostEmbed } from './x-embed.ts';
import { xPostDrawn } from './x-graph.ts';
import { xPostPage } from './x-page.ts';

export const microblogPost = microblog({
  path: '/post',
  summary: 'A short post (X, Bluesky, Mastodon)',
  input: MicroPostInput,
  record: PostAnswer,
  anyOf: ['id', 'url'],
  sources: [xPostEmbed, xPostPage, xPostDrawn, skyPost, toot],
  expected: ['post.text', 'post.created_at', 'post.like_count', 'post.author.name'],
  canary: { url: 'https://bsky.app/profile/bsky.app/post/3l6oveex3ii2l' },
});
