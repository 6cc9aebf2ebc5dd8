import { parseUrl } from '#extract/values/parse-url.ts';
import { ATTRIBUTE, TAG } from '#extract/html/tag-names.ts';
import { buildTagSet } from '#extract/html/tags.ts';
import {
  readCharacters,
  isText,
  getKnownAttribute,
  getParent,
  getSubtreeEnd,
  getTag,
  type Tree,
} from '#extract/html/tree.ts';
import { collapseSpace } from '#extract/values/space.ts';
import { toAbsoluteUrl } from '#extract/values/web-urls.ts';
import { CLASS_MARK } from './class-marks.ts';
import {
  announcesChange,
  announcesPublishing,
  CHANGING_SOURCE,
  findBlock,
  isDateline,
  isHiddenText,
  isInCode,
  isNarrativeDate,
  isQuoted,
  isReleaseDate,
  isSingleLine,
  isTextFragment,
  isVersionNumber,
  PUBLISHING_SOURCE,
  readLabel,
  toLowerCaseInPlace,
} from './date-evidence.ts';
import type { Sighting } from './page-facts.ts';
import type { MetadataInputs } from './sourced-fact.ts';

/** Functions that read a sighting as a publication date of the page; null if it is another date. */
type SightingReaders = Readonly<Record<'asOfPage' | 'asDateline' | 'asShortText' | 'asLongText', SightingReader>>;
export type SightingReader = (sighting: Sighting) => Sighting | null;

/** Creates the readers of one page. Each sighting is classified lazily and only once per reader. */
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
    const date = asOfPage(sighting);
    return date === null || isInCode(tree, date.node) || isVersionNumber(date.text) || isNarrativeDate(tree, date)
      ? null
      : date;
  });
  const asToldIf =
    (isRight: (one: Sighting) => boolean): SightingReader =>
    (sighting) => {
      const date = asTold(sighting);
      return date !== null && isRight(date) ? date : null;
    };
  return {
    asOfPage,
    asDateline: asToldIf(({ text }) => text.length <= MAX_SHORT_TEXT_LENGTH || isDateline(text)),
    asShortText: asToldIf(({ node }) => !isTextFragment(tree, node)),
    asLongText: asToldIf(({ text }) => isDateline(text)),
  };
}

/** The most characters of a text that has hardly more than a date. */
const MAX_SHORT_TEXT_LENGTH = 60;

/** Whether no class or ID marks the element as a modification date. */
export function isNotMarkedModified({ marks }: Sighting): boolean {
  return (marks & CLASS_MARK.modified) === 0;
}

/** Caches the results of a reader. */
function memoizeReader(read: SightingReader): SightingReader {
  const known = new Map<Sighting, Sighting | null>();
  return (sighting) => {
    const before = known.get(sighting);
    if (before !== undefined) return before;
    const date = read(sighting);
    known.set(sighting, date);
    return date;
  };
}

/** Applies a reader to sightings lazily, and skips those for which it returns null. */
export function readSightings(sightings: readonly Sighting[], read: SightingReader): Iterable<Sighting> {
  return sightings
    .values()
    .map(read)
    .filter((one) => one !== null);
}

/**
 * The fewest similar entries that form a list. A single `article` whose heading links to another page of the site
 * counts as an entry too.
 */
const MIN_ENTRIES = 3;
const MAX_ENTRY_LEVELS = 8;
const HEADING_TAGS = buildTagSet('h1 h2 h3 h4 h5');
/** List items and table cells may have a date without a heading. */
const ITEM_TAGS = buildTagSet('li dt tr td');

/** The URL of a page, its declared canonical URL, and its main heading; `heading` is 0 if it has none. */
type PageIdentity = { readonly url: string; readonly canonical: string | null; readonly heading: number };

/**
 * Creates a predicate for dates in the entries of a list, each with a heading that links to its own page: such dates
 * are about those pages.
 */
