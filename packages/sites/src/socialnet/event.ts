import { z } from 'zod';
import { notFound } from '#sites/framework/answers.ts';
import type { SiteView, SourcePage } from '#sites/framework/request.ts';
import { refuseReference } from '#sites/framework/site.ts';
import { openGraph } from '#extract/dom/described.ts';
import { type ParsedPage, parsePage } from '#extract/dom/parsed-page.ts';
import { objectsWith } from '#extract/dom/scripts.ts';
import { merged } from '#extract/json/search.ts';
import { first } from '#extract/values/first.ts';
import type { JsonObject } from '#extract/values/json-object.ts';
import { at, boolean, line, mediaUrl } from '#extract/values/raw.ts';
import { refuseAddress } from './addresses.ts';
import { parseTimeAndPlace } from './shared.ts';
import { answerAbsent, parseSiteUrl, socialnet } from './site.ts';

const HIDDEN = 'Always null at present: only members are shown it';
const Count = z.int().min(0).max(Number.MAX_SAFE_INTEGER).nullable().describe(HIDDEN);

/** An event, as its page shows it to visitors who are not logged in. */
export const event = socialnet({
  path: '/event',
  summary: 'An event by id or url, with its date and place',
  input: z.object({
    id: z.string().min(1).optional().describe('Number of the event; wins over url'),
    url: z.url().max(2000).optional().describe('Address of the event'),
  }),
  anyOf: ['id', 'url'],
  shape: 'closed',
  record: z.object({
    event: z.strictObject({
      id: z.string().nullable(),
      name: z.string().nullable(),
      url: z.string().nullable(),
      time_text: z.string().nullable(),
      start_time: z.string().nullable().describe('ISO 8601 in UTC'),
      is_online: z.boolean().nullable(),
      is_canceled: z.boolean().nullable(),
      location_name: z.string().nullable(),
      cover_url: z.string().nullable(),
      description: z.string().nullable().describe(HIDDEN),
      stats: z.strictObject({ interested: Count, going: Count }),
    }),
  }),
  expected: ['event.name', 'event.time_text', 'event.start_time', 'event.is_canceled', 'event.is_online'],
  canary: { id: '602005831971873' },
  request: (input, site) => ({ origin: 'web', path: `/events/${readEventId(input, site)}/` }),
  parse(page, input, site) {
    const wanted = readEventId(input, site);
    const parsed = parsePage(page.body, page.url);
    const found = findEvent(parsed, wanted);
    const id = found === null ? findPageId(parsed, wanted) : line(found['id']);
    const name = found === null ? (id === null ? null : openGraph(parsed, 'og:title')) : line(found['name']);
    if (id === null || name === null) return answerMissing(page, wanted);
    const raw: JsonObject = found ?? {};
    return {
      event: {
        id,
        name,
        url: parseSiteUrl(raw['url'] ?? raw['eventUrl'] ?? `/events/${id}/`),
        ...parseTimeAndPlace(raw),
        is_canceled: boolean(raw['is_canceled']),
        cover_url: findCover(parsed, raw),
        description: null,
        stats: { interested: null, going: null },
      },
    };
  },
});

/** Reads the id of the wanted event. For a recurring event it is the id of the occurrence. */
function readEventId({ id, url: address }: { readonly id?: string; readonly url?: string }, site: SiteView): string {
  if (id !== undefined)
    return /^\d{5,20}$/.test(id.trim()) ? id.trim() : refuseReference('id', 'is no number of an event');
  const place = site.locate(address ?? '');
  const parts = place === null ? null : new URL(place.path, 'http://site');
  if (parts === null || !parts.pathname.startsWith('/events/')) return refuseAddress(place?.path ?? '', 'an event');
  const occurrence = parts.searchParams.get('event_time_id') ?? '';
  const named = parts.pathname.split('/').findLast((segment) => /^\d{5,20}$/.test(segment));
  return /^\d{5,20}$/.test(occurrence) ? occurrence : (named ?? refuseAddress(place?.path ?? '', 'an event'));
}

/** Finds the wanted event and merges its fragments, the fullest first. Suggested events lack these two members. */
function findEvent(page: ParsedPage, wanted: string): JsonObject | null {
  const main = objectsWith(page, 'day_time_sentence', 'is_canceled').find((object) => isWanted(object, wanted));
  if (main === undefined) return null;
  const fragments = objectsWith(page, 'id', 'event_place').filter((object) => object['id'] === main['id']);
  const cover = Object.hasOwn(main, 'cover_media_renderer')
    ? { cover_media_renderer: main['cover_media_renderer'] }
    : {};
  return { ...merged([main, ...fragments]), ...cover };
}

/** Whether an event is the wanted one, or the occurrence to which the id of a recurring event leads. */
function isWanted(object: JsonObject, wanted: string): boolean {
  if (object['id'] === wanted) return true;
  const address = line(object['url']) ?? '';
  return address.includes(`/events/${wanted}/`) && address.endsWith(`event_time_id=${line(object['id']) ?? ''}`);
}

/** The id in `og:url`, if it is the wanted one. */
function findPageId(page: ParsedPage, wanted: string): string | null {
  const named = /\/events\/(?:[^?#]*\/)?(\d+)\/?(?:[?#]|$)/.exec(openGraph(page, 'og:url') ?? '')?.[1];
  return named === wanted ? wanted : null;
}

function answerMissing(page: SourcePage, wanted: string) {
  const { pathname } = new URL(page.url);
  if (/^\/(?:events(?:\/discovery)?\/?)?$/.test(pathname))
    return notFound('the site leads to its list of events instead');
  const shown = /^\/events\/(?:.*\/)?(\d+)\/?$/.exec(pathname)?.[1];
  if (shown !== undefined && shown !== wanted) return notFound('the site leads to another event');
  return answerAbsent(page, `no event ${wanted} in the page`);
}

function findCover(page: ParsedPage, raw: JsonObject): string | null {
  const photo = at(raw, 'cover_media_renderer', 'cover_photo', 'photo');
  const listed = at(raw, 'cover_media', 0);
  const found = first(
    () => mediaUrl(at(photo, 'full_image', 'uri') ?? at(photo, 'image', 'uri'), page.url),
    () =>
      mediaUrl(
        at(listed, 'full_image', 'uri') ?? at(listed, 'image', 'uri') ?? at(listed, 'photo', 'image', 'uri'),
        page.url,
      ),
    () =>
      mediaUrl(
        at(raw, 'cover_media_renderer', 'cover_video', 'image', 'uri') ?? at(raw, 'cover_video', 'image', 'uri'),
        page.url,
      ),
  );
  const says = ['cover_media_renderer', 'cover_media', 'cover_video'].some((name) => Object.hasOwn(raw, name));
  if (found !== null || says) return found;
  const shared = mediaUrl(openGraph(page, 'og:image'), page.url);
  // A preview for crawlers and the placeholder of an event without a picture are not covers.
  return shared === null || /lookaside\.[^/]*\/.*crawler\/media|\/t1\.30497-1\//.test(shared) ? null : shared;
}
