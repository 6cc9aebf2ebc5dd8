import { z } from 'zod';
import { empty } from '#sites/framework/answers.ts';
import type { SourcePage } from '#sites/framework/request.ts';
import { type ParsedPage, parsePage } from '#extract/dom/parsed-page.ts';
import { objectsWith } from '#extract/dom/scripts.ts';
import { isJsonObject, type JsonObject } from '#extract/values/json-object.ts';
import { at, boolean, line, list } from '#extract/values/raw.ts';
import { GroupInput, readGroupName } from './addresses.ts';
import { buildGroupUrl, findGroup } from './shared.ts';
import { answerAbsent, answerWithheld, markIncomplete, socialnet } from './site.ts';
import { indexFeedback, Post, readStory, SinglePost } from './story.ts';

const GroupPostsInput = GroupInput.extend({
  sort: z.enum(['recent', 'top']).default('recent').describe('By the time of the post, or as the site ranks them'),
});

const GroupPost = Post.extend({ group: SinglePost.shape.group });

/** The newest posts of a group: those in its page. */
export const groupPosts = socialnet({
  path: '/group/posts',
  summary: "A group's most recent posts",
  input: GroupPostsInput,
  anyOf: ['id', 'url'],
  record: z.object({ posts: z.array(GroupPost).readonly() }),
  aliases: { limit: ['per_page'] },
  list: 'posts',
  limit: { default: 10, most: 20 },
  expected: ['posts.author', 'posts.text', 'posts.created_at', 'posts.stats.reactions', 'posts.stats.comments'],
  canary: { id: 'nasaspaceflight' },
  request: (input, site) => ({
    origin: 'web',
    path: `/groups/${readGroupName(input, site)}/`,
    query: { sorting_setting: input.sort === 'recent' ? 'CHRONOLOGICAL' : 'TOP_POSTS' },
  }),
  parse: (source, input, site) => readGroupPosts(source, readGroupName(input, site)),
});

const MAX_STORIES = 100;

/** Reads the posts in the lists of a group. */
function readGroupPosts(source: SourcePage, wanted: string) {
  const parsed = parsePage(source.body, source.url);
  const shown = findGroup(source, parsed, wanted);
  if (shown === null) return answerAbsent(source, 'the group asked for');
  const group = { id: shown.id, name: shown.name, url: buildGroupUrl(shown, wanted) };
  const feedback = indexFeedback(parsed);
  const { feeds, stories } = listStories(parsed, shown.id);
  const read = stories.flatMap(({ story, pinned }) => readStory(story, { feedback, pinned })?.post ?? []);
  const posts = [...Map.groupBy(read, ({ id }) => id).values()].flatMap(([one]) =>
    one === undefined ? [] : [{ ...one, group }],
  );
  const hasMore = feeds.some((feed) => at(feed, 'page_info', 'has_next_page') === true);
  if (posts.length > 0) return markIncomplete({ posts }, hasMore);
  const isNothing = stories.length === 0 && !hasMore && feeds.some((feed) => Array.isArray(at(feed, 'edges')));
  return isNothing ? empty() : answerWithheld(source, 'the posts of the group');
}

type GroupStory = { readonly story: JsonObject; readonly pinned: boolean | null };

/**
 * The stories in the lists of the group itself. Deferred stories are outside the lists. Pinned stories are a list of their
 * own, and come last.
 */
function listStories(page: ParsedPage, id: string | null) {
  const held = (name: string): readonly unknown[] =>
    objectsWith(page, name)
      .filter((one) => id === null || line(one['id']) === id)
      .map((one) => one[name]);
  const feeds = held('group_feed');
  const kept = held('if_viewer_can_see_highlight_units').map((one) => at(one, 'highlight_units'));
  const listed = feeds.flatMap(listUnits);
  const deferred = objectsWith(page, 'comet_sections', 'post_id').filter((one) => one['__typename'] === 'Story');
  const own = deferred.filter((one) => id !== null && isInGroup(one, id));
  const onTop = kept.flatMap(listUnits);
  const isPinned = (story: JsonObject): boolean =>
    onTop.some((one) => one.pinned === true && readKey(one.story) === readKey(story));
  const others = [...listed, ...own.map((story) => ({ story }))].map(({ story }): GroupStory => ({
    story,
    pinned: kept.length === 0 ? null : isPinned(story),
  }));
  return { feeds, stories: [...others, ...onTop].slice(0, MAX_STORIES) };
}

/** Lists the stories of a list. A unit may wrap its story, and some units are not stories. */
function listUnits(units: unknown): readonly GroupStory[] {
  return list(at(units, 'edges')).flatMap((edge) => {
    const unit = at(edge, 'node');
    const story = at(unit, 'story') ?? unit;
    if (!isJsonObject(story) || !Object.hasOwn(story, 'comet_sections')) return [];
    return [{ story, pinned: boolean(at(unit, 'is_unit_pinned')) }];
  });
}

function readKey(story: JsonObject): string | null {
  return line(story['post_id']) ?? line(story['id']);
}

/** Whether a story was posted in the group. */
function isInGroup(story: JsonObject, id: string): boolean {
  const places = [story['to'], at(story, 'comet_sections', 'content', 'story', 'to'), at(story, 'target_group')];
  return places.some((one) => line(at(one, 'id')) === id);
}