function createEntryTest(
  tree: Tree,
  sightings: readonly Sighting[],
  own: PageIdentity,
): (sighting: Sighting) => boolean {
  const items = new Map<string, Set<number>>();
  const visit = (node: number, look: (key: string, item: number) => boolean): boolean => {
    let item = node;
    for (let level = 0; level < MAX_ENTRY_LEVELS && item !== 0; level++, item = getParent(tree, item)) {
      if (getTag(tree, item) === TAG.body) return false;
      if (!isText(tree, item) && look(`${getParent(tree, item)} ${getTag(tree, item)}`, item)) return true;
    }
    return false;
  };
  for (const { node } of sightings) {
    visit(node, (key, item) => {
      const known = items.get(key) ?? new Set();
      items.set(key, known.add(item));
      return false;
    });
  }
  const leads = createHeadingTargetReader(tree, own);
  return (sighting) =>
    visit(sighting.node, (key, item) => {
      if (getTag(tree, item) === TAG.article && leads(item) === 'within' && isBelowPageHeading(tree, item, own.heading))
        return true;
      const all = items.get(key);
      if (all === undefined || all.size < MIN_ENTRIES) return false;
      if (ITEM_TAGS[getTag(tree, item)] === 1 && isSingleLine(tree, item))
        return !announcesPublishing(readLabel(tree, sighting));
      return leads(item) !== null && [...all].filter((one) => leads(one) !== null).length >= MIN_ENTRIES;
    });
}

/** Whether the page has a main heading of its own before the element. A heading that is a link is the site's name. */
function isBelowPageHeading(tree: Tree, item: number, heading: number): boolean {
  return heading !== 0 && heading < item && findLink(tree, heading, 0) === null;
}

/**
 * Creates a function that returns where the heading of an element links: `within` the site or `elsewhere`; null if it
 * has no link or links to this page. The page's main heading counts if it is inside the element.
 */
function createHeadingTargetReader(
  tree: Tree,
  { url, canonical, heading }: PageIdentity,
): (item: number) => 'within' | 'elsewhere' | null {
  const here = parseUrl(url);
  const paths = new Set([url, canonical === null ? null : toAbsoluteUrl(canonical, url)].map(toPathKey));
  const known = new Map<number, 'within' | 'elsewhere' | null>();
  return (item) => {
    const before = known.get(item);
    if (before !== undefined) return before;
    const isMain = heading >= item && heading < getSubtreeEnd(tree, item);
    const href = isMain ? findLink(tree, heading, item) : findHeadingLink(tree, item);
    // A link with a fragment leads to a post of the same thread.
    const target = href === null || href.includes('#') ? null : parseUrl(href, url);
    const isHere = target === null || (target.host === here?.host && paths.has(toPathKey(target.href)));
    const lead = isHere ? null : target.host === here?.host ? 'within' : 'elsewhere';
    known.set(item, lead);
    return lead;
  };
}

/** A key that identifies a page of a site: its path without an index file, or its query if the path is empty. */
function toPathKey(url: string | null): string {
  const parsed = url === null ? null : parseUrl(url);
  if (parsed === null) return '';
  const path = parsed.pathname.replace(/\/(?:index\.\w+)?$/, '');
  return path === '' ? parsed.search : path;
}

const MAX_ENTRY_NODES = 400;

/** The target of the first heading of an element, if it contains a link or is inside one. */
function findHeadingLink(tree: Tree, item: number): string | null {
  const end = Math.min(getSubtreeEnd(tree, item), item + MAX_ENTRY_NODES);
  for (let node = item; node < end; node++) {
    if (HEADING_TAGS[getTag(tree, node)] === 1) return findLink(tree, node, item);
  }
  return null;
}

function findLink(tree: Tree, heading: number, item: number): string | null {
  const end = getSubtreeEnd(tree, heading);
  for (let node = heading; node < end; node++) {
    const href = getHref(tree, node);
    if (href !== null) return href;
  }
  for (let node = heading; node >= item && node !== 0; node = getParent(tree, node)) {
    const href = getHref(tree, node);
    if (href !== null) return href;
  }
  return null;
}

function getHref(tree: Tree, node: number): string | null {
  return getTag(tree, node) === TAG.a ? getKnownAttribute(tree, node, ATTRIBUTE.href) : null;
}

