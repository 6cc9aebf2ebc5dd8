import type { ParsedPage } from '#extract/dom/parsed-page.ts';
import { objectsWith } from '#extract/dom/scripts.ts';
import { findWith, merged } from '#extract/json/search.ts';
import type { JsonObject } from '#extract/values/json-object.ts';
import { isJsonObject } from '#extract/values/json-object.ts';
import { at, countOf, line, list, moment, text } from '#extract/values/raw.ts';
import { attachedOf, videoOf } from './attachments.ts';
import { authorOf } from './author.ts';
import { statsOf } from './feedback.ts';
import type { Feedback } from './feedback.ts';
import { imageOf } from './media.ts';
import type { ShownImage } from './media.ts';
import type { FoundPost, PostPlace } from './post-place.ts';
import { NOTHING } from './post-record.ts';
import type { Author } from './post-record.ts';
import { linkAt } from './site.ts';

/** Members under which the data of a page holds the picture or video that the page is about. */
const ROOTS = ['currMedia', 'video', 'node', 'media', 'playback_video'] as const;
/** Members of a picture or video that hold the post that it was published with. */
const STORIES = ['creation_story', 'container_story', 'story'] as const;
/** A page repeats a picture or video seldom more often. */
const MAX_FRAGMENTS = 200;

/** A picture or video with the posts that it was published with, each as the fragments in which the page holds it. */
type Media = { readonly fragments: readonly JsonObject[]; readonly stories: readonly JsonObject[] };

/** A photo, a reel or a video on its own page. */
export function mediaIn({ page, wanted: asked, feedback, address, kind }: PostPlace): FoundPost | null {
  const wanted = withVideos(page, asked);
  const found = findMedia(page, wanted);
  if (found === null) return null;
  const { fragments, stories } = found;
  const media = merged(fragments);
  const story = merged(stories);
  const context = story['short_form_video_context'];
  const [id = ''] = [...fragments, ...stories.flatMap(listVideos)]
    .flatMap((one) => line(one['id']) ?? [])
    .filter((one) => wanted.has(one));
  const video = kind === 'photo' || line(media['__typename']) === 'Photo' ? null : videoOf(media);
  const targets = listTargets(found, id);
  const { counts_approximate: isApproximate, ...stats } = countFeedback(feedback, targets, video === null);
  const isReel = context !== undefined || kind === 'reel';
  const image = video === null ? findPicture(fragments) : null;
  const words = findText(fragments, stories);
  const author = findOwner(page, found);
  const told = [moment(media['created_time']), createdAt(stories), moment(media['publish_time'])];
  // The time at which a video was sent to the site is not that of its post.
  const created = (video === null ? told : [told[1], told[2], told[0]]).find((one) => typeof one === 'string') ?? null;
  // Lists and grids show things of which they tell nothing.
  if (words === null && author === null && created === null) return null;
  const post = {
    ...NOTHING,
    id,
    url: linkAt(at(context, 'shareable_url')) ?? address,
    text: words,
    author,
    created_at: created,
    type: video === null ? ('photo' as const) : isReel ? ('reel' as const) : ('video' as const),
    images: image === null ? [] : [image],
    video,
    stats: { ...stats, views: video === null ? null : (stats.views ?? countViews(fragments)) },
    counts_approximate: isApproximate,
  };
  return { post, raw: story, targets };
}

/** The wanted numbers with those of the videos of wanted posts: the address of a post may lead to its reel. */
function withVideos(page: ParsedPage, wanted: ReadonlySet<string>): ReadonlySet<string> {
  const reels = objectsWith(page, 'short_form_video_context').filter((one) => wanted.has(line(one['post_id']) ?? ''));
  return new Set([...wanted, ...reels.flatMap(listVideos).flatMap((one) => line(one['id']) ?? [])]);
}

/** Everything that a page holds of the wanted picture or video; null where it holds nothing. */
function findMedia(page: ParsedPage, wanted: ReadonlySet<string>): Media | null {
  const named = objectsWith(page, 'id')
    .filter((one) => wanted.has(line(one['id']) ?? '') && /^(?:Photo|Video)?$/.test(line(one['__typename']) ?? ''))
    .slice(0, MAX_FRAGMENTS);
  const published = [
    ...objectsWith(page, 'short_form_video_context').filter((one) =>
      listVideos(one).some((each) => wanted.has(line(each['id']) ?? '')),
    ),
    ...objectsWith(page, 'attachments').filter((one) =>
      attachedOf(one['attachments']).ids.some((id) => wanted.has(id)),
    ),
  ];
  // Other things may go by such a number too.
  if (published.length === 0 && !named.some((one) => one['__typename'] !== undefined)) return null;
  const fragments = [...named, ...deferredFor(page, wanted), ...captionsFor(page, wanted)];
  const stories = fragments.flatMap((one) => STORIES.map((name) => one[name]).filter(isJsonObject));
  return { fragments, stories: [...stories, ...published] };
}

/** The video of a reel, and the same as it is played. */
function listVideos(story: JsonObject): readonly JsonObject[] {
  const context = story['short_form_video_context'];
  return [at(context, 'playback_video'), at(context, 'video')].filter(isJsonObject);
}

