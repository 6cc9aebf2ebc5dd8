import { z } from 'zod';
import { more, notFound, partly, unusable } from '#sites/framework/answers.ts';
import type { EndpointSource } from '#sites/framework/endpoint.ts';
import type { SiteRequest, SourcePage } from '#sites/framework/request.ts';
import { parsePage } from '#extract/dom/parsed-page.ts';
import { tryParse } from '#extract/values/json.ts';
import { at, integer, line, mediaUrl } from '#extract/values/raw.ts';
import { channelOf, linkedPath, plainLine, videoAddressOf } from './address.ts';
import type { VideoAddress } from './address.ts';
import { VIDEO_ALT_HOME } from './site.ts';
import { fromCounter, fromEmbed } from './video-embed.ts';
import { wantedVideo } from './video-input.ts';
import type { AltVideoInput } from './video-input.ts';
import { fromVideoPage, idOfPage, isBroadcast } from './video-page.ts';
import { AltVideo, toAltVideo } from './video-record.ts';
import type { AltVideoAnswer, KnownAltVideo } from './video-record.ts';

type AltVideoSource = EndpointSource<typeof AltVideoInput, typeof AltVideoAnswer>;

/** What is known while a further page is asked for. */
const Carried = z.object({
  /** What the further page is. */
  step: z.enum(['embed', 'page', 'counter']),
  known: z.array(AltVideo.partial()),
  broadcast: z.boolean(),
});

type Carried = z.output<typeof Carried>;

/** The page of a video and what its player is told; of an embedded player the other way round. */
export const pageAlt: AltVideoSource = {
  name: 'page',
  request(input, site) {
    const wanted = wantedVideo(input, site);
    return wanted.kind === 'embed' ? askEmbed(wanted.id) : askPage(wanted);
  },
  parse(page, input, site) {
    const wanted = wantedVideo(input, site);
    if (page.carry !== undefined) return readFurther(page, Carried.parse(page.carry));
    return wanted.kind === 'embed' ? readEmbedFirst(page, wanted.id) : readPageFirst(page, wanted.id);
  },
};

/** What embeds are told. */
export const oembedAlt: AltVideoSource = {
  name: 'oembed',
  lacks: 'what embeds are told is title, channel, picture and size alone',
  request(input, site) {
    const { kind, id } = wantedVideo(input, site);
    const path = { video: `/${id}.html`, short: `/shorts/${id}`, embed: `/embed/${id}/` }[kind];
    return { origin: 'web', path: '/api/Media/oembed.json', query: { url: `${VIDEO_ALT_HOME}${path}` } };
  },
  parse(page, input, site) {
    const { kind, id } = wantedVideo(input, site);
    const raw = tryParse(page.body);
    const title = plainLine(at(raw, 'title'));
    const frame = /\bsrc="([^"]+)"/.exec(line(at(raw, 'html')) ?? '')?.[1];
    const player = videoAddressOf(linkedPath(frame ?? null) ?? '');
    const home = videoAddressOf(linkedPath(line(at(raw, 'url'))) ?? '');
    if (title === null || (kind === 'embed' ? player?.id : home?.id) !== id) return unusable('the video asked for');
    const known: KnownAltVideo = {
      id,
      url:
        kind === 'embed'
          ? `${VIDEO_ALT_HOME}/embed/${id}/`
          : `${VIDEO_ALT_HOME}${kind === 'short' ? '/shorts' : ''}/${id}`,
      title,
      channel: channelOf(linkedPath(line(at(raw, 'author_url'))), {
        name: plainLine(at(raw, 'author_name')),
        verified: null,
      }),
      thumbnail_url: mediaUrl(at(raw, 'thumbnail_url'), page.url),
      embed_id: player?.id ?? null,
      width: integer(at(raw, 'width')),
      height: integer(at(raw, 'height')),
    };
    return toAnswer([known]);
  },
};

function askPage({ kind, id }: VideoAddress): SiteRequest {
  return { origin: 'web', path: kind === 'short' ? `/shorts/${id}` : `/${id}` };
}

function askEmbed(embedId: string): SiteRequest {
  return { origin: 'web', path: '/embedJS/u3/', query: { request: 'video', ver: 2, v: embedId } };
}

function readPageFirst(given: SourcePage, id: string): ReturnType<AltVideoSource['parse']> {
  if (new URL(given.url).pathname === '/') return notFound('the site leads to its front page');
  const page = parsePage(given.body, given.url);
  const known = fromVideoPage(page);
  if (known === null) return unusable('no video in the page');
  if (idOfPage(known) !== id) return unusable('the video asked for');
  const embedId = known.embed_id ?? null;
  const broadcast = isBroadcast(page);
  if (embedId === null) return askCounter({ step: 'counter', known: [known], broadcast });
  const carried: Carried = { step: 'embed', known: [known], broadcast };
  return more(
    askEmbed(embedId),
    carried,
    partly(toAnswer([known]), 'what the player is told: size, subtitles and streams'),
  );
}

function readEmbedFirst({ body }: SourcePage, embedId: string): ReturnType<AltVideoSource['parse']> {
  const raw = tryParse(body);
  const refusal = raw === false ? 'there is no such video' : line(at(raw, 'sys', 'msg'));
  if (refusal !== null) return notFound(refusal.slice(0, 200));
  const known = fromEmbed(raw, embedId);
  if (known === null) return unusable('the video asked for');
  const address = videoAddressOf(linkedPath(known.url ?? null) ?? '');
  if (address === null || address.kind === 'embed') return toAnswer([known]);
  const carried: Carried = { step: 'page', known: [known], broadcast: known.live?.status === 'live' };
  return more(askPage(address), carried, partly(toAnswer([known]), 'what the page says: counts, description and tags'));
}

function readFurther(given: SourcePage, carried: Carried): ReturnType<AltVideoSource['parse']> {
  const { step, known, broadcast } = carried;
  const [first = {}] = known;
  if (step === 'counter') {
    const counted = fromCounter(tryParse(given.body), first.video_numeric_id ?? null);
    return counted === null ? unusable('the viewers of the broadcast') : toAnswer([counted, ...known]);
  }
  if (step === 'embed') {
    const told = fromEmbed(tryParse(given.body), first.embed_id ?? '');
    return told === null ? unusable('what the player is told') : askCounter({ ...carried, known: [...known, told] });
  }
  const page = parsePage(given.body, given.url);
  const shown = fromVideoPage(page);
  if (shown === null || idOfPage(shown) !== idOfPage(first)) return unusable('the page of the video asked for');
  return askCounter({ step: 'counter', known: [shown, ...known], broadcast: broadcast || isBroadcast(page) });
}

/** Of a broadcast the viewers are counted elsewhere. */
function askCounter({ known, broadcast }: Carried): ReturnType<AltVideoSource['parse']> {
  const answer = toAnswer(known);
  const id = known.find((one) => one.video_numeric_id !== null && one.video_numeric_id !== undefined)?.video_numeric_id;
  if (!broadcast || id === undefined || id === null) return answer;
  const request = { origin: 'live', path: '/service.php', query: { video_id: id, name: 'video.watching-now' } };
  const carried: Carried = { step: 'counter', known, broadcast };
  return more(request, carried, partly(answer, 'how many watch the broadcast'));
}

function toAnswer(known: readonly KnownAltVideo[]): { video: AltVideo } {
  const video = toAltVideo(known);
  if (video === null) throw new Error('neither its address nor its title');
  return { video };
}
