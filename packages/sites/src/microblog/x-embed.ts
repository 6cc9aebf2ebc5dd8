import { empty, notFound, notHere, pageOf, unusable } from '#sites/framework/answers.ts';
import type { EndpointSource } from '#sites/framework/endpoint.ts';
import type { SourcePage } from '#sites/framework/request.ts';
import { parsePage } from '#extract/dom/parsed-page.ts';
import { jsonScript } from '#extract/dom/scripts.ts';
import { tryParse } from '#extract/values/json.ts';
import { at, boolean, line, list } from '#extract/values/raw.ts';
import { microblogAccountOf, postPlaceOf, servesAccounts, servesPosts } from './account.ts';
import type { MicroAccountInput, MicroPostInput } from './account.ts';
import type { PostAnswer, PostList, ProfileAnswer } from './records.ts';
import { toXPost, toXProfile } from './tweet.ts';

/** The token that an embedded post asks with: its id in letters. */
function tokenOf(id: string): string {
  return ((Number(id) / 1e15) * Math.PI).toString(36).replaceAll(/0+|\./g, '');
}

/** What pages that embed a post are told of it. */
export const xPostEmbed: EndpointSource<typeof MicroPostInput, typeof PostAnswer> = {
  name: 'x_embed',
  lacks: 'posts that are embedded are told without reposts, quotes, views and bookmarks',
  when: servesPosts('x'),
  request(input, site) {
    const { id } = postPlaceOf(input, site);
    return { origin: 'embed', path: '/tweet-result', query: { id, lang: 'en', token: tokenOf(id) } };
  },
  parse(page, input, site) {
    const raw = tryParse(page.body);
    if (line(at(raw, '__typename')) === 'TweetTombstone')
      return notFound(line(at(raw, 'tombstone', 'text', 'text'))?.slice(0, 200) ?? 'it was deleted, or is not shown');
    const post = toXPost(raw);
    return post?.id === postPlaceOf(input, site).id ? { post } : unusable('the post');
  },
};

/** The timeline that other pages embed. */
function requestTimeline(input: MicroAccountInput, site: Parameters<typeof microblogAccountOf>[1]) {
  return {
    origin: 'timeline',
    path: `/srv/timeline-profile/screen-name/${microblogAccountOf(input, site).name}`,
  } as const;
}

function timelineIn({ body, url }: SourcePage) {
  const props = at(jsonScript(parsePage(body, url), { id: '__NEXT_DATA__' }), 'props', 'pageProps');
  const entries = list(at(props, 'timeline', 'entries')).map((entry) => at(entry, 'content', 'tweet'));
  const owner = line(at(props, 'headerProps', 'screenName'))?.toLowerCase() ?? null;
  return { entries, owner, hasResults: boolean(at(props, 'contextProvider', 'hasResults')) };
}

export const xPostsEmbed: EndpointSource<typeof MicroAccountInput, typeof PostList> = {
  name: 'x_timeline',
  lacks: 'the timeline that other pages embed has some of the posts, not always the newest',
  when: servesAccounts('x'),
  request: requestTimeline,
  parse(page, input, site) {
    const { entries, owner, hasResults } = timelineIn(page);
    const name = microblogAccountOf(input, site).name.toLowerCase();
    if (owner !== name) return unusable('the timeline asked for');
    const read = entries.flatMap((raw) => toXPost(raw) ?? []);
    const posts = read.filter((post) => post.is_repost || post.author.username.toLowerCase() === name);
    if (posts.length > 0) return pageOf({ posts }, null);
    return entries.length === 0 && hasResults === false ? empty() : unusable('posts that can be read');
  },
};

export const xProfileEmbed: EndpointSource<typeof MicroAccountInput, typeof ProfileAnswer> = {
  name: 'x_timeline',
  when: servesAccounts('x'),
  request: requestTimeline,
  parse(page, input, site) {
    const { name } = microblogAccountOf(input, site);
    for (const raw of timelineIn(page).entries) {
      const profile = toXProfile(at(raw, 'user'));
      if (profile?.username.toLowerCase() === name.toLowerCase()) return { profile };
    }
    return notHere('the embedded timeline shows nobody of that name');
  },
};
