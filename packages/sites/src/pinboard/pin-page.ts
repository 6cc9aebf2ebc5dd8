import type { SourcePage } from '#sites/framework/request.ts';
import { canonicalOf, openGraph, things } from '#extract/dom/described.ts';
import { parsePage } from '#extract/dom/parsed-page.ts';
import type { ParsedPage } from '#extract/dom/parsed-page.ts';
import { merged } from '#extract/json/search.ts';
import type { JsonObject } from '#extract/values/json-object.ts';
import { duration, line } from '#extract/values/raw.ts';
import { drawnPin, relayedPins } from './page-state.ts';
import { pinIdIn } from './pin-input.ts';
import type { Pin } from './pin-record.ts';
import { PINBOARD_HOME } from './site.ts';
import { toPin } from './to-pin.ts';

/**
 * The pin of its page: from the data that the page is drawn from, else from what it describes. `id` is null where a short
 * address led to it. A page of a pin that repeats another describes that other one, and says so by its canonical address.
 */
export function readPinPage(source: SourcePage, id: string | null): Pin | 'gone' | null {
  const page = parsePage(source.body, source.url);
  const { pathname } = new URL(source.url);
  if (pathname === '/' || pathname === '/ideas/') return 'gone';
  const asked = id ?? pinIdIn(pathname);
  const meant = [asked, pinIdIn(URL.parse(canonicalOf(page) ?? '', PINBOARD_HOME)?.pathname ?? '')];
  const relayed = relayedPins(page);
  for (const one of meant) {
    if (one === null) continue;
    const known = [drawnPin(page, one), ...relayed.filter((pin) => line(pin['id']) === one)].filter(
      (pin) => pin !== undefined,
    );
    const pin = known.map((raw) => toPin(raw)).find((read) => read !== null && (read.title ?? read.image_url) !== null);
    if (pin !== null && pin !== undefined) return { ...pin, video: pin.video ?? describedVideo(page) };
  }
  if (relayed.some((pin) => pin['__typename'] === 'PinNotFound')) return 'gone';
  return asked === null || !meant.slice(1).includes(asked) ? null : describedPin(page, asked);
}

/** The pin as the page describes it for search engines. */
function describedPin(page: ParsedPage, id: string): Pin | null {
  const posts = things(page, 'SocialMediaPosting', 'VideoObject').map(({ members }) => members);
  const post: JsonObject = merged(posts);
  const title = line(post['headline']) ?? line(post['name']) ?? openGraph(page, 'og:title');
  const pin = toPin({
    id,
    title,
    description: post['articleBody'] ?? post['description'],
    created_at: post['datePublished'] ?? post['uploadDate'],
    images: { orig: { url: openGraph(page, 'og:image') } },
  });
  if (pin === null || posts.length === 0 || title === null) return null;
  const video = describedVideo(page);
  return { ...pin, video, is_video: video !== null };
}

function describedVideo(page: ParsedPage): Pin['video'] {
  const film = things(page, 'VideoObject')[0]?.members;
  const address = line(film?.['contentUrl']);
  if (film === undefined || address === null) return null;
  const raw = { url: address, thumbnail: film['thumbnailUrl'], duration: duration(film['duration']) };
  return toPin({ id: '000000', videos: { video_list: { file: raw } } })?.video ?? null;
}
