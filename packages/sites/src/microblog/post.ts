import { type PathKinds, refuseLink, refuseReference } from '#sites/framework/site.ts';
import { notFound, markPartial, unusable } from '#sites/framework/answers.ts';
import type { EndpointSource } from '#sites/framework/endpoint.ts';
import {
  findCanonicalUrl,
  findOpenGraph,
  selectAll,
  readAttributeAt,
  readLineAt,
  selectFirst,
} from '#extract/dom/elements.ts';
import { type ParsedPage, parsePage } from '#extract/dom/parsed-page.ts';
import { getAttribute } from '#extract/html/tree.ts';
import { findObjectsWith } from '#extract/json/find-objects.ts';
import { splitPath } from '#extract/urls/url-parts.ts';
import { parseJsonValue } from '#extract/values/json.ts';
import { getPath, toInteger, toLine, toMediaUrl, toTimestamp, toCleanUrl } from '#extract/values/raw.ts';
import { toBlueskyPost } from './bluesky.ts';
import { toMastodonPost } from './mastodon.ts';
import {
  findAccountAt,
  listUnique,
  PATH_KINDS,
  type Post,
  PostAnswer,
  PostInput,
  type PostReference,
  type SiteLocator,
  X_NAME,
} from './shared.ts';
import { microblog, type Network } from './site.ts';
import { findRemoval, parseCaptures, readXTimeline, toXPost, X_HOME } from './x.ts';

/** The answer for pages that embed a post. */
const xPostEmbed: EndpointSource<typeof PostInput, typeof PostAnswer> = {
  name: 'x_embed',
  lacks: 'embedded posts have no counts of reposts, quotes, views and bookmarks',
  when: matchPosts('x'),
  request(input, site) {
    const { id } = findPost(input, site);
    return { origin: 'embed', path: '/tweet-result', query: { id, lang: 'en', token: buildToken(id) } };
  },
  parse(page, input, site) {
    const raw = parseJsonValue(page.body);
    if (toLine(getPath(raw, '__typename')) === 'TweetTombstone')
      return notFound(
        toLine(getPath(raw, 'tombstone', 'text', 'text'))?.slice(0, 200) ?? 'it was deleted, or is not shown',
      );
    const post = toXPost(raw);
    return post?.id === findPost(input, site).id ? { post } : unusable('the post is missing');
  },
};

/** The page of a post: its visible article, else its OpenGraph properties. */
const xPostPage: EndpointSource<typeof PostInput, typeof PostAnswer> = {
  name: 'x_page',
  when: matchPosts('x'),
  request(input, site) {
    const { id, by } = findPost(input, site);
    return { origin: 'web', path: `/${by ?? 'i'}/status/${id}` };
  },
  parse(source, input, site) {
    const page = parsePage(source.body, source.url);
    const { id } = findPost(input, site);
    const shown = readArticle(page, id);
    if (shown !== null) return { post: shown };
    const own = splitPath(new URL(findCanonicalUrl(page) ?? source.url, source.url).pathname);
    const title = findOpenGraph(page, 'og:title');
    const [, name, username] = /^(.{1,200}?) \(@(\w{1,15})\) on X$/.exec(title ?? '') ?? [];
    if (own[2] === id && username !== undefined)
      return markPartial(
        { post: toLinkedPost(page, { id, username, name: name ?? null }) },
        'the page had only its link preview',
      );
    return findRemoval(page) ?? unusable('the post is missing');
  },
};

const xPostBrowser: EndpointSource<typeof PostInput, typeof PostAnswer> = {
  name: 'x_browser',
  needs: 'browser',
  captures: [{ name: 'post', path: /\/graphql\/[^/]+\/Tweet(?:ResultByRestId|Detail)$/ }],
  when: matchPosts('x'),
  request(input, site) {
    const { id, by } = findPost(input, site);
    return { origin: 'web', path: `/${by ?? 'i'}/status/${id}` };
  },
  parse(page, input, site) {
    const answers = parseCaptures(page);
    const { id } = findPost(input, site);
    const single = answers.map((answer) => getPath(answer, 'data', 'tweetResult', 'result'));
    const posts = [...single.map((raw) => toXPost(raw)), ...(readXTimeline(answers) ?? [])];
    const post = posts.find((candidate) => candidate?.id === id);
    if (post !== undefined && post !== null) return { post };
    const refusal = single.map((raw) => toLine(getPath(raw, 'reason'))).find((reason) => reason !== null);
    if (refusal !== undefined) return notFound(`the site does not show it: ${refusal}`);
    const hasTomb = findObjectsWith(answers, 'tombstone').length > 0 && posts.length === 0;
    return hasTomb ? notFound('it was deleted, or is not shown') : unusable('the post is missing');
  },
};

