import { answerEmpty, requestMore, buildPage, unusable } from '#sites/framework/answers.ts';
import type { EndpointSource } from '#sites/framework/endpoint.ts';
import type { SiteRequest } from '#sites/framework/request.ts';
import { parseJsonValue } from '#extract/values/json.ts';
import { getPath, toLine, toArray } from '#extract/values/raw.ts';
import { BLUESKY_PAGE_SIZE, toBlueskyPost } from './bluesky.ts';
import { buildLookup, MASTODON_PAGE_SIZE, readPostPage } from './mastodon.ts';
import { AccountInput, findAccount, matchAccounts, PostList } from './shared.ts';
import { microblog } from './site.ts';
import { buildTimelineRequest, parseCaptures, readEmbeddedTimeline, readXTimeline, toXPost } from './x.ts';

const xPostsEmbed: EndpointSource<typeof AccountInput, typeof PostList> = {
  name: 'x_timeline',
  lacks: 'the embedded timeline has only some of the posts, not always the newest',
  when: matchAccounts('x'),
  request: buildTimelineRequest,
  parse(page, input, site) {
    const { entries, owner, hasResults } = readEmbeddedTimeline(page);
    const name = findAccount(input, site).name.toLowerCase();
    if (owner !== name) return unusable('the requested timeline is missing');
    const read = entries.flatMap((raw) => toXPost(raw) ?? []);
    const posts = read.filter((post) => post.is_repost || post.author.username.toLowerCase() === name);
    if (posts.length > 0) return buildPage({ posts }, null);
    return entries.length === 0 && hasResults === false ? answerEmpty() : unusable('no readable posts');
  },
};

const xPostsBrowser: EndpointSource<typeof AccountInput, typeof PostList> = {
  name: 'x_browser',
  needs: 'browser',
  browser: { scroll: 'end' },
  captures: [{ name: 'posts', path: /\/graphql\/[^/]+\/UserTweets$/ }],
  lacks: 'visitors without a login see only some of the posts, not always the newest',
  when: matchAccounts('x'),
  request: (input, site) => ({ origin: 'web', path: `/${findAccount(input, site).name}` }),
  parse(page, input, site) {
    const name = findAccount(input, site).name.toLowerCase();
    const all = readXTimeline(parseCaptures(page));
    if (all === null) return unusable('the posts of an account are missing');
    const posts = all.filter(({ author, is_repost: isRepost }) => isRepost || author.username.toLowerCase() === name);
    return posts.some((post) => !post.is_repost)
      ? buildPage({ posts }, null)
      : unusable('no posts of the requested account');
  },
};

const blueskyPosts: EndpointSource<typeof AccountInput, typeof PostList> = {
  name: 'bluesky',
  when: matchAccounts('bluesky'),
  request: (input, site) => ({
    origin: 'appview',
    path: '/xrpc/app.bsky.feed.getAuthorFeed',
    query: { actor: findAccount(input, site).name, limit: BLUESKY_PAGE_SIZE, cursor: site.cursor },
  }),
  parse(page, input, site) {
    const answer = parseJsonValue(page.body);
    const feed = getPath(answer, 'feed');
    if (!Array.isArray(feed)) return unusable('no feed');
    if (feed.length === 0) return answerEmpty();
    const { name } = findAccount(input, site);
    const posts = toArray(feed).flatMap((one) => {
      const post = toBlueskyPost(getPath(one, 'post'));
      const isRepost = toLine(getPath(one, 'reason', '$type'))?.endsWith('#reasonRepost') === true;
      return post === null ? [] : [{ ...post, is_repost: isRepost }];
    });
    const isOwn = posts.every(
      ({ author, is_repost: isRepost }) =>
        isRepost || author.id === name || author.username.toLowerCase() === name.toLowerCase(),
    );
    return posts.length > 0 && isOwn
      ? buildPage({ posts }, toLine(getPath(answer, 'cursor')))
      : unusable('no posts of the account');
  },
};

/** The posts of an account. The first request looks up its id; the cursor contains the id and the last post. */
const mastodonPosts: EndpointSource<typeof AccountInput, typeof PostList> = {
  name: 'mastodon',
  when: matchAccounts('mastodon'),
  request(input, site) {
    const [id, before] = site.cursor?.split(' ') ?? [];
    return id !== undefined && before !== undefined ? buildStatusesRequest(id, before) : buildLookup(input, site);
  },
  parse(page, _input, site) {
    const answer = parseJsonValue(page.body);
    const id = toLine(site.cursor?.split(' ')[0]) ?? toLine(page.carry);
    const read = id === null ? null : readPostPage(page, id);
    if (read !== null) {
      if (!('posts' in read)) return read;
      return buildPage({ posts: read.posts }, read.next === null ? null : `${id} ${read.next}`);
    }
    const owner = toLine(getPath(answer, 'id'));
    return owner === null || !/^\d{1,25}$/.test(owner)
      ? unusable('no account')
      : requestMore(buildStatusesRequest(owner, null), owner);
  },
};

export const microblogPosts = microblog({
  path: '/posts',
  summary: 'The posts of an account on a network of short posts (X, Bluesky, Mastodon)',
  input: AccountInput,
  record: PostList,
  anyOf: ['username', 'url'],
  aliases: { username: ['handle', 'user'], limit: ['per_page'] },
  list: 'posts',
  limit: { default: 20, max: 100 },
  sources: [xPostsEmbed, xPostsBrowser, blueskyPosts, mastodonPosts],
  expected: ['posts.text', 'posts.created_at', 'posts.like_count', 'posts.repost_count'],
  canary: { username: 'bsky.app' },
});

const buildStatusesRequest = (id: string, before: string | null): SiteRequest => ({
  origin: 'mastodon',
  path: `/api/v1/accounts/${id}/statuses`,
  query: { limit: MASTODON_PAGE_SIZE, max_id: before },
});
