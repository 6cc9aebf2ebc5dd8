import { all, attributeAt, lineAt, lineOf, one, richOf } from '#extract/dom/elements.ts';
import { canonicalOf, things } from '#extract/dom/described.ts';
import type { ParsedPage } from '#extract/dom/parsed-page.ts';
import { attributeOf } from '#extract/html/tree.ts';
import { memberOf, toList } from '#extract/values/json.ts';
import { countOf, duration, integer, line, mediaUrl, moment, natural, text } from '#extract/values/raw.ts';
import { addressOf, channelOf, linkedPath, plainLine, videoAddressOf } from './address.ts';
import { votesOf } from './summaries.ts';
import type { KnownAltVideo } from './video-record.ts';

const LOCALE = 'en-US';

/** A video as its page shows and describes it; null where the page is of none. */
export function fromVideoPage(page: ParsedPage): KnownAltVideo | null {
  const described = describedIn(page);
  const home = addressOf(linkedPath(canonicalOf(page))) ?? described.url;
  const title = lineAt(page, 'h1.h1') ?? described.title;
  if (home === null || home === undefined || title === null || title === undefined) return null;
  const [likes, dislikes] = votesOf(attributeAt(page, '.rating-bar', 'title'));
  const liked = countOf(likes ?? lineAt(page, '[data-js=rumbles_up_votes]'), LOCALE);
  const disliked = countOf(dislikes ?? lineAt(page, '[data-js=rumbles_down_votes]'), LOCALE);
  const aired = '.streamed-on time, .media-description-info-tag time, .media-published time';
  const about = descriptionOf(page);
  return {
    ...described,
    url: home,
    title,
    channel: channelOf(attributeAt(page, 'a.media-by--a', 'href'), {
      name: lineAt(page, 'a.media-by--a .media-heading-name'),
      verified: one(page, 'a.media-by--a .verification-badge-icon') !== 0,
    }),
    like_count: liked?.value ?? null,
    dislike_count: disliked?.value ?? null,
    comment_count: countOf(lineAt(page, '.comments-header, .video-comments-count'), LOCALE)?.value ?? null,
    published_at: moment(attributeAt(page, aired, 'datetime')) ?? described.uploaded_at ?? null,
    published_text: lineAt(page, aired),
    counts_approximate: liked?.approximate === true || disliked?.approximate === true,
    video_numeric_id: attributeAt(page, '.rumbles-vote-pill, .rumbles-vote', 'data-id'),
    description_html: about?.html ?? null,
    description_text: about?.text ?? described.description_text ?? null,
    category: lineAt(page, '.video-category-tag-primary'),
    tags: tagsOf(page),
    license: lineAt(page, '.media-license'),
  };
}

/** Whether the page is that of a broadcast, which goes on, is to come, or has ended a moment ago. */
export function isBroadcast(page: ParsedPage): boolean {
  return one(page, '.live-video-status') !== 0;
}

/** The path of a page of a video by what it says itself, to compare with what was asked for. */
export function idOfPage({ url }: KnownAltVideo): string | null {
  return videoAddressOf(URL.parse(url ?? '')?.pathname ?? '')?.id ?? null;
}

function describedIn(page: ParsedPage): KnownAltVideo {
  const [found] = things(page, 'VideoObject');
  const read = (name: string): unknown => toList(found?.members[name])[0];
  const embed = line(read('embedUrl'));
  const player = videoAddressOf(linkedPath(embed) ?? '');
  const length = duration(read('duration'));
  return {
    url: addressOf(linkedPath(line(read('url')))) ?? undefined,
    title: plainLine(read('name')) ?? undefined,
    description_text: text(read('description')),
    thumbnail_url: mediaUrl(read('thumbnailUrl'), page.url),
    uploaded_at: moment(read('uploadDate')),
    duration_ms: length,
    duration_text: null,
    view_count: natural(memberOf(read('interactionStatistic'), 'userInteractionCount')),
    embed_id: player?.kind === 'embed' ? player.id : null,
    width: integer(read('width')),
    height: integer(read('height')),
  };
}

/** The words that it is found by; the links to its categories stand among them. */
function tagsOf(page: ParsedPage): readonly string[] {
  const links = all(page, '.media-description-tags-container a');
  const tags = links.filter((node) => attributeOf(page.tree, node, 'href')?.startsWith('/category/') !== true);
  return tags.flatMap((node) => lineOf(page, node) ?? []);
}

/** All its paragraphs, without the buttons that show and hide them. */
function descriptionOf(page: ParsedPage) {
  const whole = one(page, '[data-js=media_long_description_container]') || one(page, 'div.media-description');
  return richOf(page, whole);
}
