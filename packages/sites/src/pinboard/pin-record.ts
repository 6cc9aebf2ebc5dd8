import { z } from 'zod';

const Text = z.string().nullable();
const Count = z.int().min(0).nullable();
const Flag = z.boolean().nullable();
const Picture = z.object({ size: z.string(), url: z.string(), width: Count, height: Count });

export const Pin = z.object({
  id: z.string(),
  url: z.string(),
  title: Text,
  description: Text,
  alt_text: Text,
  link: Text.describe('Where it leads outside of the site'),
  domain: Text,
  created_at: Text,
  dominant_color: Text,
  is_video: z.boolean(),
  is_promoted: Flag,
  is_repin: Flag,
  images: z.array(Picture).readonly(),
  image_url: Text,
  video: z
    .object({
      url: Text,
      hls_url: Text,
      thumbnail_url: Text,
      duration_ms: Count,
      width: Count,
      height: Count,
    })
    .nullable(),
  carousel: z
    .array(z.object({ title: Text, link: Text, image_url: Text }))
    .readonly()
    .nullable(),
  pinner: z.object({ id: Text, username: Text, name: Text, url: Text, followers: Count, image_url: Text }).nullable(),
  board: z.object({ id: Text, name: Text, url: Text }).nullable(),
  stats: z.object({ saves: Count, comments: Count, reactions: Count, shares: Count }),
  tags: z.array(z.string()).readonly().nullable(),
  product: z
    .object({
      price: z.number().min(0).nullable(),
      currency: Text,
      price_text: Text,
      availability: Text,
    })
    .nullable(),
});

export type Pin = z.output<typeof Pin>;
