import { notFound, unusable } from '#sites/framework/answers.ts';
import type { EndpointSource } from '#sites/framework/endpoint.ts';
import { attributeAt } from '#extract/dom/elements.ts';
import { parsePage } from '#extract/dom/parsed-page.ts';
import { variableOf } from '#extract/dom/scripts.ts';
import { at, duration, line, moment, natural } from '#extract/values/raw.ts';
import { refusalOf } from './playability.ts';
import { fromPlayer } from './player.ts';
import { toVideo } from './to-video.ts';
import type { VideoAnswer } from './video-record.ts';
import { idOf } from './videos-input.ts';
import type { VideoInput } from './videos-input.ts';
import { fromWatchData } from './watch-data.ts';
import { things } from '#extract/dom/described.ts';
import type { ParsedPage } from '#extract/dom/parsed-page.ts';
import { toList } from '#extract/values/json.ts';
import type { KnownVideo } from './player.ts';

/** The watch page, which has the player's answer, what is drawn around it, and what it says to search engines. */
export const watch: EndpointSource<typeof VideoInput, typeof VideoAnswer> = {
  name: 'watch',
  request: (input, site) => ({
    origin: 'web',
    path: '/watch',
    query: { v: idOf(input, site), hl: input.language, gl: input.country.toUpperCase() },
    language: input.language,
  }),
  parse(page, input, site) {
    const id = idOf(input, site);
    const html = parsePage(page.body, page.url);
    const player = variableOf(html, 'ytInitialPlayerResponse');
    const refusal = player === undefined ? null : refusalOf(player);
    if (refusal !== null) return refusal;
    const locale = attributeAt(html, 'html', 'lang') ?? input.language;
    const found = [
      fromPlayer(player, { id, country: input.country, base: page.url }),
      fromWatchData(variableOf(html, 'ytInitialData'), { id, locale, base: page.url }),
      videoFromDescribed(html, id),
    ].filter((one) => one !== null);
    if (found.length > 0) return { video: toVideo({ id, base: page.url, source: 'watch_page' }, found) };
    const shown = line(at(player, 'videoDetails', 'videoId'));
    if (shown === null && new URL(page.url).pathname === '/') return notFound('the site leads to its front page');
    return unusable(shown === null ? 'no video in the page' : 'the video asked for');
  },
};

/** The structured data of a watch page; null when it is of another video, or missing. */
function videoFromDescribed(page: ParsedPage, id: string): KnownVideo | null {
  const found = things(page, 'VideoObject').filter(({ members }) =>
    ['identifier', 'videoId', 'url', '@id'].some((name) => textOf(members[name])?.endsWith(id) === true),
  );
  const read = (name: string): string | null =>
    found.map((one) => textOf(one.members[name])).find((one) => one !== null) ?? null;
  const title = read('name');
  if (title === null) return null;
  return {
    title,
    description: read('description'),
    channel: { id: read('channelId') },
    published_at: moment(read('datePublished')),
    uploaded_at: moment(read('uploadDate')),
    duration_ms: duration(read('duration')),
    view_count: natural(read('interactionCount')),
    category: read('genre'),
    is_unlisted: flag(read('unlisted')),
    is_family_safe: flag(read('isFamilyFriendly')),
    available_countries: read('regionsAllowed')?.split(',') ?? null,
  };
}

function textOf(value: unknown): string | null {
  return line(toList(value)[0]);
}

function flag(word: string | null): boolean | null {
  return word === null ? null : /^true$/i.test(word);
}
