import { empty } from '#sites/framework/answers.ts';
import type { SourcePage } from '#sites/framework/request.ts';
import { parsePage } from '#extract/dom/parsed-page.ts';
import type { ParsedPage } from '#extract/dom/parsed-page.ts';
import { objectsWith } from '#extract/dom/scripts.ts';
import { isJsonObject } from '#extract/values/json-object.ts';
import type { JsonObject } from '#extract/values/json-object.ts';
import { at, boolean, line, list } from '#extract/values/raw.ts';
import { feedbackIn } from './feedback.ts';
import { Post, SinglePost } from './post-record.ts';
import { groupAddress, shownGroup } from './shown-group.ts';
import { absent, heldBy, withheld } from './site.ts';
import { readStory } from './story.ts';

export const GroupPost = Post.extend({ group: SinglePost.shape.group });

const MAX_STORIES = 100;

/** Reads the posts of a group's own list. */
export function readGroupPosts(source: SourcePage, wanted: string) {
  const parsed = parsePage(source.body, source.url);
  const shown = shownGroup(source, parsed, wanted);
  if (shown === null) return absent(source, 'the group asked for');
  const group = { id: shown.id, name: shown.name, url: groupAddress(shown, wanted) };
  const feedback = feedbackIn(parsed);
  const { feeds, stories } = storiesOf(parsed, shown.id);
  const read = stories.flatMap(({ story, pinned }) => readStory(story, { feedback, pinned })?.post ?? []);
  const posts = [...Map.groupBy(read, ({ id }) => id).values()].flatMap(([one]) =>
    one === undefined ? [] : [{ ...one, group }],
  );
  const hasMore = feeds.some((feed) => at(feed, 'page_info', 'has_next_page') === true);
  if (posts.length > 0) return heldBy({ posts }, hasMore);
  const isNothing = stories.length === 0 && !hasMore && feeds.some((feed) => Array.isArray(at(feed, 'edges')));
  return isNothing ? empty() : withheld(source, 'the posts of the group');
}

type GroupStory = { readonly story: JsonObject; readonly pinned: boolean | null };

/**
 * The stories in the lists of the group itself. Deferred stories are outside the lists. Pinned stories are a list of their
 * own, and come last.
 */
function storiesOf(page: ParsedPage, id: string | null) {
  const held = (name: string): readonly unknown[] =>
    objectsWith(page, name)
      .filter((one) => id === null || line(one['id']) === id)
      .map((one) => one[name]);
  const feeds = held('group_feed');
  const kept = held('if_viewer_can_see_highlight_units').map((one) => at(one, 'highlight_units'));
  const listed = feeds.flatMap(listUnits);
  const deferred = objectsWith(page, 'comet_sections', 'post_id').filter((one) => one['__typename'] === 'Story');
  const own = deferred.filter((one) => id !== null && isOf(one, id));
  const onTop = kept.flatMap(listUnits);
  const isPinned = (story: JsonObject): boolean =>
    onTop.some((one) => one.pinned === true && readKey(one.story) === readKey(story));
  const others = [...listed, ...own.map((story) => ({ story }))].map(({ story }): GroupStory => ({
    story,
    pinned: kept.length === 0 ? null : isPinned(story),
  }));
  return { feeds, stories: [...others, ...onTop].slice(0, MAX_STORIES) };
}

/** The stories of a list; a unit may frame its story, and be no story at all. */
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

/** Whether a story says that it was written in the group. */
function isOf(story: JsonObject, id: string): boolean {
  const places = [story['to'], at(story, 'comet_sections', 'content', 'story', 'to'), at(story, 'target_group')];
  return places.some((one) => line(at(one, 'id')) === id);
}
