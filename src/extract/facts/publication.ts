import { type Moment, readMoment, toCalendarDay } from '#extract/values/dates.ts';
import { textOfMember } from '#extract/structured/entities.ts';
import type { Sighting } from './facts.ts';
import { first } from '#extract/values/first.ts';
import type { Witnesses } from './witnesses.ts';

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
const MODIFIED_CLASS = /modif|update|edited|revised/i;
const URL_DAY = /\/((?:19|20)\d\d)[/-](\d{1,2})[/-](\d{1,2})(?:\D|$)/;
/** Dates before the web, and of this project's far future, are no publication dates. */
const EARLIEST = '1990-01-01';
const LATEST = '2099-01-01';

/** Where a date was found; sources of one family repeat each other, so that only the best of them counts. */
type Family = 'structured' | 'meta' | 'address' | 'time' | 'class' | 'text';
type Source = {
  readonly family: Family;
  /** The log-odds that a date from here is the right one, where it differs from others. */
  readonly weight: number;
  readonly find: () => Moment | null;
};

/**
 * When the page was published: every source votes for the day that it names, and the day with the most votes wins; its
 * instant is that of the first source of that day that has one. A modification date never votes.
 */
export function choosePublished(witnesses: Witnesses): Moment | null {
  const votes = new Map<string, Map<Family, number>>();
  const moments: Moment[] = [];
  for (const { family, weight, find } of sourcesOf(witnesses)) {
    const moment = first(find);
    if (moment === null) continue;
    moments.push(moment);
    const families = votes.get(moment.day) ?? new Map<Family, number>();
    votes.set(moment.day, families.set(family, Math.max(weight, families.get(family) ?? 0)));
  }
  let best: string | null = null;
  let most = 0;
  for (const [day, families] of votes) {
    const sum = [...families.values()].reduce((total, weight) => total + weight, 0);
    if (sum > most) [best, most] = [day, sum];
  }
  const named = moments.filter(({ day }) => day === best);
  return named.find(({ instant }) => instant !== null) ?? named[0] ?? null;
}

function sourcesOf(witnesses: Witnesses): readonly Source[] {
  const { facts, language, subjects, url } = witnesses;
  const heading = facts.headings[0]?.node ?? 0;
  const times = facts.times.filter((time) => !MODIFIED_CLASS.test(time.className));
  const others = facts.otherDates.filter((date) => !MODIFIED_CLASS.test(date.className));
  const dates = facts.dates.filter((date) => !MODIFIED_CLASS.test(date.className));
  const seen = (family: Family, weight: number, sightings: readonly Sighting[]) =>
    sourceOf(family, weight, () => fromSightings(sightings, language));
  return [
    sourceOf('structured', subjects.length > 0 ? 2.9 : 2.4, () => fromEntities(witnesses, ['datePublished'])),
    sourceOf('structured', 2, () => fromEntities(witnesses, ['dateCreated', 'uploadDate'])),
    sourceOf('meta', 2.8, () => fromMetas(witnesses, PUBLISHED_METAS.slice(0, STATED_METAS))),
    sourceOf('meta', 2, () => fromMetas(witnesses, PUBLISHED_METAS)),
    sourceOf('address', 2.7, () => fromUrl(url)),
    seen(
      'time',
      2.8,
      times.filter((time) => /publi|entry-date|posted|pubdate/i.test(time.className)),
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
    seen('text', 2.8, facts.datelines),
    seen('text', 2.1, facts.shortTexts),
    seen('text', 1.5, facts.longTexts),
    seen('class', 1, others),
  ];
}

function sourceOf(family: Family, weight: number, find: () => Moment | null): Source {
  return { family, weight, find };
}

/** The first of the published metas say so outright; the others may mean another date. */
const STATED_METAS = 4;

/** When the page was last changed: the instant, or the day where the source says no more. */
export function chooseModified(witnesses: Witnesses): string | null {
  const { facts, language } = witnesses;
  const moment = first(
    () => fromEntities(witnesses, ['dateModified']),
    () => fromMetas(witnesses, MODIFIED_METAS),
    () =>
      fromSightings(
        facts.times.filter((time) => MODIFIED_CLASS.test(time.className)),
        language,
      ),
  );
  return moment === null ? null : (moment.instant ?? moment.day);
}

function fromEntities({ subjects, entities, language }: Witnesses, names: readonly string[]): Moment | null {
  for (const subject of subjects) {
    for (const name of names) {
      const text = textOfMember(subject, name, entities);
      const moment = text === null ? null : plausible(readMoment(text, language));
      if (moment !== null) return moment;
    }
  }
  return null;
}

function fromMetas({ facts, language }: Witnesses, names: readonly string[]): Moment | null {
  for (const name of names) {
    const text = facts.metas.get(name)?.[0];
    const moment = text === undefined ? null : plausible(readMoment(text, language));
    if (moment !== null) return moment;
  }
  return null;
}

function fromSightings(sightings: readonly Sighting[], language: string | null): Moment | null {
  for (const { machine, text } of sightings) {
    const moment = plausible((machine === null ? null : readMoment(machine, language)) ?? readMoment(text, language));
    if (moment !== null) return moment;
  }
  return null;
}

function fromUrl(url: string): Moment | null {
  const match = URL_DAY.exec(url);
  const day = match === null ? null : toCalendarDay(Number(match[1]), Number(match[2]), Number(match[3]));
  return day === null ? null : plausible({ day, time: null, instant: null });
}

function plausible(moment: Moment | null): Moment | null {
  return moment !== null && moment.day >= EARLIEST && moment.day < LATEST ? moment : null;
}
