import { empty, more, pageOf, unusable } from '#sites/framework/answers.ts';
import type { EndpointSource } from '#sites/framework/endpoint.ts';
import type { SiteRequest, SourcePage } from '#sites/framework/request.ts';
import { refuseParameter } from '#sites/framework/site.ts';
import { tryParse } from '#extract/values/json.ts';
import { at, line, list } from '#extract/values/raw.ts';
import { microblogAccountOf, postPlaceOf, servesAccounts, servesPosts } from './account.ts';
import type { MicroAccountInput, MicroPostInput } from './account.ts';
import type { SiteAnswer } from '#sites/framework/answers.ts';
import { nameAtServer, toToot, toTootProfile } from './mastodon-post.ts';
import type { FoundPosts, MicroPost, PostAnswer, PostList, ProfileAnswer } from './records.ts';
import type { MicroSearchInput } from './search-input.ts';

/** The most posts of one answer of the interface. */
const USUAL = 40;

function lookUp(input: MicroAccountInput, site: Parameters<typeof microblogAccountOf>[1]): SiteRequest {
  return { origin: 'mastodon', path: '/api/v1/accounts/lookup', query: { acct: microblogAccountOf(input, site).name } };
}

export const tootProfile: EndpointSource<typeof MicroAccountInput, typeof ProfileAnswer> = {
  name: 'mastodon',
  when: servesAccounts('mastodon'),
  request: lookUp,
  parse(page, input, site) {
    const profile = toTootProfile(tryParse(page.body));
    const wanted = microblogAccountOf(input, site).name;
    return profile !== null && nameAtServer(profile) === nameAtServer({ username: wanted, url: profile.url })
      ? { profile }
      : unusable('the profile asked for');
  },
};

const statusesOf = (id: string, before: string | null): SiteRequest => ({
  origin: 'mastodon',
  path: `/api/v1/accounts/${id}/statuses`,
  query: { limit: USUAL, max_id: before },
});

/** The posts of an account: first its number, then they; a token has both. */
export const toots: EndpointSource<typeof MicroAccountInput, typeof PostList> = {
  name: 'mastodon',
  when: servesAccounts('mastodon'),
  request(input, site) {
    const [id, before] = site.cursor?.split(' ') ?? [];
    return id !== undefined && before !== undefined ? statusesOf(id, before) : lookUp(input, site);
  },
  parse(page, _input, site) {
    const answer = tryParse(page.body);
    const id = line(site.cursor?.split(' ')[0]) ?? line(page.carry);
    const read = id === null ? null : readToots(page, id);
    if (read !== null) {
      if (!('posts' in read)) return read;
      return pageOf({ posts: read.posts }, read.next === null ? null : `${id} ${read.next}`);
    }
    const owner = line(at(answer, 'id'));
    return owner === null || !/^\d{1,25}$/.test(owner) ? unusable('an account') : more(statusesOf(owner, null), owner);
  },
};

export const toot: EndpointSource<typeof MicroPostInput, typeof PostAnswer> = {
  name: 'mastodon',
  when: servesPosts('mastodon'),
  request: (input, site) => ({ origin: 'mastodon', path: `/api/v1/statuses/${postPlaceOf(input, site).id}` }),
  parse(page, input, site) {
    const post = toToot(tryParse(page.body));
    return post?.id === postPlaceOf(input, site).id ? { post } : unusable('the post');
  },
};

/** Words are searched for by those who are logged in only; what is under a hashtag, everybody sees. */
export const tagged: EndpointSource<typeof MicroSearchInput, typeof FoundPosts> = {
  name: 'mastodon',
  when: (_site, { network }) => network === 'mastodon',
  request({ search }, { cursor }) {
    const tag = search.replace(/^#/, '');
    if (!/^[\p{L}\p{N}_]{1,100}$/u.test(tag)) refuseParameter('search', 'on mastodon must be one hashtag');
    return {
      origin: 'mastodon',
      path: `/api/v1/timelines/tag/${encodeURIComponent(tag)}`,
      query: { limit: USUAL, max_id: cursor },
    };
  },
  parse(page) {
    const read = readToots(page, null);
    return 'posts' in read ? pageOf({ results: read.posts }, read.next) : read;
  },
};

type Toots = { readonly posts: readonly MicroPost[]; readonly next: string | null };

function readToots(page: SourcePage, owner: string | null): Toots | SiteAnswer {
  const answer = tryParse(page.body);
  if (!Array.isArray(answer)) return unusable('a list of posts');
  if (answer.length === 0) return empty();
  if (owner !== null && !answer.every((one) => line(at(one, 'account', 'id')) === owner))
    return unusable('posts of the account asked for');
  const posts = list(answer).flatMap((one) => toToot(one) ?? []);
  const href = /<([^<>]{1,2000})>;\s*rel="next"/.exec(page.headers['link'] ?? '')?.[1];
  const next = URL.parse(href ?? '', page.url)?.searchParams.get('max_id') ?? null;
  return posts.length === 0 ? unusable('posts that can be read') : { posts, next };
}
