import { empty, notFound, pageOf, unusable } from '#sites/framework/answers.ts';
import type { EndpointSource } from '#sites/framework/endpoint.ts';
import type { SourcePage } from '#sites/framework/request.ts';
import { findWith } from '#extract/json/search.ts';
import { tryParse } from '#extract/values/json.ts';
import { at, line } from '#extract/values/raw.ts';
import { microblogAccountOf, postPlaceOf, servesAccounts, servesPosts } from './account.ts';
import type { MicroAccountInput, MicroPostInput } from './account.ts';
import type { FoundPosts, PostAnswer, PostList } from './records.ts';
import type { MicroSearchInput } from './search-input.ts';
import { toXPost } from './tweet.ts';
import { readXTimeline } from './x-timeline.ts';

/** What the page of an account, a post or a search loads by itself, as a browser sees it. */
function answersOf({ captures }: SourcePage): readonly unknown[] {
  return captures.map(({ text }) => tryParse(text));
}

export const xPostsDrawn: EndpointSource<typeof MicroAccountInput, typeof PostList> = {
  name: 'x_browser',
  needs: 'browser',
  browser: { scroll: 'end' },
  captures: [{ name: 'posts', path: /\/graphql\/[^/]+\/UserTweets$/ }],
  lacks: 'those without a login are shown some of the posts, not always the newest',
  when: servesAccounts('x'),
  request: (input, site) => ({ origin: 'web', path: `/${microblogAccountOf(input, site).name}` }),
  parse(page, input, site) {
    const name = microblogAccountOf(input, site).name.toLowerCase();
    const all = readXTimeline(answersOf(page));
    if (all === null) return unusable('the posts of an account');
    const posts = all.filter(({ author, is_repost: isRepost }) => isRepost || author.username.toLowerCase() === name);
    return posts.some((post) => !post.is_repost) ? pageOf({ posts }, null) : unusable('posts of the account asked for');
  },
};

export const xPostDrawn: EndpointSource<typeof MicroPostInput, typeof PostAnswer> = {
  name: 'x_browser',
  needs: 'browser',
  captures: [{ name: 'post', path: /\/graphql\/[^/]+\/Tweet(?:ResultByRestId|Detail)$/ }],
  when: servesPosts('x'),
  request(input, site) {
    const { id, by } = postPlaceOf(input, site);
    return { origin: 'web', path: `/${by ?? 'i'}/status/${id}` };
  },
  parse(page, input, site) {
    const answers = answersOf(page);
    const { id } = postPlaceOf(input, site);
    const single = answers.map((answer) => at(answer, 'data', 'tweetResult', 'result'));
    const posts = [...single.map((raw) => toXPost(raw)), ...(readXTimeline(answers) ?? [])];
    const post = posts.find((one) => one?.id === id);
    if (post !== undefined && post !== null) return { post };
    const reason = single.map((raw) => line(at(raw, 'reason'))).find((one) => one !== null);
    if (reason !== undefined) return notFound(`the site does not show it: ${reason}`);
    const hasTomb = findWith(answers, 'tombstone').length > 0 && posts.length === 0;
    return hasTomb ? notFound('it was deleted, or is not shown') : unusable('the post');
  },
};

export const xSearchDrawn: EndpointSource<typeof MicroSearchInput, typeof FoundPosts> = {
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
    const results = readXTimeline(answersOf(page));
    if (results === null) return unusable('the results of a search');
    return results.length === 0 ? empty() : pageOf({ results }, null);
  },
};
