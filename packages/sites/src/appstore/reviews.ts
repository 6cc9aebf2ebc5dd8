import { z } from 'zod';
import { findCanonicalUrl } from '#extract/dom/elements.ts';
import { parsePage } from '#extract/dom/parsed-page.ts';
import { parseJsLiteral } from '#extract/json/literal.ts';
import { isJsonObject } from '#extract/values/json-object.ts';
import { toList, parseJsonValue } from '#extract/values/json.ts';
import { getPath, toCount, toInteger, toLine, toArray, toTimestamp, toText } from '#extract/values/raw.ts';
import { answerEmpty, buildPage, unusable } from '#sites/framework/answers.ts';
import type { EndpointSource } from '#sites/framework/endpoint.ts';
import type { SiteContext, SourcePage } from '#sites/framework/request.ts';
import { findLists, listPlayData } from './play.ts';
import { AppInput, isFromStore, LOCALE_ALIASES, readApp } from './shared.ts';
import { appstore, PLAY_HOME } from './site.ts';

const ReviewsInput = AppInput.extend({
  sort: z.enum(['newest', 'helpful']).default('newest').describe('The order of the reviews'),
});

type ReviewsInput = z.output<typeof ReviewsInput>;

const Text = z.string().nullable();
const Count = z.int().min(0).nullable();

/** One review of an app. */
const AppReview = z.object({
  id: z.string(),
  title: Text,
  text: Text,
  rating: z.int().min(1).max(5),
  author: Text,
  version: Text.describe('The reviewed version of the app'),
  created_at: Text,
  helpful_count: Count,
  vote_count: Count,
  reply: z.object({ text: z.string(), created_at: Text }).nullable().describe('Reply of the developer'),
});

type AppReview = z.output<typeof AppReview>;

const ReviewsAnswer = z.object({ reviews: z.array(AppReview).readonly() });

type ReviewsSource = EndpointSource<typeof ReviewsInput, typeof ReviewsAnswer>;

/** The review feed of Apple's store. Every country has its own. */
const feedSource: ReviewsSource = {
  name: 'feed',
  when: isFromStore('apple'),
  request(input, site) {
    const { id } = readApp(input, site);
    const path = `page=${readFeedPage(site.cursor)}/id=${id}/sortby=${FEED_ORDERS[input.sort]}/json`;
    return { origin: 'itunes', path: `/${input.country.toLowerCase()}/rss/customerreviews/${path}` };
  },
  parse: parseFeed,
};

/** The request that the pages of Google's store send for reviews. */
const playSource: ReviewsSource = {
  name: 'play',
  when: isFromStore('play'),
  request(input, site) {
    const { id } = readApp(input, site);
    const size = site.cursor === null ? [PLAY_PAGE_SIZE] : [PLAY_PAGE_SIZE, null, site.cursor];
    const nothing = Array.from({ length: 9 }, () => null);
    const payload = JSON.stringify([null, [2, PLAY_ORDERS[input.sort], size, null, nothing], [id, 7]]);
    return {
      origin: 'play',
      path: '/_/PlayStoreUi/data/batchexecute',
      query: { rpcids: REVIEWS_CALL, hl: input.language, gl: input.country.toUpperCase() },
      post: { form: { 'f.req': JSON.stringify([[[REVIEWS_CALL, payload, null, 'generic']]]) } },
      language: input.language,
    };
  },
  parse: parsePlayAnswer,
};

/** The few reviews that the page of an app shows. */
const pageSource: ReviewsSource = {
  name: 'page',
  lacks: 'the page of an app shows only a few reviews and ignores sort',
  when: (site, input) => site.cursor === null && isFromStore('play')(site, input),
  request: (input, site) => ({
    origin: 'play',
    path: '/store/apps/details',
    query: { id: readApp(input, site).id, hl: input.language, gl: input.country.toUpperCase() },
    language: input.language,
  }),
  parse: parseAppPage,
};

export const appstoreReviews = appstore({
  path: '/reviews',
  summary: 'Reviews of an app of either store',
  input: ReviewsInput,
  anyOf: ['id', 'url'],
  aliases: { limit: ['per_page'], ...LOCALE_ALIASES },
  record: ReviewsAnswer,
  list: 'reviews',
  limit: { default: 50, max: 200 },
  sources: [feedSource, playSource, pageSource],
  expected: ['reviews.rating', 'reviews.text', 'reviews.created_at', 'reviews.version'],
  canary: { id: '284882215' },
});

