import { z } from 'zod';
import { ShownImage } from './media.ts';

const Text = z.string().nullable();
const Count = z.int().min(0).nullable();

const Author = z.object({ id: Text, name: z.string(), url: Text, username: Text });

/** What a post shares: another post, without what people made of it. */
const Shared = z.object({
  id: Text,
  url: Text,
  text: Text,
  author: Author.nullable(),
  created_at: Text,
  images: z.array(ShownImage).readonly(),
});

export const Post = z.object({
  id: z.string(),
  url: z.string(),
  text: Text,
  author: Author.nullable(),
  created_at: Text,
  type: z.enum(['post', 'photo', 'video', 'reel', 'event', 'share', 'link']),
  images: z.array(ShownImage).readonly(),
  video: z.object({ url: Text, thumbnail_url: Text, duration_ms: Count }).nullable(),
  link: z.object({ url: z.string(), title: Text }).nullable(),
  shared_post: Shared.nullable(),
  stats: z.object({ reactions: Count, comments: Count, shares: Count, views: Count.describe('Of a video') }),
  pinned: z.boolean().nullable().describe('Whether it is kept on top of its page; null where nothing says so'),
  counts_approximate: z.boolean(),
});

/** A post with what only its own page tells. */
export const SinglePost = Post.extend({
  group: z.object({ id: Text, name: Text, url: Text }).nullable().describe('The group that it was written in'),
  top_comments: z
    .array(z.object({ author_name: Text, text: z.string() }))
    .readonly()
    .nullable()
    .describe('Those that the page shows; null where it shows none'),
});

export type SinglePost = z.input<typeof SinglePost>;
export type Post = z.input<typeof Post>;
export type Author = z.input<typeof Author>;

/** A post of which nothing is known. */
export const NOTHING = {
  text: null,
  author: null,
  created_at: null,
  images: [],
  video: null,
  link: null,
  shared_post: null,
  stats: { reactions: null, comments: null, shares: null, views: null },
  pinned: null,
  counts_approximate: false,
} as const;
