import { z } from 'zod';
import type { EndpointSource } from '#sites/framework/endpoint.ts';
import type { ProfileInput } from './profile-input.ts';

const Text = z.string().nullable();
const Count = z.int().min(0).nullable();

export const PublicPage = z.object({
  id: Text,
  username: Text,
  name: Text,
  url: z.string(),
  category: Text,
  description: Text,
  verified: z.boolean().nullable(),
  likes: Count,
  followers: Count,
  talking_about: Count,
  were_here: Count,
  phone: Text.describe('Of a business'),
  email: Text.describe('Of a business'),
  website: Text,
  address: Text.describe('Of a business'),
  price_range: Text,
  rating_percent: z.int().min(0).max(100).nullable().describe('How many of those who reviewed it recommend it'),
  review_count: Count,
  profile_image_url: Text,
  cover_image_url: Text,
  links: z.array(z.string()).readonly().nullable().describe('Its accounts and pages elsewhere'),
  counts_approximate: z.boolean(),
});

export const PageAnswer = z.object({ page: PublicPage });

export type PublicPageSource = EndpointSource<typeof ProfileInput, typeof PageAnswer>;
