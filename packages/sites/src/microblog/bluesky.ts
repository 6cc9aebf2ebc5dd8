import { empty, notFound, pageOf, unusable } from '#sites/framework/answers.ts';
import type { EndpointSource } from '#sites/framework/endpoint.ts';
import { tryParse } from '#extract/values/json.ts';
import { at, list, line } from '#extract/values/raw.ts';
import { microblogAccountOf, postPlaceOf, servesAccounts, servesPosts } from './account.ts';
import type { MicroAccountInput, MicroPostInput } from './account.ts';
import { toSkyPost, toSkyProfile } from './bluesky-post.ts';
import type { FoundPosts, PostAnswer, PostList, ProfileAnswer } from './records.ts';
import type { MicroSearchInput } from './search-input.ts';

/** The most posts of one answer of the interface. */
const USUAL = 50;

export const skyProfile: EndpointSource<typeof MicroAccountInput, typeof ProfileAnswer> = {
  name: 'bluesky',
  when: servesAccounts('bluesky'),
  request: (input, site) => ({
    origin: 'appview',
    path: '/xrpc/app.bsky.actor.getProfile',
    query: { actor: microblogAccountOf(input, site).name },
  }),
  parse(page, input, site) {
    const profile = toSkyProfile(tryParse(page.body));
    const { name } = microblogAccountOf(input, site);
    const isWanted = profile?.id === name || profile?.username.toLowerCase() === name.toLowerCase();
    return profile !== null && isWanted ? { profile } : unusable('the profile asked for');
  },
};

export const skyPosts: EndpointSource<typeof MicroAccountInput, typeof PostList> = {
  name: 'bluesky',
  when: servesAccounts('bluesky'),
  request: (input, site) => ({
    origin: 'appview',
    path: '/xrpc/app.bsky.feed.getAuthorFeed',
    query: { actor: microblogAccountOf(input, site).name, limit: USUAL, cursor: site.cursor },
  }),
  parse(page, input, site) {
    const answer = tryParse(page.body);
    const feed = at(answer, 'feed');
    if (!Array.isArray(feed)) return unusable('a feed');
    if (feed.length === 0) return empty();
    const { name } = microblogAccountOf(input, site);
    const posts = list(feed).flatMap((one) => {
      const post = toSkyPost(at(one, 'post'));
      const isRepost = line(at(one, 'reason', '$type'))?.endsWith('#reasonRepost') === true;
      return post === null ? [] : [{ ...post, is_repost: isRepost }];
    });
    const isOwn = posts.every(
      ({ author, is_repost: isRepost }) =>
        isRepost || author.id === name || author.username.toLowerCase() === name.toLowerCase(),
    );
    return posts.length > 0 && isOwn ? pageOf({ posts }, line(at(answer, 'cursor'))) : unusable('posts of the account');
  },
};

export const skyPost: EndpointSource<typeof MicroPostInput, typeof PostAnswer> = {
  name: 'bluesky',
  when: servesPosts('bluesky'),
  request(input, site) {
    const { id, by } = postPlaceOf(input, site);
    const uri = `at://${by}/app.bsky.feed.post/${id}`;
    return { origin: 'appview', path: '/xrpc/app.bsky.feed.getPostThread', query: { uri, depth: 0, parentHeight: 1 } };
  },
  parse(page, input, site) {
    const thread = at(tryParse(page.body), 'thread');
    if (at(thread, 'notFound') === true) return notFound('it was deleted');
    if (at(thread, 'blocked') === true) return notFound('its author shows it to some only');
    const post = toSkyPost(at(thread, 'post'));
    if (post?.id.split('/').at(-1) !== postPlaceOf(input, site).id) return unusable('the post');
    const username = line(at(thread, 'parent', 'post', 'author', 'handle'));
    return { post: post.in_reply_to === null ? post : { ...post, in_reply_to: { ...post.in_reply_to, username } } };
  },
};

export const skySearch: EndpointSource<typeof MicroSearchInput, typeof FoundPosts> = {
  name: 'bluesky',
  when: (_site, { network }) => network === 'bluesky',
  request: ({ search, sort }, { cursor }) => ({
    origin: 'appview',
    path: '/xrpc/app.bsky.feed.searchPosts',
    query: { q: search, sort, limit: USUAL, cursor },
  }),
  parse(page) {
    const answer = tryParse(page.body);
    const found = at(answer, 'posts');
    if (!Array.isArray(found)) return unusable('the results of a search');
    if (found.length === 0) return empty();
    const results = list(found).flatMap((one) => toSkyPost(one) ?? []);
    return results.length === 0 ? unusable('posts that can be read') : pageOf({ results }, line(at(answer, 'cursor')));
  },
};
