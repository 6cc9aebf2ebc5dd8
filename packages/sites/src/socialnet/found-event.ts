import { z } from 'zod';
import type { JsonObject } from '#extract/values/json-object.ts';
import { at, boolean, countOf, line, mediaUrl } from '#extract/values/raw.ts';
import { timeAndPlaceOf } from './event-fields.ts';
import { wordOf } from './listing.ts';
import { captionOf } from './media.ts';
import { SOCIAL_WEB } from './site.ts';

const Text = z.string().nullable();
const Flag = z.boolean().nullable();
const Count = z.int().min(0).nullable();

export const FoundEvent = z.object({
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

/** Whether an object tells an event, and not only names one. */
export function isEvent(raw: JsonObject): boolean {
  return (
    line(raw['name']) !== null &&
    (raw['__typename'] === undefined || raw['__typename'] === 'Event') &&
    ['day_time_sentence', 'capitalized_day_time_sentence'].some((name) => Object.hasOwn(raw, name))
  );
}

/** An event as a search tells it; null without its number. */
export function toFoundEvent(raw: JsonObject): z.input<typeof FoundEvent> | null {
  const [id, name] = [line(raw['id']), line(raw['name'])];
  if (id === null || name === null || !/^\d{5,20}$/.test(id)) return null;
  const photo = at(raw, 'cover_photo', 'photo');
  const social = line(at(raw, 'social_context', 'text'));
  const [interested, going] = [countIn(social, 'interested'), countIn(social, 'going')];
  const { location_name: place, ...when } = timeAndPlaceOf(raw);
  return {
    id,
    name,
    url: `${SOCIAL_WEB}/events/${id}/`,
    ...when,
    is_past: boolean(raw['is_past']),
    location_name: place,
    location_id: place === null ? null : line(at(raw, 'event_place', 'id')),
    cover_url: mediaUrl(at(photo, 'eventImage', 'uri') ?? at(photo, 'image', 'uri'), SOCIAL_WEB),
    cover_alt: captionOf(at(photo, 'accessibility_caption')),
    social_text: social,
    interested: interested?.value ?? null,
    going: going?.value ?? null,
    price_text: line(at(raw, 'ticketing_context_row', 'price_range_text')),
    kind: wordOf(raw['event_kind']),
    counts_approximate: interested?.approximate === true || going?.approximate === true,
  };
}

/** The number before a word of `30 interested · 3 going`. */
function countIn(text: string | null, word: string) {
  return countOf(new RegExp(`([\\d.,]+\\s?[KMB]?) ${word}\\b`, 'i').exec(text ?? '')?.[1], 'en-US');
}
