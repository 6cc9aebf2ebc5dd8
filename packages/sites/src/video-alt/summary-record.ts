import { z } from 'zod';

const Text = z.string().nullable();
const Count = z.int().min(0).nullable();

/** The channel or the person whose a video is. */
export const AltChannel = z.object({
  slug: z.string(),
  name: Text,
  url: z.string(),
  verified: z.boolean().nullable(),
});

export type AltChannel = z.output<typeof AltChannel>;

/** A video as lists show it. */
export const VideoSummary = z.object({
  type: z.enum(['video', 'short']),
  id: z.string().describe('The first word of its address'),
  url: z.string(),
  title: z.string(),
  channel: AltChannel.nullable(),
  thumbnail_url: Text,
  duration_ms: Count,
  duration_text: Text,
  view_count: Count,
  like_count: Count,
  dislike_count: Count,
  comment_count: Count,
  published_at: Text,
  published_text: Text,
  is_live: z.boolean().nullable(),
  earned_amount: z.number().min(0).nullable(),
  counts_approximate: z.boolean().describe('Whether a count was shown shortened'),
});

export type VideoSummary = z.output<typeof VideoSummary>;
