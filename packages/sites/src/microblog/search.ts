import { z } from 'zod';
import { answerEmpty, buildPage, unusable } from '#sites/framework/answers.ts';
import type { EndpointSource } from '#sites/framework/endpoint.ts';
import { refuseParameter } from '#sites/framework/site.ts';
import { parseJsonValue } from '#extract/values/json.ts';
import { getPath, toLine, toArray } from '#extract/values/raw.ts';
import { BLUESKY_PAGE_SIZE, toBlueskyPost } from './bluesky.ts';
import { MASTODON_PAGE_SIZE, readPostPage } from './mastodon.ts';
import { SearchAnswer } from './shared.ts';
import { microblog } from './site.ts';
import { parseCaptures, readXTimeline } from './x.ts';

const SearchInput = z.object({
  search: z.string().trim().min(1).max(500).describe('Words to search for; on mastodon a single hashtag'),
  network: z
    .enum(['bluesky', 'mastodon', 'x'])
    .default('bluesky')
    .describe('Network to search; x shows results only after login, so it often fails with target_blocked'),
  sort: z
    .enum(['top', 'latest'])
    .default('top')
    .describe('The order of the results; mastodon always returns the latest first'),
});

type SearchInput = z.output<typeof SearchInput>;

const blueskySearch: EndpointSource<typeof SearchInput, typeof SearchAnswer> = {
  name: 'bluesky',
  when: (_site, { network }) => network === 'bluesky',
  request: ({ search, sort }, { cursor }) => ({
    origin: 'appview',
    path: '/xrpc/app.bsky.feed.searchPosts',
    query: { q: search, sort, limit: BLUESKY_PAGE_SIZE, cursor },
  }),
  parse(page) {
    const answer = parseJsonValue(page.body);
    const posts = getPath(answer, 'posts');
    if (!Array.isArray(posts)) return unusable('the results of a search are missing');
    if (posts.length === 0) return answerEmpty();
    const results = toArray(posts).flatMap((one) => toBlueskyPost(one) ?? []);
    return results.length === 0
      ? unusable('no readable posts')
      : buildPage({ results }, toLine(getPath(answer, 'cursor')));
  },
};

/** The timeline of a hashtag. Mastodon allows a search for words only after login. */
const mastodonSearch: EndpointSource<typeof SearchInput, typeof SearchAnswer> = {
  name: 'mastodon',
  when: (_site, { network }) => network === 'mastodon',
  request({ search }, { cursor }) {
    const tag = search.replace(/^#/, '');
    if (!/^[\p{L}\p{N}_]{1,100}$/u.test(tag)) refuseParameter('search', 'on mastodon must be one hashtag');
    return {
      origin: 'mastodon',
      path: `/api/v1/timelines/tag/${encodeURIComponent(tag)}`,
      query: { limit: MASTODON_PAGE_SIZE, max_id: cursor },
    };
  },
  parse(page) {
    const read = readPostPage(page, null);
    return 'posts' in read ? buildPage({ results: read.posts }, read.next) : read;
  },
};

const xSearchBrowser: EndpointSource<typeof SearchInput, typeof SearchAnswer> = {
  name: 'x_browser',
  needs: 'browser',
  browser: { scroll: 'end' },
  captures: [{ name: 'results', path: /\/graphql\/[^/]+\/SearchTimeline$/ }],
  lacks: 'one visit loads only the first of the results',
  when: (_site, { network }) => network === 'x',
  request: ({ search, sort }) => ({
    origin: 'web',
    path: '/search',
    query: { q: search, src: 'typed_query', f: sort === 'latest' ? 'live' : 'top' },
  }),
  parse(page) {
    const results = readXTimeline(parseCaptures(page));
    if (results === null) return unusable('the results of a search are missing');
    return results.length === 0 ? answerEmpty() : buildPage({ results }, null);
  },
};

export const microblogSearch = microblog({
  path: '/search',
  summary: 'Short posts by words or hashtags (Bluesky, Mastodon, X)',
  input: SearchInput,
  record: SearchAnswer,
  aliases: { search: ['q', 'query', 'keyword', 'keywords'], limit: ['per_page'] },
  list: 'results',
  limit: { default: 20, max: 100 },
  sources: [blueskySearch, mastodonSearch, xSearchBrowser],
  expected: ['results.text', 'results.created_at', 'results.like_count', 'results.author.name'],
  canary: { search: 'windmill' },
});
