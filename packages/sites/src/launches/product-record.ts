import { z } from 'zod';
import { Topic } from './launch.ts';
import { ProfileLink } from './links.ts';
import { Person } from './person.ts';

const Text = z.string().nullable();
const Count = z.int().min(0).nullable();
const Topics = z.array(Topic).readonly().nullable();

/** A product with its launches; counts of votes and comments are those of the launch asked for, else of the latest. */
export const LaunchedProduct = z.object({
  id: Text,
  name: z.string(),
  slug: z.string(),
  url: z.string(),
  tagline: Text,
  description: Text,
  website_url: Text,
  upvotes: Count,
  launch_day_upvotes: Count,
  followers: Count,
  review_count: Count,
  rating: z.number().min(0).max(5).nullable(),
  topics: Topics,
  categories: Topics,
  makers: z.array(Person).readonly().nullable(),
  hunter: Person.nullable(),
  launched_at: Text,
  launches: z
    .array(
      z.object({
        id: z.string(),
        name: z.string(),
        tagline: Text,
        slug: z.string(),
        launched_at: Text,
        upvotes: Count,
        comment_count: Count,
        daily_rank: Count,
      }),
    )
    .readonly()
    .nullable(),
  comment_count: Count,
  thumbnail_url: Text,
  media: z
    .array(z.object({ type: z.enum(['image', 'video']), url: z.string() }))
    .readonly()
    .nullable(),
  links: z.array(ProfileLink).readonly().nullable(),
});

export type LaunchedProduct = z.output<typeof LaunchedProduct>;
