import { z } from 'zod';
import { Comment, ForumPost } from './fields.ts';
import { atom } from './post-atom.ts';
import { PostInput } from './post-input.ts';
import { oauthJson, openJson } from './post-json.ts';
import { newPage } from './post-new.ts';
import { oldPage } from './post-old.ts';
import { forum } from './site.ts';

/** A post with the comments that answer it directly. */
export const post = forum({
  path: '/post',
  summary: 'A post and its top-level comments by id or url',
  input: PostInput,
  anyOf: ['id', 'url'],
  record: z.object({
    post: ForumPost,
    comments: z.array(Comment).nullable().describe('Top-level comments; null where the source has none'),
    comments_truncated: z.boolean().describe('Whether there are more than these'),
  }),
  expected: ['post.author', 'post.created_at', 'post.score', 'post.comment_count', 'post.type', 'post.subreddit'],
  canary: { id: '2gmzqe' },
  sources: [oauthJson, openJson, oldPage, newPage, atom],
});
