import { CLASS_MARK } from './class-marks.ts';
import {
  isDateline,
  isInCode,
  isTextFragment,
  isQuoted,
  isNarrativeDate,
  isReleaseDate,
  isVersionNumber,
} from './date-evidence.ts';
import type { DateClassifier } from './date-labels.ts';
import { createEntryTest } from './dated-entries.ts';
import type { MetadataInputs } from './declared.ts';
import type { Sighting } from './facts.ts';

/** Reads sightings as days of publication of the page; null for those of anything else. */
type SightingReaders = Readonly<Record<'asOfPage' | 'asDateline' | 'asShortText' | 'asLongText', SightingReader>>;
export type SightingReader = (sighting: Sighting) => Sighting | null;

/** Each reading is done once for a sighting, and only for those that are asked for. */
export function createSightingReaders({ tree, facts, url }: MetadataInputs, days: DateClassifier): SightingReaders {
  const heading = facts.headings[0]?.node ?? 0;
  const isOfEntry = createEntryTest(tree, [...facts.times, ...facts.dates, ...facts.datelines, ...facts.shortTexts], {
    url,
    canonical: facts.canonical,
    heading,
  });
  const asOfPage = memoizeReader((sighting) => {
    if (!isNotMarkedModified(sighting) || isOfEntry(sighting) || isQuoted(tree, sighting.node, heading)) return null;
    return isReleaseDate(tree, sighting) ? null : days.asPublished(sighting);
  });
  const asTold = memoizeReader((sighting) => {
    const one = asOfPage(sighting);
    return one === null || isInCode(tree, one.node) || isVersionNumber(one.text) || isNarrativeDate(tree, one)
      ? null
      : one;
  });
  const asToldIf =
    (isRight: (one: Sighting) => boolean): SightingReader =>
    (sighting) => {
      const one = asTold(sighting);
      return one !== null && isRight(one) ? one : null;
    };
  return {
    asOfPage,
    asDateline: asToldIf(({ text }) => text.length <= MAX_SHORT_TEXT_LENGTH || isDateline(text)),
    asShortText: asToldIf(({ node }) => !isTextFragment(tree, node)),
    asLongText: asToldIf(({ text }) => isDateline(text)),
  };
}

/** Characters of a text that is hardly more than a date. */
const MAX_SHORT_TEXT_LENGTH = 60;

/** Whether the names of an element do not make its day that of a change. */
export function isNotMarkedModified({ marks }: Sighting): boolean {
  return (marks & CLASS_MARK.modified) === 0;
}

/** The same reading, which is done once for each sighting. */
function memoizeReader(read: SightingReader): SightingReader {
  const known = new Map<Sighting, Sighting | null>();
  return (sighting) => {
    const before = known.get(sighting);
    if (before !== undefined) return before;
    const one = read(sighting);
    known.set(sighting, one);
    return one;
  };
}

/** Reads sightings one by one, each when it is asked for; those that are read as null are left out. */
export function readSightings(sightings: readonly Sighting[], read: SightingReader): Iterable<Sighting> {
  return sightings
    .values()
    .map(read)
    .filter((one) => one !== null);
}
