import { z } from 'zod';
import { parseOffset, countScrollRounds, buildScrolledPage } from '#sites/framework/scrolled-list.ts';
import { answerEmpty, notFound, buildPage, markPartial, unusable } from '#sites/framework/answers.ts';
import { parseRichText } from '#extract/dom/elements.ts';
import { findObjectsWith } from '#extract/json/find-objects.ts';
import { getPath, toNumber, toLine, toArray, toTimestamp, toNatural, toText } from '#extract/values/raw.ts';
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
  limit: { default: 20, max: 200 },
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
    if (/^\/(?:s\/.*|)$/.test(new URL(page.url).pathname)) return notFound('it is no longer for rent');
    // The variables of a POST request are not in its address. The page of a home makes no requests about other homes.
    const own = listCapturedAnswers(page).filter((answer) => answer.query === '' || isAboutListing(answer, id));
    const lists = own.flatMap(({ value }) => findObjectsWith(value, 'reviews', 'metadata'));
    if (lists.length === 0) return unusable('no reviews of the home');
    const count = toNatural(getPath(lists[0], 'metadata', 'reviewsCount'));
    const read = lists.flatMap((one) => toArray(one['reviews']).flatMap((raw) => readReview(raw) ?? []));
    const reviews = [...new Map(read.map((one) => [one.id, one])).values()];
    if (reviews.length === 0) return count === 0 ? answerEmpty() : unusable('no readable reviews');
    const [offset, hasMore] = [parseOffset(site), count !== null && reviews.length < count];
    if (hasMore && reviews.length === offset)
      return markPartial(
        buildPage({ reviews: [], review_count: count }, null),
        'the site shows fewer reviews than it counts',
      );
    return buildScrolledPage(reviews, { hasMore, given: offset }, (some) => ({ reviews: some, review_count: count }));
  },
});

function readReview(raw: unknown): Review | null {
  const id = toLine(getPath(raw, 'id'));
  if (id === null) return null;
  const stars = toNumber(getPath(raw, 'rating'));
  return {
    id: /^StayListingReview:(\d+)$/.exec(Buffer.from(id, 'base64').toString('utf8'))?.[1] ?? id,
    text: readPlainText(getPath(raw, 'comments')),
    rating: stars === null || stars <= 0 || stars > 5 ? null : stars,
    created_at: toTimestamp(getPath(raw, 'createdAt')),
    date_text: toLine(getPath(raw, 'localizedDate')),
    language: toLine(getPath(raw, 'language')),
    author_name: toLine(getPath(raw, 'reviewer', 'firstName')),
    author_location: toLine(getPath(raw, 'localizedReviewerLocation')),
    response: readPlainText(getPath(raw, 'response')),
  };
}

/** Reads a text that can contain markup for line breaks. */
function readPlainText(raw: unknown): string | null {
  const text = toText(raw);
  return text === null ? null : toText(parseRichText(text, HOME)?.text);
}
