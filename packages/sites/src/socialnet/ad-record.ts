import { z } from 'zod';

const Text = z.string().nullable();
const Flag = z.boolean().nullable();
const Count = z.int().min(0).nullable();
const Words = z.array(z.string()).readonly().nullable();

const Card = z.object({
  title: Text,
  text: Text,
  link_url: Text,
  cta_type: Text,
  image_url: Text,
  video_hd_url: Text,
  video_sd_url: Text,
});

/** An advertisement as the library shows it, without what only its own page loads. */
export const Ad = z.object({
  id: z.string(),
  url: z.string(),
  page: z.object({
    id: Text,
    name: Text,
    url: Text,
    likes: Count,
    categories: Words,
    profile_image_url: Text,
    verified: Flag,
  }),
  is_active: Flag,
  start_date: Text.describe('The day on which it was first shown'),
  end_date: Text.describe('The last day on which it was shown; moves on while it is active'),
  platforms: Words,
  display_format: Text.describe('As image, video, carousel, dco, dpa, text'),
  title: Text,
  text: Text,
  link_url: Text,
  link_caption: Text,
  link_description: Text,
  cta_type: Text,
  cta_text: Text,
  images: z.array(z.object({ original_url: Text, resized_url: Text })).readonly(),
  videos: z.array(z.object({ hd_url: Text, sd_url: Text, preview_url: Text })).readonly(),
  cards: z.array(Card).readonly(),
  variants_count: Count.describe('Advertisements that share its text and pictures'),
  collation_id: Text,
  currency: Text,
  spend_text: Text,
  impressions_text: Text,
  reach_estimate: Text,
  byline: Text.describe('Who paid for it, where it is about politics'),
  disclaimer: Text,
  categories: Words,
  countries: Words,
  contains_ai_media: Flag,
});

const Reach = z
  .object({
    total_reach: Count,
    age_min: Count,
    age_max: Count,
    gender: Text,
    locations: z
      .array(z.object({ name: z.string(), type: Text, excluded: Flag }))
      .readonly()
      .nullable(),
    breakdown: z
      .array(z.object({ country: Text, age_range: Text, male: Count, female: Count, unknown: Count }))
      .readonly()
      .nullable(),
  })
  .nullable();

/** An advertisement with what the law wants told of it. */
export const SingleAd = Ad.extend({
  transparency: z
    .object({ eu: Reach, uk: Reach, payer: Text, beneficiary: Text })
    .nullable()
    .describe('What the law of the European Union or the United Kingdom wants told; null where the page told nothing'),
});

export type Ad = z.input<typeof Ad>;
export type SingleAd = z.input<typeof SingleAd>;
