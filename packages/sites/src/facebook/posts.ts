import { z } from 'zod';
import { answerEmpty, notFound, buildPage } from '#sites/framework/answers.ts';
import type { EndpointSource } from '#sites/framework/endpoint.ts';
import { selectAll, readAttributeAt, readLineAt, selectFirst, readRichText } from '#extract/dom/elements.ts';
import { type ParsedPage, parsePage } from '#extract/dom/parsed-page.ts';
import { listObjectsWith } from '#extract/dom/scripts.ts';
import { getAttribute } from '#extract/html/tree.ts';
import { findObjects } from '#extract/json/find-objects.ts';
import { isJsonObject, type JsonObject } from '#extract/values/json-object.ts';
import { getPath, toCount, toArray, toMediaUrl, toTimestamp } from '#extract/values/raw.ts';
import {
  buildEmbedRequest,
  buildProfileRequest,
  formatPermalink,
  parsePermalink,
  ProfileInput,
  type ProfileReference,
  readProfileReference,
} from './addresses.ts';
import { type EmbeddedPage, findEmbeddedPage, findProfile, parseCaption } from './shared.ts';
import { answerMissingRecord, answerMissingList, HOME, facebook } from './site.ts';
import { indexFeedback, Post, readStory } from './story.ts';

const PostsAnswer = z.object({ posts: z.array(Post).readonly() });

type PostsSource = EndpointSource<typeof ProfileInput, typeof PostsAnswer>;

/** The page, with its newest and its pinned post. Later posts come from the embed. */
const postsWeb: PostsSource = {
  name: 'page',
  request: (input, site) => {
    const wanted = readProfileReference(input, site);
    return site.cursor === null ? buildProfileRequest(wanted) : buildEmbedRequest(wanted);
  },
  parse(source, input, site) {
    const wanted = readProfileReference(input, site);
    const parsed = parsePage(source.body, source.url);
    if (site.cursor !== null) {
      const known = new Set(site.cursor.split(','));
      const more = findEmbeddedPosts(parsed, wanted);
      if (more === null || more.length === 0) return answerMissingRecord(source, 'no more posts of the page');
      return buildPage({ posts: more.filter((entry) => !isKnown(entry, known)) }, null);
    }
    if (new URL(source.url).pathname === '/') return notFound('the site redirects to its front page');
    if (findProfile(source, parsed, wanted) === null)
      return answerMissingRecord(source, 'the requested page is missing');
    const feedback = indexFeedback(parsed);
    const stories = listStories(parsed);
    const posts = stories.flatMap(({ story, pinned }) => readStory(story, { feedback, pinned })?.post ?? []);
    if (stories.length === 0 && reportsNone(parsed)) return answerEmpty();
    // The site shows the frame of a page without posts to visitors whom it does not trust.
    if (posts.length === 0) return answerMissingList(source, 'the posts of the page are missing');
    const unique = [...new Map(posts.map((entry) => [entry.id, entry])).values()];
    return buildPage({ posts: unique }, buildCursor(unique));
  },
};

/** The embed that other sites may show of a page; it is seldom walled. */
const postsEmbed: PostsSource = {
  name: 'embed',
  lacks: 'the embed does not distinguish videos, links and shared posts',
  request: (input, site) => buildEmbedRequest(readProfileReference(input, site)),
  parse(source, input, site) {
    const posts = findEmbeddedPosts(parsePage(source.body, source.url), readProfileReference(input, site)) ?? [];
    return posts.length === 0 ? answerMissingRecord(source, 'the posts of the page are missing') : { posts };
  },
};

/** The newest posts of a page. The page itself has one, its embed a few more. */
export const facebookPosts = facebook({
  path: '/posts',
  summary: "A page's most recent posts",
  input: ProfileInput,
  anyOf: ['id', 'username', 'url'],
  record: PostsAnswer,
  aliases: { username: ['handle', 'page'], limit: ['per_page'] },
  list: 'posts',
  limit: { default: 1, max: 20 },
  expected: ['posts.author', 'posts.created_at', 'posts.stats.reactions', 'posts.stats.comments', 'posts.stats.shares'],
  canary: { username: 'bbcnews' },
  sources: [postsWeb, postsEmbed],
});

/** The site shows one story to visitors who are not logged in. This is only a bound. */
const MAX_STORIES = 50;

