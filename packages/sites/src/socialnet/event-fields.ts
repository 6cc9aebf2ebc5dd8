import type { JsonObject } from '#extract/values/json-object.ts';
import { at, boolean, line, moment } from '#extract/values/raw.ts';

const NOWHERE = 'Online event';

/** When and where an event is, as its page and a search tell it. */
export function timeAndPlaceOf(raw: JsonObject) {
  const place = line(at(raw, 'event_place', 'contextual_name')) ?? line(at(raw, 'event_place', 'name'));
  const isOnline = boolean(raw['is_online']) ?? (place === NOWHERE ? true : null);
  return {
    time_text: line(raw['day_time_sentence']) ?? line(raw['capitalized_day_time_sentence']),
    start_time: moment(raw['start_timestamp']) ?? moment(raw['current_start_timestamp']),
    is_online: isOnline,
    location_name: isOnline === true || place === NOWHERE ? null : place,
  };
}