const blueskyPost: EndpointSource<typeof PostInput, typeof PostAnswer> = {
  name: 'bluesky',
  when: matchPosts('bluesky'),
  request(input, site) {
    const { id, by } = findPost(input, site);
    const uri = `at://${by}/app.bsky.feed.post/${id}`;
    return { origin: 'appview', path: '/xrpc/app.bsky.feed.getPostThread', query: { uri, depth: 0, parentHeight: 1 } };
  },
  parse(page, input, site) {
    const thread = getPath(parseJsonValue(page.body), 'thread');
    if (getPath(thread, 'notFound') === true) return notFound('it was deleted');
    if (getPath(thread, 'blocked') === true) return notFound('its author restricts who can see it');
    const post = toBlueskyPost(getPath(thread, 'post'));
    if (post?.id.split('/').at(-1) !== findPost(input, site).id) return unusable('the post is missing');
    const username = toLine(getPath(thread, 'parent', 'post', 'author', 'handle'));
    return { post: post.in_reply_to === null ? post : { ...post, in_reply_to: { ...post.in_reply_to, username } } };
  },
};

const mastodonPost: EndpointSource<typeof PostInput, typeof PostAnswer> = {
  name: 'mastodon',
  when: matchPosts('mastodon'),
  request: (input, site) => ({ origin: 'mastodon', path: `/api/v1/statuses/${findPost(input, site).id}` }),
  parse(page, input, site) {
    const post = toMastodonPost(parseJsonValue(page.body));
    return post?.id === findPost(input, site).id ? { post } : unusable('the post is missing');
  },
};

export const microblogPost = microblog({
  path: '/post',
  summary: 'A short post (X, Bluesky, Mastodon)',
  input: PostInput,
  record: PostAnswer,
  anyOf: ['id', 'url'],
  sources: [xPostEmbed, xPostPage, xPostBrowser, blueskyPost, mastodonPost],
  expected: ['post.text', 'post.created_at', 'post.like_count', 'post.author.name'],
  canary: { url: 'https://bsky.app/profile/bsky.app/post/3l6oveex3ii2l' },
});

const POST_PLACES: PathKinds = [
  ...PATH_KINDS,
  [/^\/(?:profile\/)?[^/?]+\/?(?:\?|$)|^\/[^/?]+\/(?:followers|following|media|with_replies)/, 'a profile'],
];

const AT_URI = /^at:\/\/([^/]{1,250})\/app\.bsky\.feed\.post\/([\w.~-]{1,100})$/;

/** Finds the requested post. Throws `not_found`, and `invalid_request` for another address. */
function findPost(input: PostInput, site: SiteLocator): PostReference {
  const { id } = input;
  const reference = (id ?? input.url ?? '').trim();
  if (/^\d{1,20}$/.test(reference)) return { network: 'x', id: reference, by: null };
  const [, by, key] = AT_URI.exec(reference) ?? [];
  if (by !== undefined && key !== undefined) return { network: 'bluesky', id: key, by };
  const place = site.locate(reference);
  const [first = '', second = '', third = '', fourth = ''] = splitPath(place?.path);
  if (place?.origin === 'web') {
    const number = [second, third].includes('status') ? (second === 'status' ? third : fourth) : '';
    if (/^\d{1,20}$/.test(number)) return { network: 'x', id: number, by: X_NAME.test(first) ? first : null };
  }
  if (
    place?.origin === 'bluesky' &&
    first === 'profile' &&
    third === 'post' &&
    findAccountAt('bluesky', second) !== null
  )
    if (/^[\w.~-]{1,100}$/.test(fourth)) return { network: 'bluesky', id: fourth, by: second };
  if (place?.origin === 'mastodon' && first.startsWith('@') && /^\d{1,25}$/.test(second))
    return { network: 'mastodon', id: second, by: first.slice(1) };
  const parameter = id === undefined ? 'url' : 'id';
  if (place === null) return refuseReference(parameter, 'is not a post of this site');
  return refuseLink({ parameter, place, kinds: POST_PLACES, wanted: 'a post' });
}

