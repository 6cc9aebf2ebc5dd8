import { z } from 'zod';
import { notFound, markPartial } from '#sites/framework/answers.ts';
import type { SiteContext, SourcePage } from '#sites/framework/request.ts';
import { findCanonicalUrl, findOpenGraph } from '#extract/dom/elements.ts';
import { type ParsedPage, parsePage } from '#extract/dom/parsed-page.ts';
import { listObjectsWith } from '#extract/dom/scripts.ts';
import { findObjectsWith, mergeFragments } from '#extract/json/find-objects.ts';
import { isJsonObject, type JsonObject } from '#extract/values/json-object.ts';
import { getPath, toCount, toLine, toArray, toTimestamp, toText } from '#extract/values/raw.ts';
import { formatPermalink, parsePermalink, type Permalink, refuseAddress } from './addresses.ts';
import { type Image, parseImage } from './shared.ts';
import { answerMissingRecord, parseSiteUrl, facebook } from './site.ts';
import {
  type Author,
  EMPTY_POST,
  type Feedback,
  findStats,
  indexFeedback,
  parseAttachments,
  parseAuthor,
  parseVideo,
  type Post,
  readStory,
  SinglePost,
} from './story.ts';

/** A post, photo, video or reel by its address. */
export const facebookPost = facebook({
  path: '/post',
  summary: 'A post, photo, video or reel by permalink',
  input: z.object({ url: z.url().max(2000).describe('Address of the post') }),
  record: z.object({ post: SinglePost }),
  expected: ['post.author', 'post.created_at', 'post.stats.reactions', 'post.stats.comments', 'post.stats.shares'],
  canary: { url: 'https://www.facebook.com/groups/InstantPotCommunity/posts/27761717033495588/' },
  request: (input, site) => readPermalink(input, site).request,
  parse: (page, input, site) => readPost(page, readPermalink(input, site)),
});

/** Reads the address of the wanted post. Throws `not_found`, and `invalid_request` for an address of another kind. */
function readPermalink({ url }: { readonly url: string }, site: Pick<SiteContext, 'locate'>): Permalink {
  const path = site.locate(url)?.path ?? '';
  return parsePermalink(path) ?? refuseAddress(path, 'a post');
}

/** Reads the wanted post. Its page shows other posts, too. */
function readPost(source: SourcePage, link: Permalink) {
  const [requested, reached] = [new URL(source.requested), new URL(source.url)];
  const final = parsePermalink(`${reached.pathname}${reached.search}`);
  if (final === null && requested.pathname !== reached.pathname) return notFound('the site redirects to another page');
  const page = parsePage(source.body, source.url);
  const wanted = listWantedIds(page, link, final);
  const place = {
    page,
    wanted,
    feedback: indexFeedback(page),
    address: formatPermalink(final ?? link),
    kind: (final ?? link).kind,
  };
  const isMedia = /^(?:photo|reel|video)$/.test(place.kind);
  const found = (isMedia ? findMediaPost(place) : null) ?? findStory(place) ?? (isMedia ? null : findMediaPost(place));
  if (found !== null) {
    const { post, raw, targets } = found;
    return { post: { ...post, group: parsePostGroup(raw), top_comments: findComments(page, targets) } };
  }
  const shared = readSharedData(place);
  if (shared === null) return answerMissingRecord(source, 'the requested post is missing');
  const bare = { post: { ...shared, group: null, top_comments: null } };
  return markPartial(bare, 'the page had only its Open Graph data');
}

/** Finds the story with a wanted id or address, else one whose picture or video has that id. */
function findStory({ page, wanted, feedback, address }: PostContext): PostMatch | null {
  const drawn = listObjectsWith(page, 'comet_sections');
  let holder: PostMatch | null = null;
  for (const raw of drawn) {
    const read = readStory(raw, { feedback, pinned: null });
    if (read === null) continue;
    const { post, ids } = read;
    if (wanted.has(post.id) || isWantedUrl(post.url, wanted)) return { post, raw, targets: ids };
    if (holder === null && ids.some((id) => wanted.has(id))) holder = { post, raw, targets: ids };
  }
  if (holder !== null) return holder;
  const [wantedId = ''] = wanted;
  // The page of a video contains it without the frame of a post.
  for (const raw of listObjectsWith(page, 'attachments')) {
    const isOwn = parseAttachments(raw['attachments']).ids.some((id) => wanted.has(id));
    const read = isOwn ? readStory(raw, { feedback, pinned: null, fallback: { id: wantedId, url: address } }) : null;
    if (read !== null) return { post: read.post, raw, targets: read.ids };
  }
  return null;
}

