import { z } from 'zod';
import { GroupInput, groupWordOf } from './group-input.ts';
import { GroupPost, readGroupPosts } from './group-posts-page.ts';
import { socialnet } from './site.ts';

const input = GroupInput.extend({
  sort: z.enum(['recent', 'top']).default('recent').describe('By the time of the post, or as the site ranks them'),
});

/** The newest posts of a group: those that its page holds. */
export const groupPosts = socialnet({
  path: '/group/posts',
  summary: "A group's most recent posts",
  input,
  anyOf: ['id', 'url'],
  record: z.object({ posts: z.array(GroupPost).readonly() }),
  aliases: { limit: ['per_page'] },
  list: 'posts',
  limit: { default: 10, most: 20 },
  expected: ['posts.author', 'posts.text', 'posts.created_at', 'posts.stats.reactions', 'posts.stats.comments'],
  canary: { id: 'nasaspaceflight' },
  request: (asked, site) => ({
    origin: 'web',
    path: `/groups/${groupWordOf(asked, site)}/`,
    query: { sorting_setting: asked.sort === 'recent' ? 'CHRONOLOGICAL' : 'TOP_POSTS' },
  }),
  parse: (source, asked, site) => readGroupPosts(source, groupWordOf(asked, site)),
});
