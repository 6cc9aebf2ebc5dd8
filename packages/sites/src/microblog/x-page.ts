import { notFound, partly, unusable } from '#sites/framework/answers.ts';
import type { EndpointSource } from '#sites/framework/endpoint.ts';
import { canonicalOf, openGraph, things } from '#extract/dom/described.ts';
import { all, attributeAt, lineAt, one } from '#extract/dom/elements.ts';
import { parsePage } from '#extract/dom/parsed-page.ts';
import type { ParsedPage } from '#extract/dom/parsed-page.ts';
import { pathParts } from '#extract/urls/path-parts.ts';
import { interactionCount } from '#extract/structured/interactions.ts';
import { attributeOf } from '#extract/html/tree.ts';
import { toList } from '#extract/values/json.ts';
import { at, integer, line, mediaUrl, moment, text, url } from '#extract/values/raw.ts';
import { microblogAccountOf, postPlaceOf, servesAccounts, servesPosts } from './account.ts';
import type { MicroAccountInput, MicroPostInput } from './account.ts';
import type { MicroPost, MicroProfile, PostAnswer, ProfileAnswer } from './records.ts';
import { NETWORK_HOMES } from './site.ts';
import { unique } from './tweet.ts';

const HOME = NETWORK_HOMES.x;

/** The page of an account, which describes it for search engines. */
export const xProfilePage: EndpointSource<typeof MicroAccountInput, typeof ProfileAnswer> = {
  name: 'x_page',
  when: servesAccounts('x'),
  request: (input, site) => ({ origin: 'web', path: `/${microblogAccountOf(input, site).name}` }),
  parse(source, input, site) {
    const page = parsePage(source.body, source.url);
    const { name } = microblogAccountOf(input, site);
    for (const { members } of things(page, 'ProfilePage')) {
      const profile = profileIn(page, members);
      if (profile !== null) {
        const isWanted = profile.username.toLowerCase() === name.toLowerCase();
        return isWanted ? { profile } : unusable(`the profile of another: ${profile.username}`);
      }
    }
    return goneIn(page) ?? unusable('a profile');
  },
};

function profileIn({ url: base }: ParsedPage, members: unknown): MicroProfile | null {
  const person = at(members, 'mainEntity');
  const [id, username] = [line(at(person, 'identifier')), line(at(person, 'additionalName'))];
  if (id === null || username === null) return null;
  const counters = at(person, 'interactionStatistic');
  const links = toList(at(members, 'relatedLink')).flatMap((link) => url(link, base) ?? []);
  return {
    id,
    username,
    name: line(at(person, 'name')),
    url: `${HOME}/${username}`,
    network: 'x',
    description: text(at(person, 'description')),
    location: line(at(person, 'homeLocation', 'name')),
    // The site's own short links stand beside what they lead to.
    website: links.find((link) => !link.startsWith('https://t.co/')) ?? links[0] ?? null,
    followers: interactionCount(counters, 'FollowAction'),
    following: interactionCount(counters, 'SubscribeAction'),
    post_count: interactionCount(counters, 'WriteAction'),
    created_at: moment(at(members, 'dateCreated')),
    verified: null,
    avatar_url: mediaUrl(at(person, 'image', 'contentUrl'), base),
    banner_url: null,
    is_protected: null,
  };
}

function goneIn(page: ParsedPage) {
  const said =
    lineAt(page, '[data-testid=empty_state_header_text]') ?? lineAt(page, '[data-testid=error-detail]') ?? '';
  return /doesn.t exist|suspended|deleted|unavailable|limits who can/i.test(said) ? notFound(said.slice(0, 200)) : null;
}

/** The page of a post: what it shows, else what it describes for those who link to it. */
export const xPostPage: EndpointSource<typeof MicroPostInput, typeof PostAnswer> = {
  name: 'x_page',
  when: servesPosts('x'),
  request(input, site) {
    const { id, by } = postPlaceOf(input, site);
    return { origin: 'web', path: `/${by ?? 'i'}/status/${id}` };
  },
  parse(source, input, site) {
    const page = parsePage(source.body, source.url);
    const { id } = postPlaceOf(input, site);
    const shown = shownPost(page, id);
    if (shown !== null) return { post: shown };
    const own = pathParts(new URL(canonicalOf(page) ?? source.url, source.url).pathname);
    const title = openGraph(page, 'og:title');
    const [, name, username] = /^(.{1,200}?) \(@(\w{1,15})\) on X$/.exec(title ?? '') ?? [];
    if (own[2] === id && username !== undefined)
      return partly(
        { post: linkedPost(page, { id, username, name: name ?? null }) },
        'only what the page tells those who link to it is there',
      );
    return goneIn(page) ?? unusable('the post');
  },
};

