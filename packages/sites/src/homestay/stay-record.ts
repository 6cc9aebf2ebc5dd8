import { z } from 'zod';

const Text = z.string().nullable();
const Count = z.int().min(0).nullable();
const Rating = z.number().min(0).max(5).nullable();
const Price = z.object({ total: z.number().nullable(), nightly: z.number().nullable(), currency: Text, text: Text });

/** A home in a list. */
export const FoundStay = z.object({
  id: z.string(),
  url: z.string(),
  title: Text.describe('What it is, and where'),
  name: Text.describe('Its name, as who lets it gave it'),
  room_type: Text,
  rating: Rating,
  review_count: Count,
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  price: Price,
  badges: z.array(z.string()).readonly(),
  images: z.array(z.string()).readonly(),
  is_superhost: z.boolean().nullable(),
});

/** A home that is let. */
export const HomeStay = z.object({
  id: z.string(),
  url: z.string(),
  title: z.string(),
  description_html: Text,
  description_text: Text,
  room_type: Text,
  property_type: Text,
  person_capacity: Count,
  bedrooms: Count,
  beds: Count,
  bathrooms: z.number().min(0).nullable(),
  overview: z.array(z.string()).readonly(),
  amenities: z
    .array(z.object({ group: Text, title: z.string(), available: z.boolean() }))
    .readonly()
    .nullable(),
  images: z.array(z.string()).readonly(),
  host: z.object({ id: Text, name: Text, is_superhost: z.boolean().nullable(), url: Text }).nullable(),
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  location_text: Text,
  rating: Rating,
  review_count: Count,
  ratings: z.object({
    cleanliness: Rating,
    accuracy: Rating,
    check_in: Rating,
    communication: Rating,
    location: Rating,
    value: Rating,
  }),
  house_rules: z.array(z.string()).readonly().nullable(),
  price: Price.nullable().describe('Of a stay between two days'),
});

export const StayReview = z.object({
  id: z.string(),
  text: Text,
  rating: Rating,
  created_at: Text,
  date_text: Text,
  language: Text,
  author_name: Text,
  author_location: Text,
  response: Text,
});

export const StayAnswer = z.object({ listing: HomeStay });

export type FoundStay = z.output<typeof FoundStay>;
export type HomeStay = z.output<typeof HomeStay>;
export type StayReview = z.output<typeof StayReview>;
