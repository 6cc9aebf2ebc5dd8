import { z } from 'zod';
import { findOpenGraph } from '#extract/dom/elements.ts';
import { type ParsedPage, parsePage } from '#extract/dom/parsed-page.ts';
import { listObjectsWith } from '#extract/dom/scripts.ts';
import { isJsonObject, type JsonObject } from '#extract/values/json-object.ts';
import { getPath, toBoolean, toCount, toLine, toArray, toMediaUrl, toText } from '#extract/values/raw.ts';
import { answerEmpty, markPartial } from '#sites/framework/answers.ts';
import type { SourcePage } from '#sites/framework/request.ts';
import { GroupInput, readGroupName } from './addresses.ts';
import { buildGroupUrl, findGroup } from './shared.ts';
import { answerMissingRecord, answerMissingList, markIncomplete, HOME, facebook } from './site.ts';
import { indexFeedback, Post, readStory, SinglePost } from './story.ts';

const Text = z.string().nullable();

const Group = z.object({
  id: Text,
  name: z.string(),
  url: z.string(),
  description: Text,
  privacy: z.enum(['public', 'private']).nullable(),
  visibility: z.enum(['visible', 'hidden']).nullable().describe('Whether the group appears in searches'),
  members: z.int().min(0).nullable(),
  members_text: Text,
  cover_image_url: Text,
  location: Text,
  rules: z.array(z.string()).readonly().nullable(),
  created_at: Text,
  counts_approximate: z.boolean(),
});

/** A group, as its page shows it to everyone. */
export const facebookGroup = facebook({
  path: '/group',
  summary: 'A public group by id or url',
  input: GroupInput,
  anyOf: ['id', 'url'],
  record: z.object({ group: Group }),
  expected: ['group.id', 'group.privacy', 'group.members', 'group.description', 'group.cover_image_url'],
  canary: { id: 'nasaspaceflight' },
  request: (input, site) => ({ origin: 'web', path: `/groups/${readGroupName(input, site)}/about/` }),
  parse(source, input, site) {
    const wanted = readGroupName(input, site);
    const parsed = parsePage(source.body, source.url);
    const shown = findGroup(source, parsed, wanted);
    const isTold = Object.keys(shown?.raw ?? {}).length > 0;
    if (shown === null) return answerMissingRecord(source, 'the requested group is missing');
    const { id, name, raw } = shown;
    const membersText = toLine(getPath(raw, 'group_member_profiles', 'formatted_count_text'));
    const members = toCount(/[\d.,]+(?:\s?[KMB]\b)?/i.exec(membersText ?? '')?.[0], 'en-US');
    const photo = getPath(raw, 'cover_renderer', 'cover_photo_content', 'photo');
    const cover = getPath(photo, 'image', 'uri') ?? getPath(photo, 'uri');
    const words = [getPath(raw, 'privacy_info', 'title', 'text'), getPath(raw, 'privacy_info', 'label', 'text')].map(
      toLine,
    );
    const rules = toArray(getPath(raw, 'group_rules', 'nodes')).flatMap((one) => toLine(getPath(one, 'title')) ?? []);
    const record = {
      group: {
        id,
        name,
        url: buildGroupUrl(shown, wanted),
        description:
          toText(getPath(raw, 'description_with_entities', 'text')) ??
          (isTold ? null : findOpenGraph(parsed, 'og:description')),
        privacy: findWord(words, 'public', 'private'),
        visibility: findWord([toLine(getPath(raw, 'visibility_info', 'title', 'text'))], 'visible', 'hidden'),
        members: members?.value ?? null,
        members_text: membersText,
        cover_image_url: toMediaUrl(cover ?? (isTold ? null : findOpenGraph(parsed, 'og:image')), HOME),
        location: toLine(getPath(toArray(raw['group_locations'])[0], 'name')),
        rules: rules.length === 0 ? null : rules,
        created_at: null,
        counts_approximate: members?.approximate === true,
      },
    };
    return isTold ? record : markPartial(record, 'the page had only its Open Graph data');
  },
});

