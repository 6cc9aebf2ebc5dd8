import { z } from 'zod';
import { answerEmpty } from '#sites/framework/answers.ts';
import type { SiteContext, SourcePage } from '#sites/framework/request.ts';
import { parsePage } from '#extract/dom/parsed-page.ts';
import { listObjectsWith } from '#extract/dom/scripts.ts';
import { getPath, toCount, toLine, toArray, toMediaUrl, toTimestamp, toText } from '#extract/values/raw.ts';
import { buildTabRequest, ProfileInput, readProfileReference } from './addresses.ts';
import { findProfile } from './shared.ts';
import { answerMissingRecord, answerMissingList, markIncomplete, HOME, facebook } from './site.ts';
import { type Feedback, findStats, indexFeedback, parseAuthor, parseVideo } from './story.ts';

const Text = z.string().nullable();
const Count = z.int().min(0).nullable();

const Reel = z.object({
  id: z.string(),
  url: z.string(),
  text: Text,
  created_at: Text,
  duration_ms: Count,
  views: Count,
  likes: Count,
  comments: Count,
  shares: Count,
  thumbnail_url: Text,
  video_url: Text,
  captions: z
    .array(z.object({ locale: z.string(), url: Text }))
    .readonly()
    .nullable(),
  author: z.object({ id: Text, name: z.string(), url: Text }).nullable(),
  counts_approximate: z.boolean(),
});

/** The newest reels of a page. These pages are ten to thirty times larger than others of the site, hence the price. */
export const facebookReels = facebook({
  path: '/reels',
  summary: "A page's reels",
  input: ProfileInput,
  anyOf: ['id', 'username', 'url'],
  record: z.object({ reels: z.array(Reel).readonly() }),
  aliases: { username: ['handle', 'page'], limit: ['per_page'] },
  list: 'reels',
  limit: { default: 10, max: 50 },
  expected: ['reels.text', 'reels.created_at', 'reels.views', 'reels.likes', 'reels.comments', 'reels.video_url'],
  canary: { username: 'bbcnews' },
  price: 1340,
  request: (input, site) => buildTabRequest(readProfileReference(input, site), 'reels_tab'),
  parse: readReels,
});

/** Reads the list of the page's reels. The page contains videos of others, too. */
function readReels(source: SourcePage, input: ProfileInput, site: SiteContext) {
  const parsed = parsePage(source.body, source.url);
  if (findProfile(source, parsed, readProfileReference(input, site)) === null)
    return answerMissingRecord(source, 'the requested page is missing');
  const lists = listObjectsWith(parsed, 'aggregated_fb_shorts').map((one) => one['aggregated_fb_shorts']);
  const edges = lists.flatMap((one) => toArray(getPath(one, 'edges')));
  const feedback = indexFeedback(parsed);
  const read = edges.flatMap((edge) => parseReel(getPath(edge, 'profile_reel_node', 'node'), feedback) ?? []);
  const reels = [...Map.groupBy(read, ({ id }) => id).values()].flatMap(([one]) => one ?? []);
  const hasMore = lists.some((one) => getPath(one, 'page_info', 'has_next_page') === true);
  if (reels.length > 0) return markIncomplete({ reels }, hasMore);
  const isNothing = edges.length === 0 && !hasMore && lists.some((one) => Array.isArray(getPath(one, 'edges')));
  return isNothing ? answerEmpty() : answerMissingList(source, 'the reels of the page are missing');
}

function parseReel(story: unknown, feedback: Feedback): z.input<typeof Reel> | null {
  const media = toArray(getPath(story, 'attachments')).map((one) => getPath(one, 'media'));
  const video = media.find((one) => /^\d{5,25}$/.test(toLine(getPath(one, 'id')) ?? ''));
  const id = toLine(getPath(video, 'id'));
  if (id === null) return null;
  const own = [getPath(story, 'feedback'), getPath(video, 'feedback')].flatMap(
    (one) => toLine(getPath(one, 'id')) ?? [],
  );
  const ids = [toLine(getPath(story, 'post_id')), id, ...own].filter((one) => one !== null);
  const { reactions, comments, shares, counts_approximate: isApproximate } = findStats(feedback, ids);
  const liked = ids.flatMap((one) =>
    (feedback.get(one) ?? []).flatMap((each) => toCount(getPath(each, 'likers', 'count'), 'en-US') ?? []),
  );
  const views = toCount(getPath(video, 'play_count_reduced') ?? getPath(video, 'play_count'), 'en-US');
  const author = parseAuthor(toArray(getPath(story, 'actors'))[0]) ?? parseAuthor(getPath(video, 'owner'));
  const { url: address, thumbnail_url: thumbnail, duration_ms: duration } = parseVideo(video);
  return {
    id,
    url: `${HOME}/reel/${id}`,
    text: toText(getPath(story, 'message', 'text')),
    created_at: toTimestamp(getPath(story, 'creation_time')),
    duration_ms: duration,
    views: views?.value ?? null,
    likes: liked[0]?.value ?? reactions,
    comments,
    shares,
    thumbnail_url: thumbnail,
    video_url: address,
    captions: parseCaptions(getPath(video, 'video_available_captions_locales')),
    author: author === null ? null : { id: author.id, name: author.name, url: author.url },
    counts_approximate: isApproximate || [views, liked[0]].some((one) => one?.approximate === true),
  };
}

/** Parses the languages of the captions, which are strings, or objects with an address. */
function parseCaptions(raw: unknown): z.input<typeof Reel>['captions'] {
  if (!Array.isArray(raw)) return null;
  return raw.slice(0, 100).flatMap((one) => {
    const locale = toLine(one) ?? toLine(getPath(one, 'locale'));
    return locale === null
      ? []
      : [{ locale, url: toMediaUrl(getPath(one, 'captions_url') ?? getPath(one, 'url'), HOME) }];
  });
}
