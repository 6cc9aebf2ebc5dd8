import type { UrlParts } from './address.ts';
import { isPageParameter } from './pagination.ts';

/** Longer addresses are made by programs for programs; browsers once took no more. */
const MAX_URL_LENGTH = 2083;
const MAX_SEGMENTS = 32;
/** How often words may follow one another (`/a/b/a/b/a/b`); numbers repeat in dates and versions. */
const MAX_REPEATED_WORDS = 3;
const MAX_REPEATED_NUMBERS = 6;
/** How often one word may stand in a path, wherever. */
const MAX_SAME_WORD = 4;
/** Empty segments, as between two slashes; addresses within addresses have some. */
const MAX_EMPTY_SEGMENTS = 3;
const MAX_PARAMETERS = 30;
const MAX_OF_ONE_PARAMETER = 10;
/** Years ahead for which a calendar has something to say. */
const MAX_YEARS_AHEAD = 2;

/** An escape of an escape of an escape: a link that carries itself along. */
const NESTED_ESCAPE = /%25(?:25){2}/;
/** A calendar shows days by their number alone: a segment or a parameter that says so, and what stands in it. */
const CALENDAR_WORD =
  'calendars?|kalender|calendrier|calendario|agenda|events?|veranstaltungen|termine|schedule|archives?|year|month|week|day|date|tribe-bar-date';
const CALENDAR_PATH = new RegExp(`/(?:${CALENDAR_WORD})/(?:[a-z]{1,12}/)?(\\d{4})(?:[-/.]\\d{1,2}){1,2}/?$`, 'i');
const CALENDAR_QUERY = new RegExp(`(?:^|&)(?:${CALENDAR_WORD})=(\\d{4})(?![^-/.&\\d])`, 'i');

/**
 * Whether an address by its form alone belongs to a space without end: repeated segments, ever longer paths, links
 * that carry themselves along, calendars of far years. `now` in ms since 1970.
 */
export function isTrap(address: UrlParts, now: number): boolean {
  const { path, query } = address;
  if (path.length + query.length > MAX_URL_LENGTH) return true;
  if (isRepetitive(path)) return true;
  if (query !== '' && (NESTED_ESCAPE.test(query) || hasTooManyParameters(query))) return true;
  return isFarCalendar(address, now);
}

function isRepetitive(path: string): boolean {
  const segments = path.split('/').filter((segment) => segment !== '');
  if (segments.length > MAX_SEGMENTS || hasManySlashes(path) || hasRepeatedWord(segments)) return true;
  for (let period = 1; period * MAX_REPEATED_WORDS <= segments.length; period++) {
    let matching = 0;
    for (let at = period; at < segments.length; at++) {
      matching = segments[at] === segments[at - period] ? matching + 1 : 0;
      const times = 1 + matching / period;
      if (times < MAX_REPEATED_WORDS) continue;
      const block = segments.slice(at - period + 1, at + 1);
      if (times >= MAX_REPEATED_NUMBERS || block.some((segment) => /\D/.test(segment))) return true;
    }
  }
  return false;
}

function hasManySlashes(path: string): boolean {
  if (!path.includes('//')) return false;
  return (path.match(/\/(?=\/)/g) ?? []).length > MAX_EMPTY_SEGMENTS;
}

function hasRepeatedWord(segments: readonly string[]): boolean {
  if (segments.length <= MAX_SAME_WORD) return false;
  return segments.some(
    (segment) => /\D/.test(segment) && segments.filter((other) => other === segment).length > MAX_SAME_WORD,
  );
}

function hasTooManyParameters(query: string): boolean {
  const names = query.split('&').map((parameter) => parameter.split('=', 1)[0] ?? '');
  if (names.length > MAX_PARAMETERS) return true;
  if (names.length <= MAX_OF_ONE_PARAMETER) return false;
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return Math.max(...counts.values()) > MAX_OF_ONE_PARAMETER;
}

function isFarCalendar({ path, query }: UrlParts, now: number): boolean {
  const year = Number((CALENDAR_PATH.exec(path) ?? CALENDAR_QUERY.exec(query))?.[1] ?? 0);
  return year > new Date(now).getUTCFullYear() + MAX_YEARS_AHEAD;
}

/** Addresses of one shape that a crawl takes in, by the number of parameters that choose content. */
const LIMITS: readonly number[] = [10_000, 50_000, 10_000, 2_000, 500];
const CALENDAR_LIMIT = 5_000;
const PATH_LIMIT = 50_000;
const MAX_SHAPES = 100_000;

/** Counts the addresses of a crawl by their shape; holds at most `MAX_SHAPES` counts. */
export type ShapeCounter = {
  /** Counts one address that the crawl had not known, and says whether its shape still has room. */
  readonly admits: (address: UrlParts) => boolean;
};

/**
 * Bounds what a form of filters, a search or a calendar can spread over: how many addresses with the same names of
 * parameters on the same kind of path are taken in. Page numbers choose no content and leave the bound wide. One
 * process counts for itself; of shapes beyond the bound of memory nothing is refused.
 */
export function buildShapeCounts(): ShapeCounter {
  const counts = new Map<string, number>();
  return {
    admits: (address) => listShapes(address).every(({ shape, limit }) => countShape(counts, shape) <= limit),
  };
}

function countShape(counts: Map<string, number>, shape: string): number {
  const known = counts.get(shape) ?? 0;
  if (known > 0 || counts.size < MAX_SHAPES) counts.set(shape, known + 1);
  return known + 1;
}

type UrlShape = { readonly shape: string; readonly limit: number };

function listShapes({ authority, path, query }: UrlParts): readonly UrlShape[] {
  const slash = path.lastIndexOf('/') + 1;
  const place = authority + (path.slice(0, slash) + toSegmentKind(path.slice(slash))).replace(/\d+/g, '#');
  if (query === '') return CALENDAR_PATH.test(path) ? [{ shape: place, limit: CALENDAR_LIMIT }] : [];
  const names = new Set(query.split('&').map((parameter) => (parameter.split('=', 1)[0] ?? '').replace(/\d+/g, '#')));
  const choosing = [...names].filter((name) => !isPageParameter(name));
  const widest = LIMITS[Math.min(choosing.length, LIMITS.length - 1)] ?? 0;
  const limit = CALENDAR_QUERY.test(query) ? Math.min(widest, CALENDAR_LIMIT) : widest;
  return [
    { shape: `${place}?`, limit: PATH_LIMIT },
    { shape: `${place}?${[...names].toSorted().join('&')}`, limit },
  ];
}

/** A last segment that names one of many (`blue-shoe-42`, a long word) stands for its like. */
function toSegmentKind(segment: string): string {
  return segment.length > 24 || /[\d-]/.test(segment) ? '*' : segment;
}
