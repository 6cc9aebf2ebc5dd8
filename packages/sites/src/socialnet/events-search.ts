import { z } from 'zod';
import { empty } from '#sites/framework/answers.ts';
import type { SourcePage } from '#sites/framework/request.ts';
import { canonicalOf, openGraph } from '#extract/dom/described.ts';
import { type ParsedPage, parsePage } from '#extract/dom/parsed-page.ts';
import { objectsWith } from '#extract/dom/scripts.ts';
import { findObjects, merged } from '#extract/json/search.ts';
import type { JsonObject } from '#extract/values/json-object.ts';
import { at, boolean, countOf, line, mediaUrl } from '#extract/values/raw.ts';
import { parseCaption, parseConstant, parseTimeAndPlace } from './shared.ts';
import { answerAbsent, answerWithheld, markIncomplete, SOCIAL_WEB, socialnet } from './site.ts';

const Text = z.string().nullable();
const Flag = z.boolean().nullable();
const Count = z.int().min(0).nullable();

const FoundEvent = z.object({
  id: z.string(),
  name: z.string(),
  url: z.string(),
  time_text: Text,
  start_time: Text.describe('ISO 8601 in UTC'),
  is_online: Flag,
  is_past: Flag,
  location_name: Text,
  location_id: Text,
  cover_url: Text,
  cover_alt: Text,
  social_text: Text,
  interested: Count,
  going: Count,
  price_text: Text,
  kind: Text,
  counts_approximate: z.boolean(),
});

/** Events by words: those in the result page. */
export const eventsSearch = socialnet({
  path: '/events/search',
  summary: 'Public events by words and place',
  input: z.object({
    search: z.string().trim().min(1).max(300).describe('Words to search for'),
    location: z.string().trim().min(1).max(100).optional().describe('A place, searched for together with the words'),
  }),
  record: z.object({ events: z.array(FoundEvent).readonly() }),
  aliases: { search: ['query', 'q', 'keyword', 'keywords'], limit: ['per_page'] },
  list: 'events',
  limit: { default: 20, most: 50 },
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
  if (!new URL(page.url).pathname.startsWith('/events/search')) return answerAbsent(page, 'the page of a search');
  const parsed = parsePage(page.body, page.url);
  // The page of one event suggests others, which are not results.
  if (isOneEvent(parsed)) return answerAbsent(page, 'the page of a search');
  const results = objectsWith(parsed, 'serpResponse').map((one) => at(one, 'serpResponse', 'results'));
  const found = findEvents(parsed, results);
  const byId = Map.groupBy(found, (raw) => raw['id']);
  const read = [...byId.values()].flatMap((fragments) => parseEvent(merged(fragments)) ?? []);
  if (read.length > 0) return markIncomplete({ events: read }, hasMoreEvents(parsed, new Set(found)));
  return found.length === 0 && results.some(reportsNone) ? empty() : answerWithheld(page, 'the events of a search');
}

/** Whether a page is that of one event, by its canonical address. */
function isOneEvent(page: ParsedPage): boolean {
  const own = URL.parse(canonicalOf(page) ?? openGraph(page, 'og:url') ?? '', page.url);
  return /^\/events\/(?:.*\/)?\d{5,20}\/?$/.test(own?.pathname ?? '');
}

/** Members that contain suggested events. */
const SUGGESTIONS = ['related_cut', 'related_events', 'suggested_events'] as const;

/** Finds the events in the results. If the page has no list of results, finds all events except suggestions. */
function findEvents(page: ParsedPage, results: readonly unknown[]) {
  const suggested = new Set(
    SUGGESTIONS.flatMap((name) => objectsWith(page, name).flatMap((one) => findObjects(one[name], isEvent))),
  );
  const all = [
    ...objectsWith(page, 'name', 'day_time_sentence'),
    ...objectsWith(page, 'name', 'capitalized_day_time_sentence'),
  ];
  const found = results.length > 0 ? results.flatMap((one) => findObjects(one, isEvent)) : all.filter(isEvent);
  return found.filter((one) => !suggested.has(one));
}

/** Whether a list that contains one of these events has more. */
function hasMoreEvents(page: ParsedPage, events: ReadonlySet<unknown>): boolean {
  return objectsWith(page, 'edges', 'page_info').some(
    (one) =>
      at(one, 'page_info', 'has_next_page') === true &&
      findObjects(one['edges'], isEvent).some((event) => events.has(event)),
  );
}

/** Whether the list of results is empty, or contains only the message that there are none. */
function reportsNone(results: unknown): boolean {
  const edges = at(results, 'edges');
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
    line(raw['name']) !== null &&
    (raw['__typename'] === undefined || raw['__typename'] === 'Event') &&
    ['day_time_sentence', 'capitalized_day_time_sentence'].some((name) => Object.hasOwn(raw, name))
  );
}

/** Parses an event of a result page. Null if it has no id. */
function parseEvent(raw: JsonObject): z.input<typeof FoundEvent> | null {
  const [id, name] = [line(raw['id']), line(raw['name'])];
  if (id === null || name === null || !/^\d{5,20}$/.test(id)) return null;
  const photo = at(raw, 'cover_photo', 'photo');
  const social = line(at(raw, 'social_context', 'text'));
  const [interested, going] = [parseCountBefore(social, 'interested'), parseCountBefore(social, 'going')];
  const { location_name: place, ...when } = parseTimeAndPlace(raw);
  return {
    id,
    name,
    url: `${SOCIAL_WEB}/events/${id}/`,
    ...when,
    is_past: boolean(raw['is_past']),
    location_name: place,
    location_id: place === null ? null : line(at(raw, 'event_place', 'id')),
    cover_url: mediaUrl(at(photo, 'eventImage', 'uri') ?? at(photo, 'image', 'uri'), SOCIAL_WEB),
    cover_alt: parseCaption(at(photo, 'accessibility_caption')),
    social_text: social,
    interested: interested?.value ?? null,
    going: going?.value ?? null,
    price_text: line(at(raw, 'ticketing_context_row', 'price_range_text')),
    kind: parseConstant(raw['event_kind']),
    counts_approximate: interested?.approximate === true || going?.approximate === true,
  };
}

/** Parses the number before a word of `30 interested · 3 going`. */
function parseCountBefore(text: string | null, word: string) {
  return countOf(new RegExp(`([\\d.,]+\\s?[KMB]?) ${word}\\b`, 'i').exec(text ?? '')?.[1], 'en-US');
}
