import { empty } from '#features/sites/answers.ts';
import type { SourcePage } from '#features/sites/request.ts';
import { parsePage } from '#extract/dom/parsed-page.ts';
import type { ParsedPage } from '#extract/dom/parsed-page.ts';
import { objectsWith } from '#extract/dom/scripts.ts';
import { isJsonObject } from '#kernel/json.ts';
import type { JsonObject } from '#kernel/json.ts';
import { at, line, list } from '#extract/values/raw.ts';
import { feedbackIn } from './feedback.ts';
import { Post, SinglePost } from './post-record.ts';
import { groupAddress, shownGroup } from './shown-group.ts';
import { absent, heldBy } from './site.ts';
import { readStory } from './story.ts';

export const GroupPost = Post.extend({ group: SinglePost.shape.group });

const MOST_STORIES = 100;

/** Reads the posts of a group's own list. */
export function readGroupPosts(source: SourcePage, wanted: string) {
  const parsed = parsePage(source.body, source.url);
  const shown = shownGroup(source, parsed, wanted);
  if (shown === null) return absent(source, 'the group asked for');
  const group = { id: shown.id, name: shown.name, url: groupAddress(shown, wanted) };
  const feedback = feedbackIn(parsed);
  const { feeds, stories } = storiesOf(parsed, shown.id);
  const read = stories.flatMap((story) => readStory(story, { feedback, pinned: null })?.post ?? []);
  const posts = [...Map.groupBy(read, ({ id }) => id).values()].flatMap(([one]) =>
    one === undefined ? [] : [{ ...one, group }],
  );
  const hasMore = feeds.some((feed) => at(feed, 'page_info', 'has_next_page') === true);
  if (posts.length > 0) return heldBy({ posts }, hasMore);
  const isNothing = stories.length === 0 && !hasMore && feeds.some((feed) => Array.isArray(at(feed, 'edges')));
  return isNothing ? empty() : absent(source, 'the posts of the group');
}

/** The lists of the group itself, and the stories in them; those that were deferred stand beside the list. */
function storiesOf(page: ParsedPage, id: string | null) {
  const feeds = objectsWith(page, 'group_feed')
    .filter((one) => id === null || line(one['id']) === id)
    .map((one) => one['group_feed']);
  const listed = feeds.flatMap((feed) => list(at(feed, 'edges'))).map((edge) => at(edge, 'node'));
  const deferred = objectsWith(page, 'comet_sections', 'post_id').filter((one) => one['__typename'] === 'Story');
  const own = deferred.filter((one) => id !== null && isOf(one, id));
  const stories = [...listed, ...own].filter(isJsonObject).filter((one) => Object.hasOwn(one, 'comet_sections'));
  return { feeds, stories: stories.slice(0, MOST_STORIES) };
}

/** Whether a story says that it was written in the group. */
function isOf(story: JsonObject, id: string): boolean {
  const places = [story['to'], at(story, 'comet_sections', 'content', 'story', 'to'), at(story, 'target_group')];
  return places.some((one) => line(at(one, 'id')) === id);
}
