import { z } from 'zod';
import { empty } from '#sites/framework/answers.ts';
import type { SiteView, SourcePage } from '#sites/framework/request.ts';
import { parsePage } from '#extract/dom/parsed-page.ts';
import { objectsWith } from '#extract/dom/scripts.ts';
import { at, countOf, line, list, mediaUrl, moment, text } from '#extract/values/raw.ts';
import { videoOf } from './attachments.ts';
import { authorOf } from './author.ts';
import { feedbackIn, statsOf } from './feedback.ts';
import type { Feedback } from './feedback.ts';
import { askedProfileOf } from './profile-input.ts';
import type { ProfileInput } from './profile-input.ts';
import { shownProfile } from './profile.ts';
import { absent, heldBy, SOCIAL_WEB, withheld } from './site.ts';

const Text = z.string().nullable();
const Count = z.int().min(0).nullable();

export const Reel = z.object({
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

/** Reads the reels of a page's own list; the page holds videos of others too. */
export function readReels(source: SourcePage, input: ProfileInput, site: SiteView) {
  const parsed = parsePage(source.body, source.url);
  if (shownProfile(source, parsed, askedProfileOf(input, site)) === null) return absent(source, 'the page asked for');
  const lists = objectsWith(parsed, 'aggregated_fb_shorts').map((one) => one['aggregated_fb_shorts']);
  const edges = lists.flatMap((one) => list(at(one, 'edges')));
  const feedback = feedbackIn(parsed);
  const read = edges.flatMap((edge) => toReel(at(edge, 'profile_reel_node', 'node'), feedback) ?? []);
  const reels = [...Map.groupBy(read, ({ id }) => id).values()].flatMap(([one]) => one ?? []);
  const hasMore = lists.some((one) => at(one, 'page_info', 'has_next_page') === true);
  if (reels.length > 0) return heldBy({ reels }, hasMore);
  const isNothing = edges.length === 0 && !hasMore && lists.some((one) => Array.isArray(at(one, 'edges')));
  return isNothing ? empty() : withheld(source, 'the reels of the page');
}

function toReel(story: unknown, feedback: Feedback): z.input<typeof Reel> | null {
  const media = list(at(story, 'attachments')).map((one) => at(one, 'media'));
  const video = media.find((one) => /^\d{5,25}$/.test(line(at(one, 'id')) ?? ''));
  const id = line(at(video, 'id'));
  if (id === null) return null;
  const own = [at(story, 'feedback'), at(video, 'feedback')].flatMap((one) => line(at(one, 'id')) ?? []);
  const ids = [line(at(story, 'post_id')), id, ...own].filter((one) => one !== null);
  const { reactions, comments, shares, counts_approximate: isApproximate } = statsOf(feedback, ids);
  const liked = ids.flatMap((one) =>
    (feedback.get(one) ?? []).flatMap((each) => countOf(at(each, 'likers', 'count'), 'en-US') ?? []),
  );
  const views = countOf(at(video, 'play_count_reduced') ?? at(video, 'play_count'), 'en-US');
  const author = authorOf(list(at(story, 'actors'))[0]) ?? authorOf(at(video, 'owner'));
  const { url: address, thumbnail_url: thumbnail, duration_ms: duration } = videoOf(video);
  return {
    id,
    url: `${SOCIAL_WEB}/reel/${id}`,
    text: text(at(story, 'message', 'text')),
    created_at: moment(at(story, 'creation_time')),
    duration_ms: duration,
    views: views?.value ?? null,
    likes: liked[0]?.value ?? reactions,
    comments,
    shares,
    thumbnail_url: thumbnail,
    video_url: address,
    captions: captionsOf(at(video, 'video_available_captions_locales')),
    author: author === null ? null : { id: author.id, name: author.name, url: author.url },
    counts_approximate: isApproximate || [views, liked[0]].some((one) => one?.approximate === true),
  };
}

/** The languages of the captions, as words or as objects with the address of each. */
function captionsOf(raw: unknown): z.input<typeof Reel>['captions'] {
  if (!Array.isArray(raw)) return null;
  return raw.slice(0, 100).flatMap((one) => {
    const locale = line(one) ?? line(at(one, 'locale'));
    return locale === null ? [] : [{ locale, url: mediaUrl(at(one, 'captions_url') ?? at(one, 'url'), SOCIAL_WEB) }];
  });
}
