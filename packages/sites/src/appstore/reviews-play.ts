import { empty, pageOf, unusable } from '#sites/framework/answers.ts';
import type { SiteRequest, SiteView, SourcePage } from '#sites/framework/request.ts';
import { canonicalOf } from '#extract/dom/described.ts';
import { parsePage } from '#extract/dom/parsed-page.ts';
import { readLiteral } from '#extract/json/literal.ts';
import { tryParse } from '#extract/values/json.ts';
import { at, countOf, integer, line, list, moment, text } from '#extract/values/raw.ts';
import { isOf, wantedApp } from './app-input.ts';
import { listsIn, playData } from './play-data.ts';
import type { AppReview, ReviewsInput } from './review-record.ts';
import { PLAY_HOME } from './site.ts';

const CALL = 'oCPfdb';
const SIZE = 50;
const ORDERS = { newest: 2, helpful: 1 } as const satisfies Record<ReviewsInput['sort'], number>;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The interface that the pages of Google's store ask for reviews. */
export const playReviews = {
  name: 'play',
  when: isOf('play'),
  request(input: ReviewsInput, site: SiteView): SiteRequest {
    const { id } = wantedApp(input, site);
    const size = site.cursor === null ? [SIZE] : [SIZE, null, site.cursor];
    const nothing = Array.from({ length: 9 }, () => null);
    const asked = JSON.stringify([null, [2, ORDERS[input.sort], size, null, nothing], [id, 7]]);
    return {
      origin: 'play',
      path: '/_/PlayStoreUi/data/batchexecute',
      query: { rpcids: CALL, hl: input.language, gl: input.country.toUpperCase() },
      post: { form: { 'f.req': JSON.stringify([[[CALL, asked, null, 'generic']]]) } },
      language: input.language,
    };
  },
  parse({ body }: SourcePage) {
    const answer = batchAnswer(body);
    if (!Array.isArray(answer)) return unusable('reviews of an app');
    const found = list(answer[0]);
    const reviews = found.flatMap((one) => toPlayReview(one) ?? []);
    if (reviews.length === 0) return found.length === 0 ? empty() : unusable('reviews that can be read');
    return pageOf({ reviews }, line(at(answer, 1, 1)));
  },
};

/** The few reviews that the page of an app shows. */
export const playPageReviews = {
  name: 'page',
  lacks: 'the page of an app shows few reviews, in an order of its own',
  when: (site: SiteView, input: ReviewsInput): boolean => site.cursor === null && isOf('play')(site, input),
  request: (input: ReviewsInput, site: SiteView): SiteRequest => ({
    origin: 'play',
    path: '/store/apps/details',
    query: { id: wantedApp(input, site).id, hl: input.language, gl: input.country.toUpperCase() },
    language: input.language,
  }),
  parse({ body, url }: SourcePage, input: ReviewsInput, site: SiteView) {
    const page = parsePage(body, url);
    const shown = URL.parse(canonicalOf(page) ?? '', PLAY_HOME)?.searchParams.get('id');
    if (shown !== wantedApp(input, site).id) return unusable('the app asked for');
    const reviews = listsIn(playData(page), isReview).flatMap((one) => toPlayReview(one) ?? []);
    return reviews.length === 0 ? unusable('reviews in the page') : { reviews };
  },
};

/** The answer to the one call of a batch, which is a text in the answer to the batch. */
function batchAnswer(body: string): unknown {
  const anchor = `"wrb.fr","${CALL}",`;
  const from = body.indexOf(anchor);
  const given = from < 0 ? undefined : readLiteral(body, from + anchor.length)?.value;
  return typeof given === 'string' ? tryParse(given) : undefined;
}

function isReview(found: readonly unknown[]): boolean {
  return UUID.test(line(found[0]) ?? '') && integer(found[2]) !== null;
}

function toPlayReview(raw: unknown): AppReview | null {
  const id = line(at(raw, 0));
  const rating = integer(at(raw, 2));
  if (id === null || rating === null || rating < 1 || rating > 5) return null;
  const reply = text(at(raw, 7, 1));
  return {
    id,
    title: null,
    text: text(at(raw, 4)),
    rating,
    author: line(at(raw, 1, 0)),
    version: line(at(raw, 10)),
    created_at: moment(at(raw, 5, 0)),
    helpful_count: countOf(at(raw, 6), null)?.value ?? null,
    vote_count: null,
    reply: reply === null ? null : { text: reply, created_at: moment(at(raw, 7, 2, 0)) },
  };
}