/** Lists the stories of the page, and after them the pinned one. */
function listStories(page: ParsedPage): readonly { readonly story: JsonObject; readonly pinned: boolean }[] {
  const pinnedPosts = listObjectsWith(page, 'profile_pinned_post')
    .flatMap((entry) => findObjects(entry['profile_pinned_post'], isStory))
    .slice(0, 1);
  const listed = listObjectsWith(page, 'timeline_list_feed_units')
    .flatMap((entry) => toArray(getPath(entry, 'timeline_list_feed_units', 'edges')))
    .map((edge) => getPath(edge, 'node'))
    .filter(isJsonObject)
    .slice(0, MAX_STORIES);
  const isPinned = (story: JsonObject): boolean => pinnedPosts.some((entry) => entry['id'] === story['id']);
  return [
    ...listed.map((story) => ({ story, pinned: isPinned(story) })),
    ...pinnedPosts
      .filter((story) => !listed.some((entry) => entry['id'] === story['id']))
      .map((story) => ({ story, pinned: true })),
  ];
}

/** Whether the page has its list of stories, and that list is empty and complete. */
function reportsNone(page: ParsedPage): boolean {
  const units = listObjectsWith(page, 'timeline_list_feed_units').map((entry) => entry['timeline_list_feed_units']);
  return units.length > 0 && units.every(isEmptyEnd);
}

function isEmptyEnd(units: unknown): boolean {
  const edges = getPath(units, 'edges');
  return Array.isArray(edges) && edges.length === 0 && getPath(units, 'page_info', 'has_next_page') === false;
}

function isStory(raw: JsonObject): boolean {
  return Object.hasOwn(raw, 'comet_sections') && (Object.hasOwn(raw, 'post_id') || raw['__typename'] === 'Story');
}

type PostKey = { readonly id: string; readonly created_at: string | null };

/** Builds the cursor from the ids and times of the posts, because the embed may have another id for the same post. */
function buildCursor(entries: readonly PostKey[]): string {
  return entries.flatMap((entry) => [entry.id, formatSecond(entry)]).join(',');
}

function isKnown(post: PostKey, known: ReadonlySet<string>): boolean {
  return known.has(post.id) || known.has(formatSecond(post));
}

function formatSecond({ created_at: created }: PostKey): string {
  return created === null ? '' : `at ${Math.floor(Date.parse(created) / 1000)}`;
}

/** An embed has at most ten. This is only a bound. */
const MAX_POSTS = 50;

const PICTURES = 'img.scaledImageFitWidth, img.scaledImageFitHeight, a[href*="/photo"] img';

/** Finds the posts of an embed, newest first. Null if it is not the embed of the wanted page. */
function findEmbeddedPosts(page: ParsedPage, wanted: ProfileReference): readonly Post[] | null {
  const shown = findEmbeddedPage(page, wanted);
  if (shown === null) return null;
  const articles = selectAll(page, '[role=feed] [role=article]');
  const units = articles.length > 0 ? articles : selectAll(page, '[role=feed] > *');
  const posts = units.slice(0, MAX_POSTS).flatMap((unit) => parseEmbeddedPost(page, unit, shown) ?? []);
  return [...new Map(posts.map((post) => [post.id, post])).values()];
}

/** Parses a post of an embed. The link with its time has its address. */
function parseEmbeddedPost(page: ParsedPage, unit: number, { id: owner, name, username }: EmbeddedPage): Post | null {
  const links = selectAll(page, 'a[href]', unit).filter((link) => selectFirst(page, 'abbr[data-utime]', link) !== 0);
  const address = URL.parse(getAttribute(page.tree, links[0] ?? 0, 'href') ?? '', page.url);
  const place = address === null ? null : parsePermalink(`${address.pathname}${address.search}`);
  if (place === null || place.id === null) return null;
  const [reactions, comments, shares] = ['Like', 'Comment', 'Share'].map((title) =>
    toCount(readLineAt(page, `[title="${title}"]`, unit), 'en-US'),
  );
  const home = username === null ? `/profile.php?id=${owner}` : `/${username}`;
  return {
    id: place.id,
    url: formatPermalink(place),
    text: readRichText(page, selectFirst(page, '[data-testid="post_message"]', unit))?.text ?? null,
    author: { id: owner, name, url: `${HOME}${home}`, username },
    created_at: toTimestamp(readAttributeAt(page, 'abbr[data-utime]', 'data-utime', unit)),
    type: place.kind === 'group' || place.kind === 'share' ? 'post' : place.kind,
    images: selectAll(page, PICTURES, unit).flatMap((node) => {
      const source = toMediaUrl(getAttribute(page.tree, node, 'src'), HOME);
      const alt = parseCaption(getAttribute(page.tree, node, 'alt'));
      return source === null ? [] : [{ url: source, width: null, height: null, alt }];
    }),
    video: null,
    link: null,
    shared_post: null,
    stats: {
      reactions: reactions?.value ?? null,
      comments: comments?.value ?? null,
      shares: shares?.value ?? null,
      views: null,
    },
    pinned: null,
    counts_approximate: [reactions, comments, shares].some((count) => count?.approximate === true),
  };
}
