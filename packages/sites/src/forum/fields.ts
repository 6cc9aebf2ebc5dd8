import { z } from 'zod';

const Text = z.string().nullable();
const Flag = z.boolean().nullable();
const Whole = z.int().min(0).nullable();

export const POST_TYPES = ['text', 'link', 'image', 'gallery', 'video', 'poll', 'crosspost'] as const;
export type PostType = (typeof POST_TYPES)[number];

export const ForumPost = z.object({
  id: z.string(),
  fullname: z.string(),
  title: z.string(),
  url: z.string().describe('Its permalink'),
  author: z.object({ name: z.string(), id: Text }).nullable(),
  subreddit: z.object({ name: z.string(), id: Text, prefixed: z.string(), subscribers: Whole }).nullable(),
  created_at: Text,
  edited_at: Text,
  score: z.int().nullable(),
  upvote_ratio: z.number().nullable(),
  comment_count: Whole,
  flair: Text,
  type: z.enum(POST_TYPES).nullable(),
  text_html: Text,
  text: Text,
  link_url: Text,
  domain: Text,
  media: z
    .array(z.object({ type: z.enum(['image', 'video']), url: z.string(), width: Whole, height: Whole }))
    .readonly()
    .nullable(),
  is_nsfw: Flag,
  is_spoiler: Flag,
  is_locked: Flag,
  is_stickied: Flag,
  is_archived: Flag,
  is_removed: Flag,
  crosspost_parent: Text,
  award_count: Whole,
});

export const Comment = z.object({
  id: z.string(),
  fullname: z.string(),
  author: Text,
  created_at: Text,
  edited_at: Text,
  score: z.int().nullable(),
  score_hidden: Flag,
  text_html: Text,
  text: Text,
  depth: Whole,
  permalink: Text,
  reply_count: Whole,
  is_op: Flag,
  is_stickied: Flag,
  distinguished: Text,
});

export type ForumPost = z.input<typeof ForumPost>;
export type Comment = z.input<typeof Comment>;

/** A post of which no more is known than what makes it one. */
export function barePost(id: string, title: string, url: string): ForumPost {
  const [, prefixed = null] = /\/((?:r|user)\/[^/]+)\/comments\//.exec(url) ?? [];
  const [kind, name = ''] = prefixed?.split('/') ?? [];
  return {
    id,
    fullname: `t3_${id}`,
    title,
    url,
    author: null,
    subreddit: kind === 'r' ? { name, id: null, prefixed: `r/${name}`, subscribers: null } : null,
    created_at: null,
    edited_at: null,
    score: null,
    upvote_ratio: null,
    comment_count: null,
    flair: null,
    type: null,
    text_html: null,
    text: null,
    link_url: null,
    domain: null,
    media: null,
    is_nsfw: null,
    is_spoiler: null,
    is_locked: null,
    is_stickied: null,
    is_archived: null,
    is_removed: null,
    crosspost_parent: null,
    award_count: null,
  };
}

/** A comment of which only its number is known. */
export function bareComment(id: string): Comment {
  return {
    id,
    fullname: `t1_${id}`,
    author: null,
    created_at: null,
    edited_at: null,
    score: null,
    score_hidden: null,
    text_html: null,
    text: null,
    depth: 0,
    permalink: null,
    reply_count: null,
    is_op: null,
    is_stickied: null,
    distinguished: null,
  };
}

/** `2gmzqe` of `t3_2gmzqe`; null for anything that is no number of that kind. */
export function idOfFullname(kind: 't1' | 't3', fullname: string | null): string | null {
  return /^(t[13])_([0-9a-z]{1,13})$/.exec(fullname ?? '')?.[1] === kind ? (fullname ?? '').slice(3) : null;
}

/** The name of an author that is still one. */
export function authorName(name: string | null): string | null {
  return name === null || name === '[deleted]' ? null : name;
}
