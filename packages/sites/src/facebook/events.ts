import { z } from 'zod';
import { findCanonicalUrl, findOpenGraph } from '#extract/dom/elements.ts';
import { type ParsedPage, parsePage } from '#extract/dom/parsed-page.ts';
import { listObjectsWith } from '#extract/dom/scripts.ts';
import { findObjects, mergeFragments } from '#extract/json/find-objects.ts';
import { findFirstValue } from '#extract/values/find-first-value.ts';
import type { JsonObject } from '#extract/values/json-object.ts';
import { getPath, toBoolean, toCount, toLine, toMediaUrl } from '#extract/values/raw.ts';
import { answerEmpty, notFound } from '#sites/framework/answers.ts';
import type { SiteContext, SourcePage } from '#sites/framework/request.ts';
import { refuseReference } from '#sites/framework/site.ts';
import { refuseAddress } from './addresses.ts';
import { parseCaption, parseConstant, parseTimeAndPlace } from './shared.ts';
import { answerMissingRecord, answerMissingList, facebook, HOME, markIncomplete, parseSiteUrl } from './site.ts';

const HIDDEN = 'Always null at present: only members are shown it';
const Count = z.int().min(0).max(Number.MAX_SAFE_INTEGER).nullable().describe(HIDDEN);

/** An event, as its page shows it to visitors who are not logged in. */
export const facebookEvent = facebook({
  path: '/event',
  summary: 'An event by id or url, with its date and place',
  input: z.object({
    id: z.string().min(1).optional().describe('Number of the event; takes precedence over url'),
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
    const event = findEvent(parsed, wanted);
    const id = event === null ? findPageId(parsed, wanted) : toLine(event['id']);
    const name = event === null ? (id === null ? null : findOpenGraph(parsed, 'og:title')) : toLine(event['name']);
    if (id === null || name === null) return answerMissing(page, wanted);
    const raw: JsonObject = event ?? {};
    return {
      event: {
        id,
        name,
        url: parseSiteUrl(raw['url'] ?? raw['eventUrl'] ?? `/events/${id}/`),
        ...parseTimeAndPlace(raw),
        is_canceled: toBoolean(raw['is_canceled']),
        cover_url: findCover(parsed, raw),
        description: null,
        stats: { interested: null, going: null },
      },
    };
  },
});

/** Reads the id of the wanted event. For a recurring event it is the id of the occurrence. */
function readEventId({ id, url: address }: { readonly id?: string; readonly url?: string }, site: SiteContext): string {
  if (id !== undefined)
    return /^\d{5,20}$/.test(id.trim()) ? id.trim() : refuseReference('id', 'is not the number of an event');
  const place = site.locate(address ?? '');
  const parts = place === null ? null : new URL(place.path, 'http://site');
  if (parts === null || !parts.pathname.startsWith('/events/')) return refuseAddress(place?.path ?? '', 'an event');
  const occurrence = parts.searchParams.get('event_time_id') ?? '';
  const named = parts.pathname.split('/').findLast((segment) => /^\d{5,20}$/.test(segment));
  return /^\d{5,20}$/.test(occurrence) ? occurrence : (named ?? refuseAddress(place?.path ?? '', 'an event'));
}

/** Finds the wanted event and merges its fragments, the fullest first. Suggested events lack these two members. */
function findEvent(page: ParsedPage, wanted: string): JsonObject | null {
  const main = listObjectsWith(page, 'day_time_sentence', 'is_canceled').find((object) => isWanted(object, wanted));
  if (main === undefined) return null;
  const fragments = listObjectsWith(page, 'id', 'event_place').filter((object) => object['id'] === main['id']);
  const cover = Object.hasOwn(main, 'cover_media_renderer')
    ? { cover_media_renderer: main['cover_media_renderer'] }
    : {};
  return { ...mergeFragments([main, ...fragments]), ...cover };
}

/** Whether an event is the wanted one, or the occurrence to which the id of a recurring event leads. */
function isWanted(object: JsonObject, wanted: string): boolean {
  if (object['id'] === wanted) return true;
  const address = toLine(object['url']) ?? '';
  return address.includes(`/events/${wanted}/`) && address.endsWith(`event_time_id=${toLine(object['id']) ?? ''}`);
}

/** The id in `og:url`, if it is the wanted one. */
function findPageId(page: ParsedPage, wanted: string): string | null {
  const named = /\/events\/(?:[^?#]*\/)?(\d+)\/?(?:[?#]|$)/.exec(findOpenGraph(page, 'og:url') ?? '')?.[1];
  return named === wanted ? wanted : null;
}

function answerMissing(page: SourcePage, wanted: string) {
  const { pathname } = new URL(page.url);
  if (/^\/(?:events(?:\/discovery)?\/?)?$/.test(pathname)) return notFound('the site redirects to its list of events');
  const shown = /^\/events\/(?:.*\/)?(\d+)\/?$/.exec(pathname)?.[1];
  if (shown !== undefined && shown !== wanted) return notFound('the site redirects to another event');
  return answerMissingRecord(page, `no event ${wanted} in the page`);
}

function findCover(page: ParsedPage, raw: JsonObject): string | null {
  const photo = getPath(raw, 'cover_media_renderer', 'cover_photo', 'photo');
  const listed = getPath(raw, 'cover_media', 0);
  const shown = findFirstValue(
    () => toMediaUrl(getPath(photo, 'full_image', 'uri') ?? getPath(photo, 'image', 'uri'), page.url),
    () =>
      toMediaUrl(
        getPath(listed, 'full_image', 'uri') ??
          getPath(listed, 'image', 'uri') ??
          getPath(listed, 'photo', 'image', 'uri'),
        page.url,
      ),
    () =>
      toMediaUrl(
        getPath(raw, 'cover_media_renderer', 'cover_video', 'image', 'uri') ??
          getPath(raw, 'cover_video', 'image', 'uri'),
        page.url,
      ),
  );
  const says = ['cover_media_renderer', 'cover_media', 'cover_video'].some((name) => Object.hasOwn(raw, name));
  if (shown !== null || says) return shown;
  const shared = toMediaUrl(findOpenGraph(page, 'og:image'), page.url);
  // A preview for crawlers and the placeholder of an event without a picture are not covers.
  return shared === null || /lookaside\.[^/]*\/.*crawler\/media|\/t1\.30497-1\//.test(shared) ? null : shared;
}

const NullableText = z.string().nullable();
const NullableFlag = z.boolean().nullable();
const AttendanceCount = z.int().min(0).nullable();

const EventResult = z.object({
  id: z.string(),
  name: z.string(),
  url: z.string(),
  time_text: NullableText,
  start_time: NullableText.describe('ISO 8601 in UTC'),
  is_online: NullableFlag,
  is_past: NullableFlag,
  location_name: NullableText,
  location_id: NullableText,
  cover_url: NullableText,
  cover_alt: NullableText,
  social_text: NullableText,
  interested: AttendanceCount,
  going: AttendanceCount,
  price_text: NullableText,
  kind: NullableText,
  counts_approximate: z.boolean(),
});

/** Events by words: those in the result page. */
export const facebookEventSearch = facebook({
  path: '/events/search',
  summary: 'Public events by words and place',
  input: z.object({
    search: z.string().trim().min(1).max(300).describe('Words to search for'),
    location: z.string().trim().min(1).max(100).optional().describe('A place to search for together with the words'),
  }),
  record: z.object({ events: z.array(EventResult).readonly() }),
  aliases: { search: ['query', 'q', 'keyword', 'keywords'], limit: ['per_page'] },
  list: 'events',
  limit: { default: 20, max: 50 },
  expected: ['events.url', 'events.time_text', 'events.start_time', 'events.location_name', 'events.cover_url'],
  canary: { search: 'jazz', location: 'New York' },
  request: ({ search, location }) => ({
    origin: 'web',
    path: '/events/search/',
    query: { q: location === undefined ? search : `${search} ${location}` },
  }),
  parse: readEvents,
});

/** Reads a result page. */
function readEvents(page: SourcePage) {
  if (!new URL(page.url).pathname.startsWith('/events/search'))
    return answerMissingRecord(page, 'the page of a search is missing');
  const parsed = parsePage(page.body, page.url);
  // The page of one event suggests others, which are not results.
  if (isOneEvent(parsed)) return answerMissingRecord(page, 'the page of a search is missing');
  const results = listObjectsWith(parsed, 'serpResponse').map((one) => getPath(one, 'serpResponse', 'results'));
  const events = findEvents(parsed, results);
  const byId = Map.groupBy(events, (raw) => raw['id']);
  const read = [...byId.values()].flatMap((fragments) => parseEvent(mergeFragments(fragments)) ?? []);
  if (read.length > 0) return markIncomplete({ events: read }, hasMoreEvents(parsed, new Set(events)));
  return events.length === 0 && results.some(reportsNone)
    ? answerEmpty()
    : answerMissingList(page, 'the events of a search are missing');
}

/** Whether a page is that of one event, by its canonical address. */
function isOneEvent(page: ParsedPage): boolean {
  const own = URL.parse(findCanonicalUrl(page) ?? findOpenGraph(page, 'og:url') ?? '', page.url);
  return /^\/events\/(?:.*\/)?\d{5,20}\/?$/.test(own?.pathname ?? '');
}

/** Members that contain suggested events. */
const SUGGESTIONS = ['related_cut', 'related_events', 'suggested_events'] as const;

/** Finds the events in the results. If the page has no list of results, finds all events except suggestions. */
function findEvents(page: ParsedPage, results: readonly unknown[]) {
  const suggested = new Set(
    SUGGESTIONS.flatMap((name) => listObjectsWith(page, name).flatMap((one) => findObjects(one[name], isEvent))),
  );
  const all = [
    ...listObjectsWith(page, 'name', 'day_time_sentence'),
    ...listObjectsWith(page, 'name', 'capitalized_day_time_sentence'),
  ];
  const events = results.length > 0 ? results.flatMap((one) => findObjects(one, isEvent)) : all.filter(isEvent);
  return events.filter((one) => !suggested.has(one));
}

/** Whether a list that contains one of these events has more. */
function hasMoreEvents(page: ParsedPage, events: ReadonlySet<unknown>): boolean {
  return listObjectsWith(page, 'edges', 'page_info').some(
    (one) =>
      getPath(one, 'page_info', 'has_next_page') === true &&
      findObjects(one['edges'], isEvent).some((event) => events.has(event)),
  );
}

/** Whether the list of results is empty, or contains only the message that there are none. */
function reportsNone(results: unknown): boolean {
  const edges = getPath(results, 'edges');
  if (!Array.isArray(edges)) return false;
  return (
    edges.length === 0 ||
    findObjects(
      edges,
      ({ __typename: type }) => typeof type === 'string' && /(?:No|Null|Empty)(?:Result|State)/.test(type),
    ).length > 0
  );
}

/** Whether an object contains the data of an event, and not only its name. */
function isEvent(raw: JsonObject): boolean {
  return (
    toLine(raw['name']) !== null &&
    (raw['__typename'] === undefined || raw['__typename'] === 'Event') &&
    ['day_time_sentence', 'capitalized_day_time_sentence'].some((name) => Object.hasOwn(raw, name))
  );
}

/** Parses an event of a result page. Null if it has no id. */
function parseEvent(raw: JsonObject): z.input<typeof EventResult> | null {
  const [id, name] = [toLine(raw['id']), toLine(raw['name'])];
  if (id === null || name === null || !/^\d{5,20}$/.test(id)) return null;
  const photo = getPath(raw, 'cover_photo', 'photo');
  const social = toLine(getPath(raw, 'social_context', 'text'));
  const [interested, going] = [parseCountBefore(social, 'interested'), parseCountBefore(social, 'going')];
  const { location_name: place, ...when } = parseTimeAndPlace(raw);
  return {
    id,
    name,
    url: `${HOME}/events/${id}/`,
    ...when,
    is_past: toBoolean(raw['is_past']),
    location_name: place,
    location_id: place === null ? null : toLine(getPath(raw, 'event_place', 'id')),
    cover_url: toMediaUrl(getPath(photo, 'eventImage', 'uri') ?? getPath(photo, 'image', 'uri'), HOME),
    cover_alt: parseCaption(getPath(photo, 'accessibility_caption')),
    social_text: social,
    interested: interested?.value ?? null,
    going: going?.value ?? null,
    price_text: toLine(getPath(raw, 'ticketing_context_row', 'price_range_text')),
    kind: parseConstant(raw['event_kind']),
    counts_approximate: interested?.approximate === true || going?.approximate === true,
  };
}

/** Parses the number before a word of `30 interested · 3 going`. */
function parseCountBefore(text: string | null, word: string) {
  return toCount(new RegExp(`([\\d.,]+\\s?[KMB]?) ${word}\\b`, 'i').exec(text ?? '')?.[1], 'en-US');
}