function matchPosts(network: Network) {
  return (site: SiteLocator, input: PostInput): boolean => findPost(input, site).network === network;
}

/** Builds the token for the request of an embedded post from its id. */
function buildToken(id: string): string {
  return ((Number(id) / 1e15) * Math.PI).toString(36).replaceAll(/0+|\./g, '');
}

const EMPTY_POST = {
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

type LinkedPost = { readonly id: string; readonly username: string; readonly name: string | null };

function toLinkedPost(page: ParsedPage, { id, username, name }: LinkedPost): Post {
  return {
    ...EMPTY_POST,
    id,
    url: `${X_HOME}/${username}/status/${id}`,
    text: findOpenGraph(page, 'og:description'),
    author: {
      id: null,
      username,
      name,
      verified: null,
      avatar_url: toMediaUrl(findOpenGraph(page, 'og:image'), page.url),
    },
    created_at: null,
  };
}

/** Reads the article whose time links to the post. */
function readArticle(page: ParsedPage, id: string): Post | null {
  for (const article of selectAll(page, 'article[data-testid=tweet]')) {
    const link = selectAll(page, 'a[href*="/status/"]', article).find(
      (node) =>
        selectFirst(page, 'time', node) !== 0 && splitPath(getAttribute(page.tree, node, 'href') ?? '')[2] === id,
    );
    const [username] = splitPath(getAttribute(page.tree, link ?? 0, 'href') ?? '');
    if (link === undefined || username === undefined) continue;
    const words = selectFirst(page, '[data-testid=tweetText]', article);
    const counts = readAttributeAt(page, '[role=group][aria-label]', 'aria-label', article) ?? '';
    return {
      ...EMPTY_POST,
      ...parseCounts(counts),
      id,
      url: `${X_HOME}/${username}/status/${id}`,
      text:
        readLineAt(page, '[data-testid=twitter-article-title]', article) ??
        readLineAt(page, '[data-testid=tweetText]', article),
      author: {
        id: null,
        username,
        name: readLineAt(page, '[data-testid=User-Name] a', article),
        verified: selectFirst(page, '[data-testid=User-Name] [data-testid=icon-verified]', article) !== 0,
        avatar_url: toMediaUrl(readAttributeAt(page, '[data-testid=Tweet-User-Avatar] img', 'src', article), page.url),
      },
      created_at: toTimestamp(readAttributeAt(page, 'time', 'datetime', link)),
      language: words === 0 ? null : toLine(getAttribute(page.tree, words, 'lang')),
      media: selectAll(page, '[data-testid=tweetPhoto] img', article).flatMap((node) => readPicture(page, node)),
      ...readReferences(page, words),
    };
  }
  return null;
}

function readPicture(page: ParsedPage, node: number): Post['media'] {
  const source = toMediaUrl(getAttribute(page.tree, node, 'src'), page.url);
  const alt = toLine(getAttribute(page.tree, node, 'alt'));
  const nothing = { thumbnail_url: null, width: null, height: null, duration_ms: null };
  return source === null ? [] : [{ ...nothing, type: 'image', url: source, description: alt === 'Image' ? null : alt }];
}

/** `18151 replies, 15635 reposts, 76091 likes, 49 bookmarks, 1122900 views` */
function parseCounts(words: string) {
  const of = (name: string): number | null => toInteger(new RegExp(`([\\d,]{1,20}) ${name}`, 'i').exec(words)?.[1]);
  return {
    reply_count: of('repl(?:y|ies)'),
    repost_count: of('reposts?'),
    like_count: of('likes?'),
    bookmark_count: of('bookmarks?'),
    view_count: of('views?'),
  };
}

function readReferences(page: ParsedPage, words: number) {
  const links =
    words === 0 ? [] : selectAll(page, 'a[href]', words).map((node) => getAttribute(page.tree, node, 'href') ?? '');
  return {
    mentions: listUnique(links.filter((link) => /^\/\w{1,15}$/.test(link)).map((link) => link.slice(1))),
    hashtags: listUnique(links.flatMap((link) => (link.startsWith('/hashtag/') ? (splitPath(link)[1] ?? []) : []))),
    links: listUnique(
      links.filter((link) => /^https?:/.test(link)).flatMap((link) => toCleanUrl(link, page.url) ?? []),
    ),
  };
}
