import { z } from 'zod';
import { givenBefore, roundsFor, scrolledPage } from '#sites/scrolled-list.ts';
import { empty, notFound, pageOf, partly, unusable } from '#sites/framework/answers.ts';
import { readRich } from '#extract/dom/elements.ts';
import { findWith } from '#extract/json/search.ts';
import { at, decimal, line, list, moment, natural, text } from '#extract/values/raw.ts';
import { loads, isAbout, loadedBy } from './page-state.ts';
import { homestay, STAY_HOME } from './site.ts';
import { stayIdOf, StayReviewsInput } from './stay-input.ts';
import { StayReview } from './stay-record.ts';

function readReview(raw: unknown): StayReview | null {
  const id = line(at(raw, 'id'));
  if (id === null) return null;
  const stars = decimal(at(raw, 'rating'));
  return {
    id: /^StayListingReview:(\d+)$/.exec(Buffer.from(id, 'base64').toString('utf8'))?.[1] ?? id,
    text: wordsIn(at(raw, 'comments')),
    rating: stars === null || stars <= 0 || stars > 5 ? null : stars,
    created_at: moment(at(raw, 'createdAt')),
    date_text: line(at(raw, 'localizedDate')),
    language: line(at(raw, 'language')),
    author_name: line(at(raw, 'reviewer', 'firstName')),
    author_location: line(at(raw, 'localizedReviewerLocation')),
    response: wordsIn(at(raw, 'response')),
  };
}

/** Words in which line breaks may be markup. */
function wordsIn(raw: unknown): string | null {
  const given = text(raw);
  return given === null ? null : text(readRich(given, STAY_HOME)?.text);
}

export const stayReviews = homestay({
  path: '/reviews',
  summary: 'What guests wrote about a home, as its page loads it in a browser',
  input: StayReviewsInput,
  record: z.object({ reviews: z.array(StayReview).readonly(), review_count: z.int().min(0).nullable() }),
  anyOf: ['id', 'url'],
  aliases: { locale: ['language'], limit: ['per_page'] },
  list: 'reviews',
  limit: { default: 20, most: 200 },
  expected: ['reviews.text', 'reviews.rating', 'reviews.created_at'],
  canary: { id: '20669368' },
  needs: 'browser',
  browser: { more: 'end' },
  captures: [loads('StaysPdpReviewsQuery')],
  request: (input, site) => ({
    origin: 'web',
    path: `/rooms/${stayIdOf(input, site)}/reviews`,
    query: { locale: input.locale },
    language: input.locale,
    rounds: roundsFor(site),
  }),
  parse(page, input, site) {
    const id = stayIdOf(input, site);
    if (/^\/(?:s\/.*|)$/.test(new URL(page.url).pathname)) return notFound('it is no longer let');
    // A question by POST does not stand in its address; the page of a home asks about no other.
    const own = loadedBy(page).filter((answer) => answer.asked === '' || isAbout(answer, id));
    const lists = own.flatMap(({ value }) => findWith(value, 'reviews', 'metadata'));
    if (lists.length === 0) return unusable('reviews of the home');
    const count = natural(at(lists[0], 'metadata', 'reviewsCount'));
    const read = lists.flatMap((one) => list(one['reviews']).flatMap((raw) => readReview(raw) ?? []));
    const reviews = [...new Map(read.map((one) => [one.id, one])).values()];
    if (reviews.length === 0) return count === 0 ? empty() : unusable('reviews that can be read');
    const [given, hasMore] = [givenBefore(site), count !== null && reviews.length < count];
    if (hasMore && reviews.length === given)
      return partly(pageOf({ reviews: [], review_count: count }, null), 'the site shows fewer reviews than it counts');
    return scrolledPage(reviews, { hasMore, given }, (some) => ({ reviews: some, review_count: count }));
  },
});
