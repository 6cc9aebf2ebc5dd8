import { empty, notFound, pageOf } from '#sites/framework/answers.ts';
import type { ParsedPage } from '#extract/dom/parsed-page.ts';
import { parsePage } from '#extract/dom/parsed-page.ts';
import { objectsWith } from '#extract/dom/scripts.ts';
import { findObjects } from '#extract/json/search.ts';
import type { JsonObject } from '#extract/values/json-object.ts';
import { isJsonObject } from '#extract/values/json-object.ts';
import { at, list } from '#extract/values/raw.ts';
import { embeddedPosts } from './embedded-posts.ts';
import { feedbackIn } from './feedback.ts';
import type { PostsSource } from './posts-record.ts';
import { embedFor, askedProfileOf, requestFor } from './profile-input.ts';
import { shownProfile } from './profile.ts';
import { absent, withheld } from './site.ts';
import { readStory } from './story.ts';

/** The page with its newest post, and one that is pinned; what follows comes from its embed. */
export const postsWeb: PostsSource = {
  name: 'page',
  request: (input, site) => {
    const wanted = askedProfileOf(input, site);
    return site.cursor === null ? requestFor(wanted) : embedFor(wanted);
  },
  parse(source, input, site) {
    const wanted = askedProfileOf(input, site);
    const parsed = parsePage(source.body, source.url);
    if (site.cursor !== null) {
      const known = new Set(site.cursor.split(','));
      const more = embeddedPosts(parsed, wanted);
      if (more === null || more.length === 0) return absent(source, 'more posts of the page');
      return pageOf({ posts: more.filter((one) => !isKnown(one, known)) }, null);
    }
    if (new URL(source.url).pathname === '/') return notFound('the site leads to its front page instead');
    if (shownProfile(source, parsed, wanted) === null) return absent(source, 'the page asked for');
    const feedback = feedbackIn(parsed);
    const stories = storiesOf(parsed);
    const posts = stories.flatMap(({ story, pinned }) => readStory(story, { feedback, pinned })?.post ?? []);
    if (stories.length === 0 && saysNone(parsed)) return empty();
    // The site shows the frame of a page without its posts to those whom it does not trust.
    if (posts.length === 0) return withheld(source, 'the posts of the page');
    const unique = [...new Map(posts.map((one) => [one.id, one])).values()];
    return pageOf({ posts: unique }, tokenOf(unique));
  },
};

/** The site gives strangers one. */
const MOST_STORIES = 50;

/** The stories of the page's own list, and after them the one that it keeps on top. */
function storiesOf(page: ParsedPage): readonly { readonly story: JsonObject; readonly pinned: boolean }[] {
  const kept = objectsWith(page, 'profile_pinned_post')
    .flatMap((one) => findObjects(one['profile_pinned_post'], isStory))
    .slice(0, 1);
  const listed = objectsWith(page, 'timeline_list_feed_units')
    .flatMap((one) => list(at(one, 'timeline_list_feed_units', 'edges')))
    .map((edge) => at(edge, 'node'))
    .filter(isJsonObject)
    .slice(0, MOST_STORIES);
  const isKept = (story: JsonObject): boolean => kept.some((one) => one['id'] === story['id']);
  return [
    ...listed.map((story) => ({ story, pinned: isKept(story) })),
    ...kept
      .filter((story) => !listed.some((one) => one['id'] === story['id']))
      .map((story) => ({ story, pinned: true })),
  ];
}

/** The page's own list is there, is empty and ends. */
function saysNone(page: ParsedPage): boolean {
  const units = objectsWith(page, 'timeline_list_feed_units').map((one) => one['timeline_list_feed_units']);
  return units.length > 0 && units.every(isEmptyEnd);
}

function isEmptyEnd(units: unknown): boolean {
  const edges = at(units, 'edges');
  return Array.isArray(edges) && edges.length === 0 && at(units, 'page_info', 'has_next_page') === false;
}

function isStory(raw: JsonObject): boolean {
  return Object.hasOwn(raw, 'comet_sections') && (Object.hasOwn(raw, 'post_id') || raw['__typename'] === 'Story');
}

type Known = { readonly id: string; readonly created_at: string | null };

/** The posts that were given, by number and by second: the embed may know a post by another number. */
function tokenOf(posts: readonly Known[]): string {
  return posts.flatMap((one) => [one.id, secondOf(one)]).join(',');
}

function isKnown(post: Known, known: ReadonlySet<string>): boolean {
  return known.has(post.id) || known.has(secondOf(post));
}

function secondOf({ created_at: created }: Known): string {
  return created === null ? '' : `at ${Math.floor(Date.parse(created) / 1000)}`;
}