function parseFeed({ body }: SourcePage, input: ReviewsInput, site: SiteContext): ReturnType<ReviewsSource['parse']> {
  const feed = getPath(parseJsonValue(body), 'feed');
  if (!isJsonObject(feed)) return unusable('no feed of reviews');
  const { id } = readApp(input, site);
  const entries = toList(feed['entry']);
  const named = [...entries.flatMap((one) => toList(getPath(one, 'link'))), ...toList(feed['link'])]
    .map((one) => /\bid=(\d+)/.exec(toLine(getPath(one, 'attributes', 'href')) ?? '')?.[1])
    .filter((one) => one !== undefined);
  if (!named.includes(id)) return unusable('the reviews of the requested app are missing');
  // Older feeds begin with the app itself.
  const rated = entries.filter((one) => getPath(one, 'im:rating') !== undefined);
  const reviews = rated.flatMap((one) => parseFeedReview(one) ?? []);
  if (reviews.length === 0) return rated.length === 0 ? answerEmpty() : unusable('no readable reviews');
  const page = readFeedPage(site.cursor);
  return buildPage({ reviews }, rated.length >= FEED_PAGE_SIZE && page < MAX_FEED_PAGES ? String(page + 1) : null);
}

function parsePlayAnswer({ body }: SourcePage): ReturnType<ReviewsSource['parse']> {
  const answer = parseBatchAnswer(body);
  if (!Array.isArray(answer)) return unusable('no reviews of an app');
  const rows = toArray(answer[0]);
  const reviews = rows.flatMap((one) => parsePlayReview(one) ?? []);
  if (reviews.length === 0) return rows.length === 0 ? answerEmpty() : unusable('no readable reviews');
  return buildPage({ reviews }, toLine(getPath(answer, 1, 1)));
}

function parseAppPage(
  { body, url }: SourcePage,
  input: ReviewsInput,
  site: SiteContext,
): ReturnType<ReviewsSource['parse']> {
  const page = parsePage(body, url);
  const shown = URL.parse(findCanonicalUrl(page) ?? '', PLAY_HOME)?.searchParams.get('id');
  if (shown !== readApp(input, site).id) return unusable('the requested app is missing');
  const reviews = findLists(listPlayData(page), isReview).flatMap((one) => parsePlayReview(one) ?? []);
  return reviews.length === 0 ? unusable('no reviews in the page') : { reviews };
}

/** Pages of an app's feed, and reviews on each page. */
const MAX_FEED_PAGES = 10;
const FEED_PAGE_SIZE = 50;

const FEED_ORDERS = { newest: 'mostrecent', helpful: 'mosthelpful' } as const satisfies Record<
  ReviewsInput['sort'],
  string
>;

function readFeedPage(cursor: string | null): number {
  return cursor !== null && /^\d{1,2}$/.test(cursor) ? Number(cursor) : 1;
}

function parseFeedReview(entry: unknown): AppReview | null {
  const label = (...path: readonly string[]): unknown => getPath(entry, ...path, 'label');
  const id = toLine(label('id'));
  const rating = toInteger(label('im:rating'));
  if (id === null || rating === null || rating < 1 || rating > 5) return null;
  return {
    id,
    title: toLine(label('title')),
    text: toText(label('content')),
    rating,
    author: toLine(label('author', 'name')),
    version: toLine(label('im:version')),
    created_at: toTimestamp(label('updated')),
    helpful_count: toCount(label('im:voteSum'), null)?.value ?? null,
    vote_count: toCount(label('im:voteCount'), null)?.value ?? null,
    reply: null,
  };
}

const REVIEWS_CALL = 'oCPfdb';
const PLAY_PAGE_SIZE = 50;
const PLAY_ORDERS = { newest: 2, helpful: 1 } as const satisfies Record<ReviewsInput['sort'], number>;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Parses the answer to the only call of a batch. It is a JSON string within the answer to the batch. */
function parseBatchAnswer(body: string): unknown {
  const anchor = `"wrb.fr","${REVIEWS_CALL}",`;
  const from = body.indexOf(anchor);
  const value = from < 0 ? undefined : parseJsLiteral(body, from + anchor.length)?.value;
  return typeof value === 'string' ? parseJsonValue(value) : undefined;
}

function isReview(row: readonly unknown[]): boolean {
  return UUID.test(toLine(row[0]) ?? '') && toInteger(row[2]) !== null;
}

function parsePlayReview(raw: unknown): AppReview | null {
  const id = toLine(getPath(raw, 0));
  const rating = toInteger(getPath(raw, 2));
  if (id === null || rating === null || rating < 1 || rating > 5) return null;
  const reply = toText(getPath(raw, 7, 1));
  return {
    id,
    title: null,
    text: toText(getPath(raw, 4)),
    rating,
    author: toLine(getPath(raw, 1, 0)),
    version: toLine(getPath(raw, 10)),
    created_at: toTimestamp(getPath(raw, 5, 0)),
    helpful_count: toCount(getPath(raw, 6), null)?.value ?? null,
    vote_count: null,
    reply: reply === null ? null : { text: reply, created_at: toTimestamp(getPath(raw, 7, 2, 0)) },
  };
}