/** A page, and how the wanted post is identified in it. */
type PostContext = {
  readonly page: ParsedPage;
  /** The ids that the wanted post may have. */
  readonly wanted: ReadonlySet<string>;
  readonly feedback: Feedback;
  /** The address of the post. */
  readonly address: string;
  readonly kind: Permalink['kind'];
};

type PostMatch = {
  readonly post: Post;
  readonly raw: JsonObject;
  /** The ids by which comments refer to the post. */
  readonly targets: readonly string[];
};

/** Lists the ids of the wanted post. If its id is not a number, those in the page's own addresses are added. */
function listWantedIds(page: ParsedPage, link: Permalink, final: Permalink | null): ReadonlySet<string> {
  if (link.id !== null && /^\d+$/.test(link.id)) return new Set([link.id]);
  const own = [findOpenGraph(page, 'og:url'), findCanonicalUrl(page)].flatMap((one) => {
    const url = URL.parse(one ?? '', page.url);
    return url === null ? [] : (parsePermalink(`${url.pathname}${url.search}`) ?? []);
  });
  return new Set([link, ...own, ...(final === null ? [] : [final])].flatMap(({ id }) => id ?? []));
}

/** Whether an address belongs to a wanted post. */
function isWantedUrl(address: string, wanted: ReadonlySet<string>): boolean {
  const url = new URL(address);
  const id = parsePermalink(`${url.pathname}${url.search}`)?.id ?? null;
  return id !== null && wanted.has(id);
}

/** Members that contain the picture or video that the page is about. */
const MEDIA_MEMBERS = ['currMedia', 'video', 'node', 'media', 'playback_video'] as const;

/** Members of a picture or video that contain the post with which it was published. */
const STORY_MEMBERS = ['creation_story', 'container_story', 'story'] as const;

/** Pages rarely contain more fragments of one picture or video. */
const MAX_FRAGMENTS = 200;

/** The fragments of a picture or video, and those of the posts with which it was published. */
type MediaData = { readonly fragments: readonly JsonObject[]; readonly stories: readonly JsonObject[] };

