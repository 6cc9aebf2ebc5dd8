import { z } from 'zod';
import { AppInput } from './app-input.ts';

export const ReviewsInput = AppInput.extend({
  sort: z.enum(['newest', 'helpful']).default('newest').describe('The order of the reviews'),
});

export type ReviewsInput = z.output<typeof ReviewsInput>;

const Text = z.string().nullable();
const Count = z.int().min(0).nullable();

/** One review of an app. */
export const AppReview = z.object({
  id: z.string(),
  title: Text,
  text: Text,
  rating: z.int().min(1).max(5),
  author: Text,
  version: Text.describe('The version of the app that it is about'),
  created_at: Text,
  helpful_count: Count,
  vote_count: Count,
  reply: z.object({ text: z.string(), created_at: Text }).nullable().describe('What the developer answered'),
});

export type AppReview = z.output<typeof AppReview>;
