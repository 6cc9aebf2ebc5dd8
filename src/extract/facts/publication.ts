import { type Moment, readMoment, toCalendarDay } from '#extract/values/dates.ts';
import { textOfMember } from '#extract/structured/entities.ts';
import type { Sighting } from './facts.ts';
import { first } from './first.ts';
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

/** When the page was published as its best source writes it; a modification date never stands in. */
export function choosePublished(witnesses: Witnesses): Moment | null {
  const { facts, language } = witnesses;
  const heading = facts.headings[0]?.node ?? 0;
  return first(
    () => fromEntities(witnesses, ['datePublished']),
    () => fromMetas(witnesses, PUBLISHED_METAS),
    () =>
      fromSightings(
        facts.times.filter((time) => /publi|entry-date|posted|pubdate/i.test(time.className)),
        language,
      ),
    () => fromUrl(witnesses.url),
    () =>
      fromSightings(
        facts.times.filter((time) => time.node > heading && !MODIFIED_CLASS.test(time.className)),
        language,
      ),
    () =>
      fromSightings(
        facts.dates.filter((date) => date.node > heading && !MODIFIED_CLASS.test(date.className)),
        language,
      ),
    () => fromSightings(facts.datelines, language),
    () =>
      fromSightings(
        facts.times.filter((time) => !MODIFIED_CLASS.test(time.className)),
        language,
      ),
    () =>
      fromSightings(
        facts.dates.filter((date) => !MODIFIED_CLASS.test(date.className)),
        language,
      ),
    () => fromEntities(witnesses, ['dateCreated', 'uploadDate']),
  );
}

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
