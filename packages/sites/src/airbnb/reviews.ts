import { z } from 'zod';
import { parseOffset, countScrollRounds, buildScrolledPage } from '#sites/framework/scrolled-list.ts';
import { empty, notFound, pageOf, partly, unusable } from '#sites/framework/answers.ts';
import { readRich } from '#extract/dom/elements.ts';
import { findWith } from '#extract/json/search.ts';
import { at, decimal, line, list, moment, natural, text } from '#extract/values/raw.ts';
import {
  createCaptureRule,
  findListingId,
  isAboutListing,
  listCapturedAnswers,
  Rating,
  ListingInput,
  Text,
  Trip,
} from './shared.ts';
import { HOME, airbnb } from './site.ts';

const ReviewsInput = z.object({ id: ListingInput.shape.id, url: ListingInput.shape.url, locale: Trip.locale });

type ReviewsInput = z.output<typeof ReviewsInput>;

const Review = z.object({
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

type Review = z.output<typeof Review>;

export const airbnbReviews = airbnb({
  path: '/reviews',
  summary: 'Guest reviews of a home, in a browser session',
  input: ReviewsInput,
  record: z.object({ reviews: z.array(Review).readonly(), review_count: z.int().min(0).nullable() }),
  anyOf: ['id', 'url'],
  aliases: { locale: ['language'], limit: ['per_page'] },
  list: 'reviews',
  limit: { default: 20, most: 200 },
  expected: ['reviews.text', 'reviews.rating', 'reviews.created_at'],
  canary: { id: '20669368' },
  needs: 'browser',
  browser: { more: 'end' },
  captures: [createCaptureRule('StaysPdpReviewsQuery')],
  request: (input, site) => ({
    origin: 'web',
    path: `/rooms/${findListingId(input, site)}/reviews`,
    query: { locale: input.locale },
    language: input.locale,
    rounds: countScrollRounds(site),
  }),
  parse(page, input, site) {
    const id = findListingId(input, site);
    if (/^\/(?:s\/.*|)$/.test(new URL(page.url).pathname)) return notFound('it is no longer let');
    // The variables of a POST request are not in its address. The page of a home makes no requests about other homes.
    const own = listCapturedAnswers(page).filter((answer) => answer.query === '' || isAboutListing(answer, id));
    const lists = own.flatMap(({ value }) => findWith(value, 'reviews', 'metadata'));
    if (lists.length === 0) return unusable('reviews of the home');
    const count = natural(at(lists[0], 'metadata', 'reviewsCount'));
    const read = lists.flatMap((one) => list(one['reviews']).flatMap((raw) => readReview(raw) ?? []));
    const reviews = [...new Map(read.map((one) => [one.id, one])).values()];
    if (reviews.length === 0) return count === 0 ? empty() : unusable('reviews that can be read');
    const [given, hasMore] = [parseOffset(site), count !== null && reviews.length < count];
    if (hasMore && reviews.length === given)
      return partly(pageOf({ reviews: [], review_count: count }, null), 'the site shows fewer reviews than it counts');
    return buildScrolledPage(reviews, { hasMore, given }, (some) => ({ reviews: some, review_count: count }));
  },
});

function readReview(raw: unknown): Review | null {
  const id = line(at(raw, 'id'));
  if (id === null) return null;
  const stars = decimal(at(raw, 'rating'));
  return {
    id: /^StayListingReview:(\d+)$/.exec(Buffer.from(id, 'base64').toString('utf8'))?.[1] ?? id,
    text: readPlainText(at(raw, 'comments')),
    rating: stars === null || stars <= 0 || stars > 5 ? null : stars,
    created_at: moment(at(raw, 'createdAt')),
    date_text: line(at(raw, 'localizedDate')),
    language: line(at(raw, 'language')),
    author_name: line(at(raw, 'reviewer', 'firstName')),
    author_location: line(at(raw, 'localizedReviewerLocation')),
    response: readPlainText(at(raw, 'response')),
  };
}

/** Reads a text that can contain markup for line breaks. */
function readPlainText(raw: unknown): string | null {
  const given = text(raw);
  return given === null ? null : text(readRich(given, HOME)?.text);
}
