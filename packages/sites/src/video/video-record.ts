import { z } from 'zod';

const Text = z.string().nullable();
const Count = z.int().min(0).nullable();
const Flag = z.boolean().nullable();

export const VIDEO_AVAILABILITIES = [
  'public',
  'unlisted',
  'members_only',
  'paid',
  'age_restricted',
  'region_locked',
  'upcoming',
] as const;

export const VideoRecord = z.object({
  id: z.string(),
  url: z.string(),
  title: z.string(),
  description: Text,
  channel: z.object({
    id: Text,
    name: Text,
    handle: Text,
    url: Text,
    avatar_url: Text,
    subscriber_count: Count,
    subscriber_count_text: Text,
    verified: Flag,
  }),
  published_at: Text,
  uploaded_at: Text,
  duration_ms: Count,
  view_count: Count,
  like_count: Count,
  comment_count: Count,
  category: Text,
  tags: z.array(z.string()).readonly().nullable(),
  thumbnails: z
    .array(z.object({ url: z.string(), width: Count, height: Count }))
    .readonly()
    .nullable(),
  is_live: Flag,
  is_live_content: Flag,
  live: z.object({ started_at: Text, ended_at: Text, scheduled_at: Text }).nullable(),
  is_unlisted: Flag,
  is_family_safe: Flag,
  is_short: Flag,
  available_countries: z.array(z.string()).readonly().nullable(),
  license: Text,
  chapters: z
    .array(z.object({ title: z.string(), start_ms: z.int() }))
    .readonly()
    .nullable(),
  subtitles: z
    .array(z.object({ language_code: z.string(), name: Text, origin: z.enum(['uploader_provided', 'auto_generated']) }))
    .readonly()
    .nullable(),
  embeddable: Flag,
  availability: z.enum(VIDEO_AVAILABILITIES).nullable(),
  counts_approximate: z.boolean(),
  data_source: z.string().describe('What of the site it was read from'),
});

export type VideoRecord = z.output<typeof VideoRecord>;

export const VideoAnswer = z.object({ video: VideoRecord });
