import { empty } from '#sites/framework/answers.ts';
import type { SourcePage } from '#sites/framework/request.ts';
import { canonicalOf, openGraph } from '#extract/dom/described.ts';
import { parsePage } from '#extract/dom/parsed-page.ts';
import type { ParsedPage } from '#extract/dom/parsed-page.ts';
import { objectsWith } from '#extract/dom/scripts.ts';
import { findObjects, merged } from '#extract/json/search.ts';
import { at } from '#extract/values/raw.ts';
import { isEvent, toFoundEvent } from './found-event.ts';
import { absent, heldBy, withheld } from './site.ts';

/** Reads the events that were found. */
export function readEvents(page: SourcePage) {
  if (!new URL(page.url).pathname.startsWith('/events/search')) return absent(page, 'the page of a search');
  const parsed = parsePage(page.body, page.url);
  // The page of one event suggests others.
  if (isOneEvent(parsed)) return absent(page, 'the page of a search');
  const results = objectsWith(parsed, 'serpResponse').map((one) => at(one, 'serpResponse', 'results'));
  const found = eventsOf(parsed, results);
  const byId = Map.groupBy(found, (raw) => raw['id']);
  const read = [...byId.values()].flatMap((fragments) => toFoundEvent(merged(fragments)) ?? []);
  if (read.length > 0) return heldBy({ events: read }, hasMoreOf(parsed, new Set(found)));
  return found.length === 0 && results.some(saysNone) ? empty() : withheld(page, 'the events of a search');
}

/** Whether a page says that it is that of one event. */
function isOneEvent(page: ParsedPage): boolean {
  const own = URL.parse(canonicalOf(page) ?? openGraph(page, 'og:url') ?? '', page.url);
  return /^\/events\/(?:.*\/)?\d{5,20}\/?$/.test(own?.pathname ?? '');
}

/** Members that hold events which nobody searched for. */
const SUGGESTIONS = ['related_cut', 'related_events', 'suggested_events'] as const;

/** Events among the results, or where the page tells no results apart, all but those that it suggests. */
function eventsOf(page: ParsedPage, results: readonly unknown[]) {
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

/** Whether a list with one of them goes on. */
function hasMoreOf(page: ParsedPage, events: ReadonlySet<unknown>): boolean {
  return objectsWith(page, 'edges', 'page_info').some(
    (one) =>
      at(one, 'page_info', 'has_next_page') === true &&
      findObjects(one['edges'], isEvent).some((event) => events.has(event)),
  );
}

/** No results, or the site's word that there are none. */
function saysNone(results: unknown): boolean {
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