/** Finds a photo, reel or video on its own page. */
function findMediaPost({ page, wanted: ids, feedback, address, kind }: PostContext): PostMatch | null {
  const wanted = addVideoIds(page, ids);
  const found = findMedia(page, wanted);
  if (found === null) return null;
  const { fragments, stories } = found;
  const media = mergeFragments(fragments);
  const story = mergeFragments(stories);
  const context = story['short_form_video_context'];
  const [id = ''] = [...fragments, ...stories.flatMap(listVideos)]
    .flatMap((one) => toLine(one['id']) ?? [])
    .filter((one) => wanted.has(one));
  const video = kind === 'photo' || toLine(media['__typename']) === 'Photo' ? null : parseVideo(media);
  const targets = listTargets(found, id);
  const { counts_approximate: isApproximate, ...stats } = countFeedback(feedback, targets, video === null);
  const isReel = context !== undefined || kind === 'reel';
  const image = video === null ? findPicture(fragments) : null;
  const words = findText(fragments, stories);
  const author = findOwner(page, found);
  const times = [toTimestamp(media['created_time']), findCreationTime(stories), toTimestamp(media['publish_time'])];
  // A video may have been uploaded before it was posted, so the time of its post comes first.
  const created =
    (video === null ? times : [times[1], times[2], times[0]]).find((one) => typeof one === 'string') ?? null;
  // Lists and grids show items without any of these, which are not the wanted post.
  if (words === null && author === null && created === null) return null;
  const post = {
    ...EMPTY_POST,
    id,
    url: parseSiteUrl(getPath(context, 'shareable_url')) ?? address,
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

/** Adds the ids of the videos of wanted posts, because the address of a post may lead to its reel. */
function addVideoIds(page: ParsedPage, wanted: ReadonlySet<string>): ReadonlySet<string> {
  const reels = listObjectsWith(page, 'short_form_video_context').filter((one) =>
    wanted.has(toLine(one['post_id']) ?? ''),
  );
  return new Set([...wanted, ...reels.flatMap(listVideos).flatMap((one) => toLine(one['id']) ?? [])]);
}

/** Finds all data of the wanted picture or video. Null if the page has none. */
function findMedia(page: ParsedPage, wanted: ReadonlySet<string>): MediaData | null {
  const named = listObjectsWith(page, 'id')
    .filter((one) => wanted.has(toLine(one['id']) ?? '') && /^(?:Photo|Video)?$/.test(toLine(one['__typename']) ?? ''))
    .slice(0, MAX_FRAGMENTS);
  const published = [
    ...listObjectsWith(page, 'short_form_video_context').filter((one) =>
      listVideos(one).some((each) => wanted.has(toLine(each['id']) ?? '')),
    ),
    ...listObjectsWith(page, 'attachments').filter((one) =>
      parseAttachments(one['attachments']).ids.some((id) => wanted.has(id)),
    ),
  ];
  // Objects of other kinds may have the same id.
  if (published.length === 0 && !named.some((one) => one['__typename'] !== undefined)) return null;
  const fragments = [...named, ...findDeferred(page, wanted), ...findCaptions(page, wanted)];
  const stories = fragments.flatMap((one) => STORY_MEMBERS.map((name) => one[name]).filter(isJsonObject));
  return { fragments, stories: [...stories, ...published] };
}

/** Lists the two objects of the video of a reel: its data and its playback data. */
function listVideos(story: JsonObject): readonly JsonObject[] {
  const context = story['short_form_video_context'];
  return [getPath(context, 'playback_video'), getPath(context, 'video')].filter(isJsonObject);
}

/** Finds deferred fragments of the wanted item. They have the path at which they belong, but not always an id. */
function findDeferred(page: ParsedPage, wanted: ReadonlySet<string>): readonly JsonObject[] {
  const roots = MEDIA_MEMBERS.filter((name) => {
    const ids = listObjectsWith(page, name).flatMap((one) => toLine(getPath(one[name], 'id')) ?? []);
    return ids.length > 0 && ids.every((id) => wanted.has(id));
  });
  return listObjectsWith(page, 'path', 'data').flatMap(({ path, data }) => {
    const [root, ...rest] = toArray(path).map(String);
    if (!roots.some((name) => name === root) || !isJsonObject(data)) return [];
    const placed = rest.reduceRight<JsonObject>((inner, name) => ({ [name]: inner }), data);
    const id = toLine(placed['id']);
    return id === null || wanted.has(id) ? [placed] : [];
  });
}

/** Finds the text of a photo, which the page may store separately, without the id of the photo. */
function findCaptions(page: ParsedPage, wanted: ReadonlySet<string>): readonly JsonObject[] {
  const captions = listObjectsWith(page, 'message_preferred_body', 'container_story');
  const isShown = listObjectsWith(page, 'currMedia').some((one) =>
    wanted.has(toLine(getPath(one, 'currMedia', 'id')) ?? ''),
  );
  return isShown && captions.length === 1 ? captions.filter((one) => one['id'] === undefined) : [];
}

/** Lists the ids under which its reactions are counted: its own first, then those of its post. */
function listTargets({ fragments, stories }: MediaData, id: string): readonly string[] {
  const reacted = stories.flatMap(
    (one) => toLine(getPath(one, 'fb_reel_react_button', 'story', 'feedback', 'id')) ?? [],
  );
  const posts = stories.flatMap((one) => toLine(one['post_id']) ?? []);
  return [
    ...new Set([...fragments.flatMap(listFeedbackIds), id, ...stories.flatMap(listFeedbackIds), ...reacted, ...posts]),
  ];
}

function listFeedbackIds(one: JsonObject): readonly string[] {
  const id = toLine(getPath(one, 'feedback', 'id'));
  return id === null ? [] : [id];
}

/** A picture of an album has other counts than its post. A video and its post share them. */
function countFeedback(feedback: Feedback, targets: readonly string[], isPicture: boolean) {
  if (isPicture) return findStats(feedback, targets);
  const known = targets.flatMap((one) => [
    ...(feedback.get(one) ?? []),
    ...(feedback.get(Buffer.from(`feedback:${one}`).toString('base64')) ?? []),
  ]);
  return findStats(new Map([['all', known]]), ['all']);
}

/** The largest picture of the fragments. */
function findPicture(fragments: readonly JsonObject[]): Image | null {
  const caption = fragments.map((one) => one['accessibility_caption']).find((one) => toLine(one) !== null);
  const pictures = fragments.flatMap((one) =>
    [
      getPath(one, 'image'),
      getPath(one, 'viewer_image'),
      getPath(one, 'photo_image'),
      toArray(one['prefetch_uris_v2'])[0],
    ].flatMap((picture) => parseImage(picture, caption) ?? []),
  );
  return pictures.toSorted((one, other) => (other.width ?? 0) - (one.width ?? 0))[0] ?? null;
}

/** Finds the text of the post. A video without text has its title. */
function findText(fragments: readonly JsonObject[], stories: readonly JsonObject[]): string | null {
  const all = [...fragments, ...stories];
  const texts = ['message_preferred_body', 'message', 'savable_description', 'title'].flatMap((name) =>
    all.map((one) => toText(getPath(one, name, 'text'))),
  );
  return texts.find((one) => one !== null) ?? null;
}

function findCreationTime(stories: readonly JsonObject[]): string | null {
  const [dated] = stories.flatMap((one) => findObjectsWith(one, 'creation_time'));
  return toTimestamp(dated?.['creation_time']);
}

/** Finds the owner. One fragment may have only the id, another only the name and the address. */
function findOwner(page: ParsedPage, { fragments, stories }: MediaData): Author | null {
  const raw = [
    ...stories.map((one) => getPath(one, 'short_form_video_context', 'video_owner')),
    ...fragments.map((one) => one['owner']),
    ...stories.map((one) => toArray(one['actors'])[0]),
  ].filter(isJsonObject);
  const id = raw.map((one) => toLine(one['id'])).find((one) => one !== null) ?? null;
  const named = raw.flatMap((one) => parseAuthor(one) ?? []).filter((one) => id === null || one.id === id);
  if (named.some((one) => one.url !== null) || id === null)
    return named.find((one) => one.url !== null) ?? named[0] ?? null;
  const others = listObjectsWith(page, 'id', 'name').filter((one) => toLine(one['id']) === id);
  const known = others.flatMap((one) => parseAuthor(one) ?? []);
  return known.find((one) => one.url !== null) ?? named[0] ?? known[0] ?? null;
}

function countViews(fragments: readonly JsonObject[]): number | null {
  const counts = fragments.flatMap((one) =>
    ['video_view_count', 'play_count', 'play_count_reduced'].flatMap((name) => toCount(one[name], 'en-US') ?? []),
  );
  return counts[0]?.value ?? null;
}

const MAX_COMMENTS = 20;

/** Parses the group in which a post was written. Null for any other post. */
function parsePostGroup(story: JsonObject): SinglePost['group'] {
  const content = getPath(story, 'comet_sections', 'content', 'story');
  const groups = [
    story['to'],
    getPath(content, 'to'),
    getPath(content, 'target_group'),
    getPath(story, 'feedback', 'associated_group'),
  ];
  const group = groups.find(
    (one) => /^Group$/.test(toLine(getPath(one, '__typename')) ?? 'Group') && getPath(one, 'id') !== undefined,
  );
  const id = toLine(getPath(group, 'id'));
  if (id === null) return null;
  return { id, name: toLine(getPath(group, 'name')), url: parseSiteUrl(getPath(group, 'url') ?? `/groups/${id}/`) };
}

/** Finds the top-level comments of a post. Replies are left out. */
function findComments(page: ParsedPage, ids: readonly string[]): SinglePost['top_comments'] {
  const comments = listObjectsWith(page, 'preferred_body').filter(
    (one) => isOnPost(one, ids) && (one['depth'] ?? 0) === 0,
  );
  const read = comments.flatMap((one) => {
    const commentText = toText(getPath(one, 'preferred_body', 'text')) ?? toText(getPath(one, 'body', 'text'));
    const author =
      getPath(one, 'author') ?? getPath(findAuthorLine(one), 'author') ?? getPath(findAuthorLine(one), 'user');
    return commentText === null
      ? []
      : [
          [
            toLine(one['id']) ?? commentText,
            { author_name: toLine(getPath(author, 'name')), text: commentText },
          ] as const,
        ];
  });
  const unique = [...new Map(read).values()];
  return unique.length === 0 ? null : unique.slice(0, MAX_COMMENTS);
}

/** A comment refers to its post in its id, which is base64 of `comment:` and both ids, or in the line of its author. */
function isOnPost(comment: JsonObject, ids: readonly string[]): boolean {
  const name = Buffer.from(toLine(comment['id']) ?? '', 'base64').toString('latin1');
  const parent = toLine(getPath(findAuthorLine(comment), 'parent_feedback', 'share_fbid'));
  return ids.some((id) => name.startsWith(`comment:${id}_`) || parent === id);
}

function findAuthorLine(comment: JsonObject): unknown {
  return getPath(comment, 'comet_comment_author_name_and_badges_renderer', 'comment');
}

/** Reads the Open Graph data of a post. */
function readSharedData({ page, wanted, address }: PostContext): Post | null {
  const place = URL.parse(findOpenGraph(page, 'og:url') ?? '', page.url);
  const link = place === null ? null : parsePermalink(`${place.pathname}${place.search}`);
  const description = findOpenGraph(page, 'og:description') ?? findOpenGraph(page, 'og:title');
  if (link?.id === undefined || link.id === null || !wanted.has(link.id) || description === null) return null;
  const image = parseImage({ uri: findOpenGraph(page, 'og:image') }, findOpenGraph(page, 'og:image:alt'));
  return {
    ...EMPTY_POST,
    id: link.id,
    url: address,
    text: description,
    type: link.kind === 'group' || link.kind === 'share' ? 'post' : link.kind,
    images: image === null ? [] : [image],
  };
}
