import { empty, pageOf, unusable } from '#sites/framework/answers.ts';
import type { SiteRequest, SiteView, SourcePage } from '#sites/framework/request.ts';
import { isJsonObject } from '#extract/values/json-object.ts';
import { toList, tryParse } from '#extract/values/json.ts';
import { at, countOf, integer, line, moment, text } from '#extract/values/raw.ts';
import { isOf, wantedApp } from './app-input.ts';
import type { AppReview, ReviewsInput } from './review-record.ts';

/** Pages of the feed of an app, and reviews on each. */
const MOST_PAGES = 10;
const SIZE = 50;

const ORDERS = { newest: 'mostrecent', helpful: 'mosthelpful' } as const satisfies Record<ReviewsInput['sort'], string>;

/** The feed of reviews of Apple's store, one country a feed. */
export const appleReviews = {
  name: 'feed',
  when: isOf('apple'),
  request(input: ReviewsInput, site: SiteView): SiteRequest {
    const { id } = wantedApp(input, site);
    const path = `page=${pageOfFeed(site.cursor)}/id=${id}/sortby=${ORDERS[input.sort]}/json`;
    return { origin: 'itunes', path: `/${input.country.toLowerCase()}/rss/customerreviews/${path}` };
  },
  parse({ body }: SourcePage, input: ReviewsInput, site: SiteView) {
    const feed = at(tryParse(body), 'feed');
    if (!isJsonObject(feed)) return unusable('a feed of reviews');
    const { id } = wantedApp(input, site);
    const entries = toList(feed['entry']);
    const named = [...entries.flatMap((one) => toList(at(one, 'link'))), ...toList(feed['link'])]
      .map((one) => /\bid=(\d+)/.exec(line(at(one, 'attributes', 'href')) ?? '')?.[1])
      .filter((one) => one !== undefined);
    if (!named.includes(id)) return unusable('the reviews of the app asked for');
    // Older feeds begin with the app itself.
    const rated = entries.filter((one) => at(one, 'im:rating') !== undefined);
    const reviews = rated.flatMap((one) => toReview(one) ?? []);
    if (reviews.length === 0) return rated.length === 0 ? empty() : unusable('reviews that can be read');
    const page = pageOfFeed(site.cursor);
    return pageOf({ reviews }, rated.length >= SIZE && page < MOST_PAGES ? String(page + 1) : null);
  },
};

function pageOfFeed(cursor: string | null): number {
  return cursor !== null && /^\d{1,2}$/.test(cursor) ? Number(cursor) : 1;
}

function toReview(entry: unknown): AppReview | null {
  const label = (...path: readonly string[]): unknown => at(entry, ...path, 'label');
  const id = line(label('id'));
  const rating = integer(label('im:rating'));
  if (id === null || rating === null || rating < 1 || rating > 5) return null;
  return {
    id,
    title: line(label('title')),
    text: text(label('content')),
    rating,
    author: line(label('author', 'name')),
    version: line(label('im:version')),
    created_at: moment(label('updated')),
    helpful_count: countOf(label('im:voteSum'), null)?.value ?? null,
    vote_count: countOf(label('im:voteCount'), null)?.value ?? null,
    reply: null,
  };
}
