import { more, partly, unusable } from '#sites/framework/answers.ts';
import type { EndpointSource } from '#sites/framework/endpoint.ts';
import type { SiteRequest, SiteView } from '#sites/framework/request.ts';
import { tryParse } from '#extract/values/json.ts';
import { at } from '#extract/values/raw.ts';
import { refusalOf } from './playability.ts';
import { fromPlayer } from './player.ts';
import { toVideo } from './to-video.ts';
import type { VideoAnswer } from './video-record.ts';
import { contextOf, idOf } from './videos-input.ts';
import type { VideoInput } from './videos-input.ts';
import { fromWatchData } from './watch-data.ts';

type VideoSource = EndpointSource<typeof VideoInput, typeof VideoAnswer>;

const FIELDS =
  'playabilityStatus,videoDetails,microformat,captions.playerCaptionsTracklistRenderer.captionTracks(languageCode,name,kind)';

const AROUND = 'video: the player gives neither chapters nor what viewers did';

/** The interface of the site's own player, and then that of what is drawn around it. */
export const player: VideoSource = {
  name: 'player',
  request: (input, site) => ask('player', input, site),
  parse(page, input, site) {
    const id = idOf(input, site);
    const base = page.url;
    if (page.carry === undefined) {
      const answer = tryParse(page.body);
      if (answer === undefined) return unusable('an answer of the player');
      const given = at(answer, 'playerResponse') ?? answer;
      const refusal = refusalOf(given);
      if (refusal !== null) return refusal;
      const known = fromPlayer(given, { id, country: input.country, base });
      if (known === null) return unusable('the video asked for');
      const alone = { video: toVideo({ id, base, source: 'player' }, [known]) };
      return more(ask('next', input, site), given, partly(alone, AROUND));
    }
    const known = fromPlayer(page.carry, { id, country: input.country, base });
    const around = fromWatchData(tryParse(page.body), { id, locale: input.language, base });
    if (known === null) return unusable('the video asked for');
    return { video: toVideo({ id, base, source: 'player' }, around === null ? [known] : [known, around]) };
  },
};

/** The page around the player, for visitors whom the player refuses. */
export const next: VideoSource = {
  name: 'next',
  lacks: 'what surrounds the player does not give length, exact time, tags, subtitles and who may see the video',
  request: (input, site) => ask('next', input, site),
  parse(page, input, site) {
    const id = idOf(input, site);
    const known = fromWatchData(tryParse(page.body), { id, locale: input.language, base: page.url });
    if (known === null) return unusable('the video asked for');
    return { video: toVideo({ id, base: page.url, source: 'next' }, [known]) };
  },
};

function ask(what: 'player' | 'next', input: VideoInput, site: SiteView): SiteRequest {
  return {
    origin: 'web',
    path: `/youtubei/v1/${what}`,
    query: { prettyPrint: false, ...(what === 'player' ? { $fields: FIELDS } : {}) },
    post: {
      json: { context: contextOf(input, site), videoId: idOf(input, site), contentCheckOk: true, racyCheckOk: true },
    },
    language: input.language,
  };
}