const LABEL = new RegExp(`(?<changing>${CHANGING_SOURCE})|${PUBLISHING_SOURCE}`, 'gu');
const DAY = /\p{Nd}{4}|\p{Nd}{1,2}[./-]\s?\p{Nd}{1,2}[./-]\s?\p{Nd}{2}|\p{Nd}\s?[月월]/u;
/** A date or time at the end of a text, with the punctuation that may separate it from the next word. */
const ENDS_WITH_DAY = /\p{Nd}[日일]?\.?[\s)(（,·]{0,3}$/u;
const TOUCHES_DAY = /[\p{Nd}日일]$/u;
/** The most characters between a word for a change and its date. */
const MAX_GAP_LENGTH = 40;

/** The parts of a text with modification dates, and the rest. */
type SplitDates = { readonly changed: string; readonly rest: string };

/** Splits a text by the words next to its dates. `before` is the preceding text of its line. */
function splitDates(before: string, text: string): SplitDates {
  const line = `${before}${text}`;
  // Fast path: most texts have no such word.
  if (!announcesChange(line)) return { changed: '', rest: text };
  const labels = [...toLowerCaseInPlace(line).matchAll(LABEL)];
  const starts = [0, ...labels.map(({ index }) => index), line.length];
  const pieces = starts.slice(0, -1).map((start, at) => ({ start, text: line.slice(start, starts[at + 1]) }));
  const changed = new Set<number>();
  for (const [at, label] of labels.entries()) {
    if (label.groups?.['changing'] === undefined) continue;
    const previous = pieces[at]?.text ?? '';
    const own = (pieces[at + 1]?.text ?? '').slice(label[0].length);
    const gap = own.search(DAY);
    const leads = gap >= 0 && gap <= MAX_GAP_LENGTH;
    if (TOUCHES_DAY.test(previous) || (!leads && ENDS_WITH_DAY.test(previous))) changed.add(at);
    else if (leads) changed.add(at + 1);
  }
  return {
    changed: joinPieces(pieces, before.length, (at) => changed.has(at)),
    rest: joinPieces(pieces, before.length, (at) => !changed.has(at)),
  };
}

type LabelledPiece = { readonly start: number; readonly text: string };

/** Joins the chosen pieces of a line, without the text before `from`, which belongs to an earlier date. */
function joinPieces(pieces: readonly LabelledPiece[], from: number, isChosen: (at: number) => boolean): string {
  return pieces
    .flatMap((piece, at) => (isChosen(at) ? piece.text.slice(Math.max(0, from - piece.start)) : []))
    .join(' ')
    .trim();
}

/** A line that is only a label for a modification date: `Last updated:`. */
const LONE_LABEL = new RegExp(String.raw`^[^\p{Nd}]{0,12}(?:${CHANGING_SOURCE})[^\p{Nd}]{0,15}$`, 'u');
const MAX_LONE_LABEL_LENGTH = 40;
/** The most nodes between a date and its label. */
const MAX_LABEL_DISTANCE = 12;
const MAX_LONE_LABEL_DISTANCE = 8;
const MAX_LINE_LENGTH = 140;
const MAX_BEFORE_LENGTH = 60;

/** The words before a node in its line. At the start of a line, the previous line if it is only a label. */
function readWordsBefore(tree: Tree, node: number): string {
  const line = readLineStart(tree, node);
  return line === '' ? readLabelBefore(tree, node) : line;
}

function readLineStart(tree: Tree, node: number): string {
  const block = findBlock(tree, node);
  let before = '';
  for (let at = node - 1; at > Math.max(block, node - MAX_LABEL_DISTANCE); at--) {
    if (getTag(tree, at) === TAG.br || (isText(tree, at) && findBlock(tree, at) !== block)) break;
    if (isText(tree, at) && !isHiddenText(tree, at)) before = `${readCharacters(tree, at, MAX_LINE_LENGTH)} ${before}`;
  }
  const line = collapseSpace(before).slice(-MAX_BEFORE_LENGTH);
  return line === '' ? '' : `${line} `;
}