/** Parts of the wanted thing that the site sent later: they name the place where they belong, and not always a number. */
function deferredFor(page: ParsedPage, wanted: ReadonlySet<string>): readonly JsonObject[] {
  const roots = ROOTS.filter((name) => {
    const ids = objectsWith(page, name).flatMap((one) => line(at(one[name], 'id')) ?? []);
    return ids.length > 0 && ids.every((id) => wanted.has(id));
  });
  return objectsWith(page, 'path', 'data').flatMap(({ path, data }) => {
    const [root, ...rest] = list(path).map(String);
    if (!roots.some((name) => name === root) || !isJsonObject(data)) return [];
    const placed = rest.reduceRight<JsonObject>((inner, name) => ({ [name]: inner }), data);
    const id = line(placed['id']);
    return id === null || wanted.has(id) ? [placed] : [];
  });
}

/** The text of a photo, which the page may store separately, without the id of the photo. */
function captionsFor(page: ParsedPage, wanted: ReadonlySet<string>): readonly JsonObject[] {
  const told = objectsWith(page, 'message_preferred_body', 'container_story');
  const isShown = objectsWith(page, 'currMedia').some((one) => wanted.has(line(at(one, 'currMedia', 'id')) ?? ''));
  return isShown && told.length === 1 ? told.filter((one) => one['id'] === undefined) : [];
}

/** The numbers that count what people made of it: its own, else those of its post. */
function listTargets({ fragments, stories }: Media, id: string): readonly string[] {
  const reacted = stories.flatMap((one) => line(at(one, 'fb_reel_react_button', 'story', 'feedback', 'id')) ?? []);
  const posts = stories.flatMap((one) => line(one['post_id']) ?? []);
  return [...new Set([...fragments.flatMap(feedbackId), id, ...stories.flatMap(feedbackId), ...reacted, ...posts])];
}

function feedbackId(one: JsonObject): readonly string[] {
  const id = line(at(one, 'feedback', 'id'));
  return id === null ? [] : [id];
}

/** A picture of an album is counted apart from its post; a video and its post are one. */
function countFeedback(feedback: Feedback, targets: readonly string[], isPicture: boolean) {
  if (isPicture) return statsOf(feedback, targets);
  const known = targets.flatMap((one) => [
    ...(feedback.get(one) ?? []),
    ...(feedback.get(Buffer.from(`feedback:${one}`).toString('base64')) ?? []),
  ]);
  return statsOf(new Map([['all', known]]), ['all']);
}

/** The largest picture of the fragments. */
function findPicture(fragments: readonly JsonObject[]): ShownImage | null {
  const caption = fragments.map((one) => one['accessibility_caption']).find((one) => line(one) !== null);
  const pictures = fragments.flatMap((one) =>
    [at(one, 'image'), at(one, 'viewer_image'), at(one, 'photo_image'), list(one['prefetch_uris_v2'])[0]].flatMap(
      (picture) => imageOf(picture, caption) ?? [],
    ),
  );
  return pictures.toSorted((one, other) => (other.width ?? 0) - (one.width ?? 0))[0] ?? null;
}

/** What was written with it; of a video without words its title. */
function findText(fragments: readonly JsonObject[], stories: readonly JsonObject[]): string | null {
  const all = [...fragments, ...stories];
  const texts = ['message_preferred_body', 'message', 'savable_description', 'title'].flatMap((name) =>
    all.map((one) => text(at(one, name, 'text'))),
  );
  return texts.find((one) => one !== null) ?? null;
}

function createdAt(stories: readonly JsonObject[]): string | null {
  const [dated] = stories.flatMap((one) => findWith(one, 'creation_time'));
  return moment(dated?.['creation_time']);
}

/** Whose it is: one fragment may have the number alone, another the name and the address. */
function findOwner(page: ParsedPage, { fragments, stories }: Media): Author | null {
  const raw = [
    ...stories.map((one) => at(one, 'short_form_video_context', 'video_owner')),
    ...fragments.map((one) => one['owner']),
    ...stories.map((one) => list(one['actors'])[0]),
  ].filter(isJsonObject);
  const id = raw.map((one) => line(one['id'])).find((one) => one !== null) ?? null;
  const named = raw.flatMap((one) => authorOf(one) ?? []).filter((one) => id === null || one.id === id);
  if (named.some((one) => one.url !== null) || id === null)
    return named.find((one) => one.url !== null) ?? named[0] ?? null;
  const others = objectsWith(page, 'id', 'name').filter((one) => line(one['id']) === id);
  const known = others.flatMap((one) => authorOf(one) ?? []);
  return known.find((one) => one.url !== null) ?? named[0] ?? known[0] ?? null;
}

function countViews(fragments: readonly JsonObject[]): number | null {
  const told = fragments.flatMap((one) =>
    ['video_view_count', 'play_count', 'play_count_reduced'].flatMap((name) => countOf(one[name], 'en-US') ?? []),
  );
  return told[0]?.value ?? null;
}
