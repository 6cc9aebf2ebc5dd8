import { MARK } from './class-marks.ts';
import { isDateline, isInCode, isPiece, isQuoted, isTelling, isOfRelease, isVersion } from './date-evidence.ts';
import type { DayReader } from './date-labels.ts';
import { entriesOf } from './dated-entries.ts';
import type { MetadataInputs } from './declared.ts';
import type { Sighting } from './facts.ts';

/** Reads sightings as days of publication of the page; null for those of anything else. */
type DayReaders = Readonly<Record<'asOfPage' | 'asDateline' | 'asShortText' | 'asLongText', ReadSighting>>;
export type ReadSighting = (sighting: Sighting) => Sighting | null;

/** Each reading is done once for a sighting, and only for those that are asked for. */
export function dayReaders({ tree, facts, url }: MetadataInputs, days: DayReader): DayReaders {
  const heading = facts.headings[0]?.node ?? 0;
  const isOfEntry = entriesOf(tree, [...facts.times, ...facts.dates, ...facts.datelines, ...facts.shortTexts], {
    url,
    canonical: facts.canonical,
    heading,
  });
  const asOfPage = remember((sighting) => {
    if (!isNoChange(sighting) || isOfEntry(sighting) || isQuoted(tree, sighting.node, heading)) return null;
    return isOfRelease(tree, sighting) ? null : days.asPublished(sighting);
  });
  const asTold = remember((sighting) => {
    const one = asOfPage(sighting);
    return one === null || isInCode(tree, one.node) || isVersion(one.text) || isTelling(tree, one) ? null : one;
  });
  const asToldIf =
    (isRight: (one: Sighting) => boolean): ReadSighting =>
    (sighting) => {
      const one = asTold(sighting);
      return one !== null && isRight(one) ? one : null;
    };
  return {
    asOfPage,
    asDateline: asToldIf(({ text }) => text.length <= SHORT || isDateline(text)),
    asShortText: asToldIf(({ node }) => !isPiece(tree, node)),
    asLongText: asToldIf(({ text }) => isDateline(text)),
  };
}

/** Characters of a text that is hardly more than a date. */
const SHORT = 60;

/** Whether the names of an element do not make its day that of a change. */
export function isNoChange({ marks }: Sighting): boolean {
  return (marks & MARK.modified) === 0;
}

/** The same reading, which is done once for each sighting. */
function remember(read: ReadSighting): ReadSighting {
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
export function readEach(sightings: readonly Sighting[], read: ReadSighting): Iterable<Sighting> {
  return sightings
    .values()
    .map(read)
    .filter((one) => one !== null);
}