function readLabelBefore(tree: Tree, node: number): string {
  for (let at = node - 1; at > Math.max(0, node - MAX_LONE_LABEL_DISTANCE); at--) {
    if (!isText(tree, at) || isHiddenText(tree, at)) continue;
    const text = collapseSpace(readCharacters(tree, at, MAX_LINE_LENGTH));
    if (text === '') continue;
    return text.length <= MAX_LONE_LABEL_LENGTH && LONE_LABEL.test(toLowerCaseInPlace(text)) ? `${text} ` : '';
  }
  return '';
}

const CHANGED_NAME =
  /(?:^|[\s_-])(?:date[_-]?modified|modified|updated|edited|revised|reviewed|last[_-]?(?:updated?|modified|changed?|edit(?:ed)?|review(?:ed)?))(?:$|[\s_-])/i;
/** Class names that mark a publication date, whatever its label is. */
const PUBLISHED_NAME = /publi|posted|created/i;
/** Class names of dates in general; microformats also name the date of an entry `updated`. */
const DATED_NAME = /(?:^|[\s_-])(?:entry|post)?-?date(?:$|\s)/i;
const MAX_NAMED_LEVELS = 3;

/** What happened on a date by the names of its element and ancestors; null if they do not say. */
function findNamedEvent(tree: Tree, node: number): 'published' | 'changed' | null {
  let around = node;
  for (let level = 0; level < MAX_NAMED_LEVELS && around !== 0; level++, around = getParent(tree, around)) {
    if (isText(tree, around) || (tree.attributeCount[around] ?? 0) === 0) continue;
    const names = [ATTRIBUTE.class, ATTRIBUTE.id, ATTRIBUTE.itemprop].flatMap(
      (id) => getKnownAttribute(tree, around, id) ?? [],
    );
    if (names.length === 0) continue;
    const name = names.join(' ').replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-');
    const isPublished = PUBLISHED_NAME.test(name);
    if (!isPublished && (DATED_NAME.test(name) || !CHANGED_NAME.test(name))) continue;
    if (!isSingleLine(tree, around)) return null;
    return isPublished ? 'published' : 'changed';
  }
  return null;
}

/** What happened on a date, by the names of its elements and the words next to it. */
type ClassifiedDate = { readonly event: 'published' | 'changed' | null } & SplitDates;

/** Tells publication dates from modification dates. */
export type DateClassifier = {
  /** Reads a sighting as a publication date, without modification dates in its text; null if nothing else is left. */
  readonly asPublished: (sighting: Sighting) => Sighting | null;
  /** Reads a sighting as a modification date; null if nothing marks it as one. */
  readonly asChanged: (sighting: Sighting) => Sighting | null;
};

/** Creates the classifier of a page's dates, which caches its results. */
export function createDateClassifier(tree: Tree): DateClassifier {
  const known = new Map<Sighting, ClassifiedDate>();
  const partsOfDay = (sighting: Sighting): ClassifiedDate => {
    const parts = known.get(sighting) ?? classifyDate(tree, sighting);
    known.set(sighting, parts);
    return parts;
  };
  return {
    asPublished: (sighting) => {
      const { event, changed, rest } = partsOfDay(sighting);
      if (event !== null) return event === 'published' ? sighting : null;
      if (changed === '') return sighting;
      return DAY.test(rest) ? { ...sighting, text: rest } : null;
    },
    asChanged: (sighting) => {
      const { event, changed, rest } = partsOfDay(sighting);
      if (event !== null) return event === 'changed' ? sighting : null;
      if (!DAY.test(changed)) return null;
      return { ...sighting, text: changed, machine: DAY.test(rest) ? null : sighting.machine };
    },
  };
}

function classifyDate(tree: Tree, sighting: Sighting): ClassifiedDate {
  const event = findNamedEvent(tree, sighting.node);
  const text = getWrittenDate(sighting);
  if (event !== null || !DAY.test(text)) return { event, changed: '', rest: text };
  return { event, ...splitDates(readWordsBefore(tree, sighting.node), text) };
}

/** The text of a date; if the visible text is relative ("2 days ago"), followed by its machine-readable form. */
function getWrittenDate({ text, machine }: Sighting): string {
  return DAY.test(text) ? text : `${text} ${machine ?? ''}`;
}
