import { type ParsedDate, parseDate, toCalendarDay } from '#extract/values/dates.ts';
import { formatFactSource, findMemberText } from '#extract/structured/entities.ts';
import { CLASS_MARK } from './class-marks.ts';
import {
  type DateClassifier,
  createSightingReaders,
  isNotMarkedModified,
  readSightings,
  type SightingReader,
} from './page-dates.ts';
import { announcesPublishing } from './date-evidence.ts';
import type { Sighting } from './page-facts.ts';
import { findFirstValue } from '#extract/values/find-first-value.ts';
import { type SourcedFact, toSourcedFact, type MetadataInputs } from './sourced-fact.ts';

const PUBLISHED_METAS = [
  'article:published_time',
  'article:published',
  'og:published_time',
  'og:article:published_time',
  'datepublished',
  'date-published',
  'publication_date',
  'publish-date',
  'publish_date',
  'publishdate',
  'published_time',
  'pubdate',
  'parsely-pub-date',
  'sailthru.date',
  'article.published',
  'rnews:datepublished',
  'citation_publication_date',
  'citation_online_date',
  'citation_date',
  'dc.date.issued',
  'dcterms.issued',
  'dcterms.created',
  'dc.date.created',
  'dc.date',
  'dcterms.date',
  'date',
  'datecreated',
  'created',
] as const;
const MODIFIED_METAS = [
  'article:modified_time',
  'og:updated_time',
  'article:modified',
  'datemodified',
  'dcterms.modified',
  'dc.date.modified',
  'last-modified',
  'lastmod',
  'revised',
] as const;
/** Dates in URL paths: `/2026/11/21/`, `/21-11-2026-`, `/2026/11/261121-`. */
const URL_DAYS: readonly { readonly pattern: RegExp; readonly order: readonly [number, number, number] }[] = [
  { pattern: /\/((?:19|20)\d\d)[/-](\d{1,2})[/-](\d{1,2})(?:\D|$)/, order: [1, 2, 3] },
  { pattern: /[/_~-](\d{2})-(\d{2})-((?:19|20)\d\d)(?:\D|$)/, order: [3, 2, 1] },
  { pattern: /\/((?:19|20)\d\d)\/(\d{2})\/\d\d\2(\d{2})(?:\D|$)/, order: [1, 2, 3] },
];
/** Eight digits that form a date, but may be an ID. */
const URL_NUMBER = /[/_-]((?:19|20)\d\d)(\d\d)(\d\d)(?:\D|$)/;
/** Members of a page's embedded state that contain its publication date, the most reliable first. */
const EMBEDDED_NAMES = [
  'datePublished',
  'publishedAt',
  'published_at',
  'publishedDate',
  'publishDate',
  'publicationDate',
  'createdAt',
] as const;
/** A substring of the most common names: a script without it is not searched for each of them. */
const COMMON_NAME_PART = 'ublished';
const EMBEDDED_DAY = /^[\\"]{0,4}\s?:\s?[\\"]{0,4}(\d{4}-\d\d-\d\d[^"\\,}]{0,30}|1\d{9}(?:\d{3})?(?!\d))/;
/** The most occurrences of a name per script that are examined. */
const MAX_MENTIONS = 20;
/** Earlier dates are implausible, as are later ones than `MAX_DAY` if the time of the fetch is unknown. */
const MIN_DAY = '1990-01-01';
const MAX_DAY = '2099-01-01';
/** The largest offset of a time zone ahead of UTC. */
const MAX_UTC_OFFSET_MS = 14 * 60 * 60 * 1000;

/** The latest calendar day anywhere on earth when the page was fetched. */
export function computeLatestDay(fetchedAt: number | undefined): string {
  return fetchedAt === undefined ? MAX_DAY : new Date(fetchedAt + MAX_UTC_OFFSET_MS).toISOString().slice(0, 10);
}

/** The kind of a date source. Sources of one family repeat each other, so only the best of them counts. */
type SourceFamily = 'structured' | 'meta' | 'address' | keyof typeof SIGHTING_SOURCES;
type DateSource = {
  readonly family: SourceFamily;
  /** The log-odds that a date from this source is right if sources disagree. */
  readonly weight: number;
  readonly find: () => SourcedFact<ParsedDate> | null;
};

/**
 * Chooses the publication date by a vote: each source votes for its day, and the day with the highest total weight
 * wins. The instant comes from the first source of that day that has one; `also` lists the other sources of that day.
 * Modification dates do not vote. State embedded in scripts is searched only if no other source has a date.
 */
export function choosePublished(
  inputs: MetadataInputs,
  days: DateClassifier,
): (SourcedFact<ParsedDate> & { readonly also: readonly string[] }) | null {
  const found = listDateSources(inputs, days).flatMap(({ find, family, weight }) => {
    const fact = findFirstValue(find);
    return fact === null ? [] : [{ family, weight, fact }];
  });
  if (found.length === 0) {
    const embedded = toSourcedFact(findInScripts(inputs), 'script');
    return embedded === null ? null : { ...embedded, also: [] };
  }
  const local = findLocalDays(found.map(({ fact }) => fact.value));
  const named = found.map((source) => {
    const { value } = source.fact;
    return { ...source, moment: { ...value, day: local.get(value.instant ?? '') ?? value.day } };
  });
  const votes = new Map<string, Map<SourceFamily, number>>();
  for (const { family, weight, moment } of named) {
    const families = votes.get(moment.day) ?? new Map<SourceFamily, number>();
    votes.set(moment.day, families.set(family, Math.max(weight, families.get(family) ?? 0)));
  }
  let best: string | null = null;
  let most = 0;
  for (const [day, families] of votes) {
    const sum = [...families.values()].reduce((total, weight) => total + weight, 0);
    if (sum > most) [best, most] = [day, sum];
  }
  const agreed = named.filter(({ moment }) => moment.day === best);
  const chosen = agreed.find(({ moment }) => moment.instant !== null) ?? agreed[0];
  if (chosen === undefined) return null;
  const by = new Set(agreed.map(({ fact }) => fact.source));
  by.delete(chosen.fact.source);
  return { ...chosen.fact, value: chosen.moment, also: [...by] };
}

/** Maps instants that one source gives in UTC to the local day that another source gives for them. */
function findLocalDays(moments: readonly ParsedDate[]): ReadonlyMap<string, string> {
  return new Map(
    moments.flatMap(({ day, instant }): readonly (readonly [string, string])[] =>
      instant === null || instant.startsWith(day) ? [] : [[instant, day]],
    ),
  );
}

function listDateSources(inputs: MetadataInputs, days: DateClassifier): readonly DateSource[] {
  const { facts, subjects } = inputs;
  const heading = facts.headings[0]?.node ?? 0;
  const { asOfPage, asDateline, asShortText, asLongText } = createSightingReaders(inputs, days);
  const { times } = facts;
  const dates = facts.dates.filter((date) => (date.marks & CLASS_MARK.dated) !== 0);
  const about = facts.dates.filter((date) => (date.marks & CLASS_MARK.dated) === 0);
  // Several sources share sightings.
  const known = new Map<Sighting, ParsedDate | null>();
  const seen = (
    family: keyof typeof SIGHTING_SOURCES,
    weight: number,
    sightings: readonly Sighting[],
    read: SightingReader = asOfPage,
  ) =>
    buildSource(family, weight, () =>
      findInSightings(readSightings(sightings, read), SIGHTING_SOURCES[family], { inputs, known }),
    );
  return [
    buildSource('structured', subjects.length > 0 ? 2.9 : 2.4, () => findInEntities(inputs, ['datePublished'])),
    buildSource('structured', 2, () => findInEntities(inputs, ['dateCreated', 'uploadDate'])),
    buildSource('meta', 2.8, () => findInMetas(inputs, PUBLISHED_METAS.slice(0, CERTAIN_META_COUNT))),
    buildSource('meta', 2, () => findInMetas(inputs, PUBLISHED_METAS)),
    buildSource('address', 2.7, () => toSourcedFact(findInUrl(inputs), 'address')),
    buildSource('address', 1.5, () => toSourcedFact(findNumberInUrl(inputs), 'address')),
    seen(
      'time',
      2.8,
      times.filter((time) => (time.marks & CLASS_MARK.published) !== 0),
    ),
    seen(
      'time',
      2.8,
      times.filter((time) => time.node > heading),
    ),
    seen('time', 2.2, times),
    seen(
      'class',
      3,
      dates.filter((date) => date.node > heading),
    ),
    seen('class', 2.5, dates),
    seen('text', 2.8, facts.datelines, asDateline),
    seen(
      'text',
      2.4,
      facts.shortTexts.filter(({ text }) => announcesPublishing(text)),
      (sighting) => {
        const date = asShortText(sighting);
        return date !== null && announcesPublishing(date.text) ? date : null;
      },
    ),
    seen('text', 2.1, facts.shortTexts, asShortText),
    seen('text', 1.5, facts.longTexts, asLongText),
    seen('class', 2, about),
    seen('class', 1, facts.otherDates),
  ];
}

function buildSource(family: SourceFamily, weight: number, find: () => SourcedFact<ParsedDate> | null): DateSource {
  return { family, weight, find };
}

/** The first of the publication metas are unambiguous; the others may have another date. */
const CERTAIN_META_COUNT = 4;

/** Chooses the modification date; it has an instant only if the source has one. */
export function chooseModified(inputs: MetadataInputs, days: DateClassifier): SourcedFact<ParsedDate> | null {
  const { facts } = inputs;
  return findFirstValue(
    () => findInEntities(inputs, ['dateModified']),
    () => findInMetas(inputs, MODIFIED_METAS),
    () => {
      const times = readSightings(facts.times, (time) => (isNotMarkedModified(time) ? days.asChanged(time) : time));
      return findInSightings(times, SIGHTING_SOURCES.time, { inputs, known: new Map() });
    },
    () => {
      const sightings = [...facts.dates, ...facts.datelines, ...facts.shortTexts];
      return findInSightings(readSightings(sightings, days.asChanged), SIGHTING_SOURCES.text, {
        inputs,
        known: new Map(),
      });
    },
  );
}

function findInEntities(inputs: MetadataInputs, names: readonly string[]): SourcedFact<ParsedDate> | null {
  const { subjects, entities, language } = inputs;
  for (const subject of subjects) {
    for (const name of names) {
      const text = findMemberText(subject, name, entities);
      const moment = text === null ? null : keepPlausible(parseDate(text, language), inputs);
      if (moment !== null) return toSourcedFact(moment, formatFactSource(subject, name));
    }
  }
  return null;
}

function findInMetas(inputs: MetadataInputs, names: readonly string[]): SourcedFact<ParsedDate> | null {
  const { facts, language } = inputs;
  for (const name of names) {
    const text = facts.metas.get(name)?.[0];
    const moment = text === undefined ? null : keepPlausible(parseDate(text, language), inputs);
    if (moment !== null) return toSourcedFact(moment, `meta ${name}`);
  }
  return null;
}

/** The source name of each family of visible dates. */
const SIGHTING_SOURCES = { time: 'time', class: 'element named after dates', text: 'text' } as const;

type DateContext = { readonly inputs: MetadataInputs; readonly known: Map<Sighting, ParsedDate | null> };

function findInSightings(
  sightings: Iterable<Sighting>,
  by: string,
  { inputs, known }: DateContext,
): SourcedFact<ParsedDate> | null {
  for (const sighting of sightings) {
    const before = known.get(sighting);
    const moment = before === undefined ? parseSighting(sighting, inputs) : before;
    known.set(sighting, moment);
    if (moment !== null) return toSourcedFact(moment, by, sighting.node);
  }
  return null;
}

function parseSighting({ machine, text }: Sighting, inputs: MetadataInputs): ParsedDate | null {
  const { language } = inputs;
  return keepPlausible((machine === null ? null : parseDate(machine, language)) ?? parseDate(text, language), inputs);
}

function findInUrl(inputs: MetadataInputs): ParsedDate | null {
  for (const { pattern, order } of URL_DAYS) {
    const match = pattern.exec(inputs.url);
    const [year, month, day] = order.map((part) => Number(match?.[part]));
    const moment = match === null ? null : keepPlausible(toParsedDay(year, month, day), inputs);
    if (moment !== null) return moment;
  }
  return null;
}

function findNumberInUrl(inputs: MetadataInputs): ParsedDate | null {
  const match = URL_NUMBER.exec(inputs.url);
  return match === null
    ? null
    : keepPlausible(toParsedDay(Number(match[1]), Number(match[2]), Number(match[3])), inputs);
}

function toParsedDay(year = 0, month = 0, dayOfMonth = 0): ParsedDate | null {
  const day = toCalendarDay(year, month, dayOfMonth);
  return day === null ? null : { day, time: null, instant: null };
}

/** The first date after one of the embedded names, the most reliable name first. Scripts are searched as text, not parsed. */
function findInScripts(inputs: MetadataInputs): ParsedDate | null {
  const { tree, facts } = inputs;
  const scripts = facts.scripts.map((text) => tree.source.slice(tree.start[text] ?? 0, tree.end[text] ?? 0));
  const publishing = scripts.filter((script) => script.includes(COMMON_NAME_PART));
  for (const name of EMBEDDED_NAMES) {
    for (const script of name.includes(COMMON_NAME_PART) ? publishing : scripts) {
      const moment = findAfterName(name, script, inputs);
      if (moment !== null) return moment;
    }
  }
  return null;
}

function findAfterName(name: string, script: string, inputs: MetadataInputs): ParsedDate | null {
  let at = script.indexOf(name);
  for (let mention = 0; at >= 0 && mention < MAX_MENTIONS; mention++) {
    const end = at + name.length;
    const day = EMBEDDED_DAY.exec(script.slice(end, end + 60))?.[1];
    const moment = day === undefined ? null : keepPlausible(parseDate(day, null), inputs);
    if (moment !== null) return moment;
    at = script.indexOf(name, end);
  }
  return null;
}

function keepPlausible(moment: ParsedDate | null, { latest }: Pick<MetadataInputs, 'latest'>): ParsedDate | null {
  return moment !== null && moment.day >= MIN_DAY && moment.day <= latest ? moment : null;
}
