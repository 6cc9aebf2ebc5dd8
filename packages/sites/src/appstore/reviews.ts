import { z } from 'zod';
import { PLACE_ALIASES } from './app-input.ts';
import { AppReview, ReviewsInput } from './review-record.ts';
import { appleReviews } from './reviews-apple.ts';
import { playPageReviews, playReviews } from './reviews-play.ts';
import { appstore } from './site.ts';

export const appstoreReviews = appstore({
  path: '/reviews',
  summary: 'Reviews of an app of either store',
  input: ReviewsInput,
  anyOf: ['id', 'url'],
  aliases: { limit: ['per_page'], ...PLACE_ALIASES },
  record: z.object({ reviews: z.array(AppReview).readonly() }),
  list: 'reviews',
  limit: { default: 50, most: 200 },
  sources: [appleReviews, playReviews, playPageReviews],
  expected: ['reviews.rating', 'reviews.text', 'reviews.created_at', 'reviews.version'],
  canary: { id: '284882215' },
});