const NOTHING = {
  language: null,
  reply_count: null,
  repost_count: null,
  quote_count: null,
  like_count: null,
  view_count: null,
  bookmark_count: null,
  media: [],
  links: [],
  hashtags: [],
  mentions: [],
  quoted_post: null,
  in_reply_to: null,
  is_repost: false,
} as const;

type Linked = { readonly id: string; readonly username: string; readonly name: string | null };

function linkedPost(page: ParsedPage, { id, username, name }: Linked): MicroPost {
  return {
    ...NOTHING,
    id,
    url: `${HOME}/${username}/status/${id}`,
    text: openGraph(page, 'og:description'),
    author: { id: null, username, name, verified: null, avatar_url: mediaUrl(openGraph(page, 'og:image'), page.url) },
    created_at: null,
  };
}

/** The post as the page draws it: the one whose time leads to it. */
function shownPost(page: ParsedPage, id: string): MicroPost | null {
  for (const article of all(page, 'article[data-testid=tweet]')) {
    const link = all(page, 'a[href*="/status/"]', article).find(
      (node) => one(page, 'time', node) !== 0 && pathParts(attributeOf(page.tree, node, 'href') ?? '')[2] === id,
    );
    const [username] = pathParts(attributeOf(page.tree, link ?? 0, 'href') ?? '');
    if (link === undefined || username === undefined) continue;
    const words = one(page, '[data-testid=tweetText]', article);
    const counts = attributeAt(page, '[role=group][aria-label]', 'aria-label', article) ?? '';
    return {
      ...NOTHING,
      ...countsIn(counts),
      id,
      url: `${HOME}/${username}/status/${id}`,
      text:
        lineAt(page, '[data-testid=twitter-article-title]', article) ??
        lineAt(page, '[data-testid=tweetText]', article),
      author: {
        id: null,
        username,
        name: lineAt(page, '[data-testid=User-Name] a', article),
        verified: one(page, '[data-testid=User-Name] [data-testid=icon-verified]', article) !== 0,
        avatar_url: mediaUrl(attributeAt(page, '[data-testid=Tweet-User-Avatar] img', 'src', article), page.url),
      },
      created_at: moment(attributeAt(page, 'time', 'datetime', link)),
      language: words === 0 ? null : line(attributeOf(page.tree, words, 'lang')),
      media: all(page, '[data-testid=tweetPhoto] img', article).flatMap((node) => pictureOf(page, node)),
      ...referencesIn(page, words),
    };
  }
  return null;
}

function pictureOf(page: ParsedPage, node: number): MicroPost['media'] {
  const source = mediaUrl(attributeOf(page.tree, node, 'src'), page.url);
  const alt = line(attributeOf(page.tree, node, 'alt'));
  const nothing = { thumbnail_url: null, width: null, height: null, duration_ms: null };
  return source === null ? [] : [{ ...nothing, type: 'image', url: source, description: alt === 'Image' ? null : alt }];
}

/** `18151 replies, 15635 reposts, 76091 likes, 49 bookmarks, 1122900 views` */
function countsIn(words: string) {
  const of = (name: string): number | null => integer(new RegExp(`([\\d,]{1,20}) ${name}`, 'i').exec(words)?.[1]);
  return {
    reply_count: of('repl(?:y|ies)'),
    repost_count: of('reposts?'),
    like_count: of('likes?'),
    bookmark_count: of('bookmarks?'),
    view_count: of('views?'),
  };
}

function referencesIn(page: ParsedPage, words: number) {
  const links =
    words === 0 ? [] : all(page, 'a[href]', words).map((node) => attributeOf(page.tree, node, 'href') ?? '');
  return {
    mentions: unique(links.filter((link) => /^\/\w{1,15}$/.test(link)).map((link) => link.slice(1))),
    hashtags: unique(links.flatMap((link) => (link.startsWith('/hashtag/') ? (pathParts(link)[1] ?? []) : []))),
    links: unique(links.filter((link) => /^https?:/.test(link)).flatMap((link) => url(link, page.url) ?? [])),
  };
}
