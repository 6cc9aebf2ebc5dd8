import { z } from 'zod';

const Text = z.string().nullable();
const Count = z.int().min(0).nullable();

/** A person or a channel. */
export const ClipProfile = z.object({
  id: z.string(),
  username: z.string(),
  name: Text,
  url: z.string(),
  description: Text,
  website: Text,
  avatar_url: Text,
  verified: z.boolean().nullable(),
  is_private: z.boolean().nullable(),
  language: Text,
  followers: Count,
  following: Count,
  like_count: Count,
  video_count: Count,
  created_at: Text,
});

const Author = z.object({ id: Text, username: Text, name: Text, verified: z.boolean().nullable(), avatar_url: Text });

/** A short video, or a series of pictures. */
export const Clip = z.object({
  id: z.string(),
  url: z.string(),
  type: z.enum(['video', 'photos']),
  description: Text,
  author: Author,
  created_at: Text,
  duration_ms: Count,
  width: Count,
  height: Count,
  cover_url: Text,
  video_url: Text,
  images: z.array(z.string()).readonly().describe('Of a series of pictures'),
  music: z
    .object({ id: Text, title: Text, author: Text, duration_ms: Count, is_original: z.boolean().nullable() })
    .nullable(),
  view_count: Count,
  like_count: Count,
  comment_count: Count,
  share_count: Count,
  save_count: Count,
  repost_count: Count,
  hashtags: z.array(z.string()).readonly(),
  mentions: z.array(z.string()).readonly(),
  subtitles: z
    .array(z.object({ language: z.string(), format: Text, url: z.string() }))
    .readonly()
    .nullable(),
  language: Text,
  country: Text,
  is_ad: z.boolean().nullable(),
});

export const ClipComment = z.object({
  id: z.string(),
  video_id: Text,
  text: Text,
  author: Author,
  created_at: Text,
  language: Text,
  like_count: Count,
  reply_count: Count,
  is_pinned: z.boolean().nullable(),
});

export type ClipProfile = z.output<typeof ClipProfile>;
export type Clip = z.output<typeof Clip>;
export type ClipAuthor = z.output<typeof Author>;
export type ClipComment = z.output<typeof ClipComment>;