function findWord<T extends string>(texts: readonly (string | null)[], ...words: readonly T[]): T | null {
  return words.find((word) => texts.some((one) => one?.toLowerCase().startsWith(word) === true)) ?? null;
}

const GroupPostsInput = GroupInput.extend({
  sort: z.enum(['recent', 'top']).default('recent').describe("By time, or by the site's own ranking"),
});

const GroupPost = Post.extend({ group: SinglePost.shape.group });

/** The newest posts of a group: those in its page. */
export const facebookGroupPosts = facebook({
  path: '/group/posts',
  summary: "A group's most recent posts",
  input: GroupPostsInput,
  anyOf: ['id', 'url'],
  record: z.object({ posts: z.array(GroupPost).readonly() }),
  aliases: { limit: ['per_page'] },
  list: 'posts',
  limit: { default: 10, max: 20 },
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
  if (shown === null) return answerMissingRecord(source, 'the requested group is missing');
  const group = { id: shown.id, name: shown.name, url: buildGroupUrl(shown, wanted) };
  const feedback = indexFeedback(parsed);
  const { feeds, stories } = listStories(parsed, shown.id);
  const read = stories.flatMap(({ story, pinned }) => readStory(story, { feedback, pinned })?.post ?? []);
  const posts = [...Map.groupBy(read, ({ id }) => id).values()].flatMap(([one]) =>
    one === undefined ? [] : [{ ...one, group }],
  );
  const hasMore = feeds.some((feed) => getPath(feed, 'page_info', 'has_next_page') === true);
  if (posts.length > 0) return markIncomplete({ posts }, hasMore);
  const isNothing = stories.length === 0 && !hasMore && feeds.some((feed) => Array.isArray(getPath(feed, 'edges')));
  return isNothing ? answerEmpty() : answerMissingList(source, 'the posts of the group are missing');
}

type GroupStory = { readonly story: JsonObject; readonly pinned: boolean | null };

/**
 * The stories in the lists of the group itself. Deferred stories are outside the lists. Pinned stories are a list of their
 * own, and come last.
 */
function listStories(page: ParsedPage, id: string | null) {
  const listMembers = (name: string): readonly unknown[] =>
    listObjectsWith(page, name)
      .filter((one) => id === null || toLine(one['id']) === id)
      .map((one) => one[name]);
  const feeds = listMembers('group_feed');
  const pinnedUnits = listMembers('if_viewer_can_see_highlight_units').map((one) => getPath(one, 'highlight_units'));
  const listed = feeds.flatMap(listUnits);
  const deferred = listObjectsWith(page, 'comet_sections', 'post_id').filter((one) => one['__typename'] === 'Story');
  const own = deferred.filter((one) => id !== null && isInGroup(one, id));
  const onTop = pinnedUnits.flatMap(listUnits);
  const isPinned = (story: JsonObject): boolean =>
    onTop.some((one) => one.pinned === true && readKey(one.story) === readKey(story));
  const others = [...listed, ...own.map((story) => ({ story }))].map(({ story }): GroupStory => ({
    story,
    pinned: pinnedUnits.length === 0 ? null : isPinned(story),
  }));
  return { feeds, stories: [...others, ...onTop].slice(0, MAX_STORIES) };
}

/** Lists the stories of a list. A unit may wrap its story, and some units are not stories. */
function listUnits(units: unknown): readonly GroupStory[] {
  return toArray(getPath(units, 'edges')).flatMap((edge) => {
    const unit = getPath(edge, 'node');
    const story = getPath(unit, 'story') ?? unit;
    if (!isJsonObject(story) || !Object.hasOwn(story, 'comet_sections')) return [];
    return [{ story, pinned: toBoolean(getPath(unit, 'is_unit_pinned')) }];
  });
}

function readKey(story: JsonObject): string | null {
  return toLine(story['post_id']) ?? toLine(story['id']);
}

/** Whether a story was posted in the group. */
function isInGroup(story: JsonObject, id: string): boolean {
  const places = [
    story['to'],
    getPath(story, 'comet_sections', 'content', 'story', 'to'),
    getPath(story, 'target_group'),
  ];
  return places.some((one) => toLine(getPath(one, 'id')) === id);
}
