import { atom } from './post-atom.ts';
import { PostInput, PostPage } from './post-input.ts';
import { postJson } from './post-json.ts';
import { newPage } from './post-new.ts';
import { oldPage } from './post-old.ts';
import { forum } from './site.ts';

/** A post with the comments that answer it directly. */
export const post = forum({
  path: '/post',
  summary: 'A post and its top-level comments by id or url',
  input: PostInput,
  anyOf: ['id', 'url'],
  record: PostPage,
  expected: ['post.author', 'post.created_at', 'post.score', 'post.comment_count', 'post.type', 'post.subreddit'],
  canary: { id: '2gmzqe' },
  sources: [postJson.oauth, postJson.json, oldPage, newPage, atom],
});
