import { z } from 'zod';

const Text = z.string().nullable();
const Count = z.int().min(0).nullable();

/** An account of a network. */
export const MicroProfile = z.object({
  id: z.string(),
  username: z.string(),
  name: Text,
  url: z.string(),
  network: z.enum(['x', 'bluesky', 'mastodon']),
  description: Text,
  location: Text,
  website: Text,
  followers: Count,
  following: Count,
  post_count: Count,
  created_at: Text,
  verified: z.boolean().nullable(),
  avatar_url: Text,
  banner_url: Text,
  is_protected: z.boolean().nullable(),
});

const Author = z.object({
  id: Text,
  username: z.string(),
  name: Text,
  verified: z.boolean().nullable(),
  avatar_url: Text,
});

const Media = z.object({
  type: z.enum(['image', 'video', 'gif', 'audio']),
  url: z.string(),
  thumbnail_url: Text,
  width: Count,
  height: Count,
  duration_ms: Count,
  description: Text,
});

/** A short post. A repost in a list is the post that was reposted. */
export const MicroPost = z.object({
  id: z.string(),
  url: z.string(),
  text: Text,
  author: Author,
  created_at: Text,
  language: Text,
  reply_count: Count,
  repost_count: Count,
  quote_count: Count,
  like_count: Count,
  view_count: Count,
  bookmark_count: Count,
  media: z.array(Media).readonly(),
  links: z.array(z.string()).readonly(),
  hashtags: z.array(z.string()).readonly(),
  mentions: z.array(z.string()).readonly(),
  quoted_post: z.object({ id: z.string(), url: z.string(), text: Text, author: Author }).nullable(),
  in_reply_to: z.object({ id: Text, username: Text }).nullable(),
  is_repost: z.boolean().describe('Whether the account of the list reposted it'),
});

export type MicroProfile = z.output<typeof MicroProfile>;
export type MicroPost = z.output<typeof MicroPost>;
export type MicroAuthor = z.output<typeof Author>;
export type MicroMedia = z.output<typeof Media>;

export const ProfileAnswer = z.object({ profile: MicroProfile });
export const PostAnswer = z.object({ post: MicroPost });
export const PostList = z.object({ posts: z.array(MicroPost).readonly() });
export const FoundPosts = z.object({ results: z.array(MicroPost).readonly() });

/** A post as another one quotes it; null where it may not be seen. */
export function toQuoted(post: MicroPost | null): MicroPost['quoted_post'] {
  return post === null ? null : { id: post.id, url: post.url, text: post.text, author: post.author };
}
