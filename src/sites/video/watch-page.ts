import { notFound, unusable } from '#engine/sites/answers.ts';
import type { Source } from '#engine/sites/endpoint.ts';
import { attributeAt } from '#extract/page/elements.ts';
import { parsePage } from '#extract/page/parsed-page.ts';
import { variableOf } from '#extract/page/scripts.ts';
import { at, line } from '#extract/values/raw.ts';
import { fromDescribed } from './described.ts';
import { refusalOf } from './playability.ts';
import { fromPlayer } from './player.ts';
import { toVideo } from './to-video.ts';
import type { VideoAnswer } from './video-record.ts';
import { idOf } from './videos-input.ts';
import type { VideoInput } from './videos-input.ts';
import { fromWatchData } from './watch-data.ts';

/** The watch page, which has the player's answer, what is drawn around it, and what it says to search engines. */
export const watch: Source<typeof VideoInput, typeof VideoAnswer> = {
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
      fromDescribed(html, id),
    ].filter((one) => one !== null);
    if (found.length > 0) return { video: toVideo({ id, base: page.url, source: 'watch_page' }, found) };
    const shown = line(at(player, 'videoDetails', 'videoId'));
    if (shown === null && new URL(page.url).pathname === '/') return notFound('the site leads to its front page');
    return unusable(shown === null ? 'no video in the page' : 'the video asked for');
  },
};
