import { ATTRIBUTE, TAG } from '#extract/html/tag-names.ts';
import {
  readCollapsedText,
  readOwnText,
  readCharacters,
  getFirstChild,
  getKnownAttribute,
  findNextTag,
  getParent,
  getSubtreeEnd,
  getTag,
  type Tree,
  WHITESPACE,
} from '#extract/html/tree.ts';
import { buildTagSet } from '#extract/html/tags.ts';
import { mayHaveNonGregorianYear } from '#extract/values/dates.ts';
import { collapseSpace } from '#extract/values/space.ts';
import { CLASS_MARK, readMarks } from './class-marks.ts';
import { locateName } from './author-names.ts';

/** A date or name that is visible on the page, and its node. `machine` is its machine-readable form, if it has one. */
export type Sighting = {
  readonly text: string;
  readonly machine: string | null;
  /** Bits of {@link CLASS_MARK}. */
  readonly marks: number;
  readonly node: number;
};

/** The facts for metadata, collected in one pass over a page. */
export type PageFacts = {
  /** The contents of `meta` elements by lower-case name. */
  readonly metas: ReadonlyMap<string, readonly string[]>;
  readonly title: string | null;
  readonly language: string | null;
  readonly canonical: string | null;
  readonly imageSource: string | null;
  readonly headings: readonly { readonly text: string; readonly node: number }[];
  readonly times: readonly Sighting[];
  readonly dates: readonly Sighting[];
  readonly datelines: readonly Sighting[];
  /** Other texts that may contain a year: short ones, and the first few long ones. */
  readonly shortTexts: readonly Sighting[];
  readonly longTexts: readonly Sighting[];
  /**
   * Dates in parts that seem not to belong to the page's subject. They still may, since themes also call their main
   * column a widget.
   */
  readonly otherDates: readonly Sighting[];
  readonly relAuthors: readonly Sighting[];
  readonly bylines: readonly Sighting[];
  /** Names after words such as "by" near the main heading. */
  readonly introducedNames: readonly Sighting[];
  /** Forum users, in document order. */
  readonly users: readonly Sighting[];
  /** The text nodes of the first scripts. */
  readonly scripts: readonly number[];
};

/** The facts collected so far, and the state of the walk. */
type FactDraft = {
  readonly metas: Map<string, string[]>;
  title: string | null;
  language: string | null;
  canonical: string | null;
  imageSource: string | null;
  readonly headings: { readonly text: string; readonly node: number }[];
  readonly times: Sighting[];
  readonly dates: Sighting[];
  readonly datelines: Sighting[];
  readonly shortTexts: Sighting[];
  readonly longTexts: Sighting[];
  readonly otherDates: Sighting[];
  readonly relAuthors: Sighting[];
  readonly bylines: Sighting[];
  readonly introducedNames: Sighting[];
  readonly users: Sighting[];
  readonly scripts: number[];
  /** The last short texts with dates, which become datelines if a main heading follows. */
  readonly recent: Sighting[];
  /** The end of the outermost open part that may not belong to the page's subject. */
  maybeUnrelatedEnd: number;
  /** The end of the outermost open part that certainly does not. */
  unrelatedEnd: number;
  /** The end of the outermost open article; a footer inside it belongs to it. */
  articleEnd: number;
  /** The next main heading. */
  headingAt: number;
  /** The last node at which a dateline of the last main heading may be. */
  datelineEnd: number;
  /** The last node at which an introduced name may be. */
  introducedNameEnd: number;
};

/** The most sightings of each kind. */
export const MAX_SIGHTINGS = 30;
const MAX_SIGHTING_LENGTH = 200;
const MAX_HEADING_LENGTH = 1000;
const MAX_NAME_LENGTH = 200;
const MAX_SCRIPTS = 100;
/** The most nodes of a date or author element; a larger one is a container. */
const MAX_SMALL_NODES = 30;
/** The most nodes between the main heading and a dateline after it. */
const MAX_DATELINE_DISTANCE = 120;
const COLLECTED_MARKS = CLASS_MARK.author | CLASS_MARK.dated | CLASS_MARK.pageInfo | CLASS_MARK.user;
const AUTHOR_PATH = /\/(?:authors?|writers?|reporters?|contributors?|auteurs?|autor(?:e[ns]?)?|by)\//i;
const AUTHOR_REL = /(?:^|\s)author(?:\s|$)/i;

/** Collects metadata facts, headings, dates and bylines in one walk, without selectors. */
export function collectFacts(tree: Tree): PageFacts {
  const draft = createDraft(findHeading(tree, 1));
  for (let at = 1; at < tree.count; at++) {
    const tag = getTag(tree, at);
    if (tag === TAG.text) {
      noteText(tree, at, draft);
      continue;
    }
    if (tag === TAG.template) {
      at = getSubtreeEnd(tree, at) - 1;
      continue;
    }
    if (tag === TAG.html) draft.language ??= getKnownAttribute(tree, at, ATTRIBUTE.lang);
    else if (tag === TAG.title) draft.title ??= readOwnText(tree, at);
    else if (tag === TAG.h1) noteHeading(tree, at, draft);
    else if (tag === TAG.script) noteScript(tree, at, draft);
    else if (tag === TAG.article || tag === TAG.main)
      draft.articleEnd = Math.max(draft.articleEnd, getSubtreeEnd(tree, at));
    else if (tag === TAG.aside || tag === TAG.nav || (tag === TAG.footer && at >= draft.articleEnd))
      draft.maybeUnrelatedEnd = Math.max(draft.maybeUnrelatedEnd, getSubtreeEnd(tree, at));
    if ((tree.attributeCount[at] ?? 0) > 0) noteElement(tree, at, tag, draft);
    else if (tag === TAG.time) noteTime(tree, at, 0, draft);
  }
  return draft;
}

/** The next main heading; Infinity if there is none. */
function findHeading(tree: Tree, node: number): number {
  return findNextTag(tree, TAG.h1, node) || Number.POSITIVE_INFINITY;
}

function createDraft(headingAt: number): FactDraft {
  return {
    metas: new Map(),
    title: null,
    language: null,
    canonical: null,
    imageSource: null,
    headings: [],
    times: [],
    dates: [],
    datelines: [],
    shortTexts: [],
    longTexts: [],
    otherDates: [],
    relAuthors: [],
    bylines: [],
    introducedNames: [],
    users: [],
    scripts: [],
    recent: [],
    maybeUnrelatedEnd: 0,
    unrelatedEnd: 0,
    articleEnd: 0,
    headingAt,
    datelineEnd: 0,
    introducedNameEnd: 0,
  };
}

function noteScript(tree: Tree, node: number, draft: FactDraft): void {
  const text = getFirstChild(tree, node);
  if (text !== 0 && draft.scripts.length < MAX_SCRIPTS) draft.scripts.push(text);
}

function noteHeading(tree: Tree, node: number, draft: FactDraft): void {
  if (draft.headings.length >= MAX_SIGHTINGS) return;
  // The ancestors of the first main heading belong to the page's subject, whatever their names are.
  if (draft.headings.length === 0) draft.maybeUnrelatedEnd = draft.unrelatedEnd = node;
  draft.headings.push({ text: readCollapsedText(tree, node, MAX_HEADING_LENGTH), node });
  draft.headingAt = findHeading(tree, node + 1);
  draft.datelineEnd = node + MAX_DATELINE_DISTANCE;
  draft.datelines.push(...draft.recent);
  draft.recent.length = 0;
}

function noteElement(tree: Tree, node: number, tag: number, draft: FactDraft): void {
  if (tag === TAG.meta) return noteMeta(tree, node, draft);
  if (tag === TAG.link) return noteLink(tree, node, draft);
  // Nothing inside such a part is about the page's subject.
  if (node < draft.unrelatedEnd) return;
  const size = getSubtreeEnd(tree, node) - node;
  // An empty element has no date or name, and no unrelated content.
  if (size === 1 && tag !== TAG.a && tag !== TAG.time) return;
  const marks = readElementMarks(tree, node);
  if (tag === TAG.a) noteAuthorLink(tree, node, marks, draft);
  if (tag === TAG.time) return noteTime(tree, node, marks, draft);
  if (marks === 0 || tag === TAG.body || tag === TAG.html) return;
  // A wrapper of half the page or more is not unrelated, even if it is named after one of its parts.
  const footer = (marks & CLASS_MARK.footer) !== 0 && node >= draft.articleEnd;
  if (size * 2 < tree.count && (footer || (marks & CLASS_MARK.maybeUnrelated) !== 0)) {
    // A small part with a date of its own may be the page's dateline, whatever else it is named after.
    if ((marks & CLASS_MARK.dated) !== 0 && size <= MAX_SMALL_NODES) noteOther(tree, node, marks, draft);
    draft.maybeUnrelatedEnd = Math.max(draft.maybeUnrelatedEnd, node + size);
    if ((marks & CLASS_MARK.unrelated) !== 0) draft.unrelatedEnd = Math.max(draft.unrelatedEnd, node + size);
  } else if ((marks & COLLECTED_MARKS) !== 0 && size <= MAX_SMALL_NODES) {
    noteSighting(tree, node, marks, draft);
  }
}

/** Records a link to an author: one with `rel=author`, or one near the main heading to an author page. */
function noteAuthorLink(tree: Tree, node: number, marks: number, draft: FactDraft): void {
  if ((marks & CLASS_MARK.unrelated) !== 0) return;
  const rel = getKnownAttribute(tree, node, ATTRIBUTE.rel);
  if (rel !== null && AUTHOR_REL.test(rel)) {
    if (draft.relAuthors.length < MAX_SIGHTINGS) draft.relAuthors.push(readSighting(tree, node, marks));
  } else if (node <= draft.datelineEnd && node >= draft.maybeUnrelatedEnd && draft.bylines.length < MAX_SIGHTINGS) {
    if (AUTHOR_PATH.test(getKnownAttribute(tree, node, ATTRIBUTE.href) ?? ''))
      draft.bylines.push(readSighting(tree, node, marks));
  }
}

function noteMeta(tree: Tree, node: number, draft: FactDraft): void {
  const name =
    getKnownAttribute(tree, node, ATTRIBUTE.property) ??
    getKnownAttribute(tree, node, ATTRIBUTE.name) ??
    getKnownAttribute(tree, node, ATTRIBUTE.itemprop) ??
    getKnownAttribute(tree, node, ATTRIBUTE.httpEquiv);
  // Some pages write `value` instead of `content`.
  const stated = getKnownAttribute(tree, node, ATTRIBUTE.content) ?? getKnownAttribute(tree, node, ATTRIBUTE.value);
  const content = stated?.trim() ?? '';
  if (name === null || content === '') return;
  for (const key of name.toLowerCase().split(/\s+/, 4)) {
    const known = draft.metas.get(key);
    if (known === undefined) draft.metas.set(key, [content]);
    else if (known.length < MAX_SIGHTINGS) known.push(content);
  }
}

function noteLink(tree: Tree, node: number, draft: FactDraft): void {
  const rel = getKnownAttribute(tree, node, ATTRIBUTE.rel)?.toLowerCase().trim();
  if (rel === 'canonical') draft.canonical ??= getKnownAttribute(tree, node, ATTRIBUTE.href);
  if (rel === 'image_src') draft.imageSource ??= getKnownAttribute(tree, node, ATTRIBUTE.href);
}

function noteTime(tree: Tree, node: number, marks: number, draft: FactDraft): void {
  const times = node < draft.maybeUnrelatedEnd ? draft.otherDates : draft.times;
  if (node < draft.unrelatedEnd || times.length >= MAX_SIGHTINGS) return;
  times.push({ ...readSighting(tree, node, marks), machine: getKnownAttribute(tree, node, ATTRIBUTE.datetime) });
}

function noteSighting(tree: Tree, node: number, marks: number, draft: FactDraft): void {
  const isMaybeUnrelated = node < draft.maybeUnrelatedEnd;
  const dates = isMaybeUnrelated ? draft.otherDates : draft.dates;
  const author = !isMaybeUnrelated && (marks & CLASS_MARK.author) !== 0 && draft.bylines.length < MAX_SIGHTINGS;
  const user = !isMaybeUnrelated && (marks & CLASS_MARK.user) !== 0 && draft.users.length < MAX_SIGHTINGS;
  const dated = (marks & (CLASS_MARK.dated | CLASS_MARK.pageInfo)) !== 0 && dates.length < MAX_SIGHTINGS;
  if (!author && !dated && !user) return;
  const sighting = readSighting(tree, node, marks);
  const { text } = sighting;
  if (text === '' || text.length > MAX_SIGHTING_LENGTH) return;
  if (author) draft.bylines.push(sighting);
  if (user) draft.users.push(sighting);
  if (dated && /\p{Nd}/u.test(text))
    dates.push({ ...sighting, machine: getKnownAttribute(tree, node, ATTRIBUTE.title) });
}

function noteOther(tree: Tree, node: number, marks: number, draft: FactDraft): void {
  if (draft.otherDates.length >= MAX_SIGHTINGS || (marks & CLASS_MARK.commentOrNotice) !== 0) return;
  const sighting = readSighting(tree, node, marks);
  if (sighting.text.length <= MAX_SIGHTING_LENGTH && /\p{Nd}/u.test(sighting.text)) draft.otherDates.push(sighting);
}

function readSighting(tree: Tree, node: number, marks: number): Sighting {
  return { text: readCollapsedText(tree, node, MAX_SIGHTING_LENGTH + 1), machine: null, marks, node };
}

/** The marks of an element's class and ID. */
function readElementMarks(tree: Tree, node: number): number {
  const first = tree.attributeStart[node] ?? 0;
  const end = first + (tree.attributeCount[node] ?? 0);
  let marks = 0;
  for (let at = first; at < end; at++) {
    const id = tree.attributeId[at];
    if (id !== ATTRIBUTE.class && id !== ATTRIBUTE.id) continue;
    const from = tree.valueStart[at] ?? 0;
    marks |= readMarks(tree.source, from, Math.min(tree.valueEnd[at] ?? 0, from + MAX_NAME_LENGTH));
  }
  return marks;
}

const MAX_DATELINES = 30;
const MAX_TEXTS = 3;
const MAX_RECENT = 4;
/** The most nodes between a dateline and the main heading after it. */
const MAX_NODES_BEFORE_HEADING = 40;
const MAX_SIGNED = 5;
const MAX_LINE_LENGTH = 90;
/** The same limit for the source, which includes white space and character references. */
const MAX_SOURCE_LENGTH = 250;
/** Shorter texts cannot have a full date. */
const MIN_LENGTH = 6;
const MAX_SHORT_LENGTH = 60;
const MAX_TEXT_LENGTH = 400;
/** The most nodes between "by" and the name. */
const MAX_NAME_DISTANCE = 8;
const HIDES_TEXT = buildTagSet('script style noscript title option template textarea');
const YEAR = /(?:19|20)\d\d|\d[./]\s?\d{1,2}[./]\s?\d\d(?!\d)|[٠-٩۰-۹]{4}/;
/** Words for the date on which a forum user joined. */
const JOIN_DATE_LABEL =
  /\b(?:joined|registered|member since|registriert|mitglied seit|dabei seit|inscrit|membre depuis|registrado|miembro desde|iscritto|membro dal|lid sinds)\b|регистрация|注册|註冊|登録日/iu;

/** Records the dates and names in a text. Only texts with digits, and those near the main heading, are examined. */
function noteText(tree: Tree, node: number, draft: FactDraft): void {
  if (node < draft.unrelatedEnd || ((tree.flags[node] ?? 0) & WHITESPACE) !== 0) return;
  const length = (tree.end[node] ?? 0) - (tree.start[node] ?? 0);
  const near = node <= draft.datelineEnd && length <= MAX_SOURCE_LENGTH && node >= draft.maybeUnrelatedEnd;
  if (near) noteName(tree, node, draft);
  const short = length <= MAX_SHORT_LENGTH;
  const list = near ? draft.datelines : short ? draft.shortTexts : draft.longTexts;
  const full = node < draft.maybeUnrelatedEnd || list.length >= (near || short ? MAX_DATELINES : MAX_TEXTS);
  const recent = short && !near && node >= draft.headingAt - MAX_NODES_BEFORE_HEADING;
  if ((full && !recent) || length < MIN_LENGTH || !mayHaveYear(tree, node)) return;
  const text = readCharacters(tree, node, MAX_TEXT_LENGTH);
  if ((!YEAR.test(text) && !mayHaveNonGregorianYear(text)) || (short && JOIN_DATE_LABEL.test(text))) return;
  const sighting: Sighting = { text, machine: null, marks: 0, node };
  if (!full) list.push(sighting);
  if (recent && draft.recent.push(sighting) > MAX_RECENT) draft.recent.shift();
}

/** 年, which follows the number of a year in a Japanese era. */
const YEAR_SIGN = 0x5e74;

/**
 * Whether a visible text may have two consecutive digits, which every match of {@link YEAR} has; testing every second
 * character suffices.
 */
function mayHaveYear(tree: Tree, node: number): boolean {
  if (HIDES_TEXT[getTag(tree, getParent(tree, node))] === 1) return false;
  const start = tree.start[node] ?? 0;
  const end = Math.min(tree.end[node] ?? 0, start + MAX_TEXT_LENGTH);
  for (let at = start + 1; at < end; at += 2) {
    const code = tree.source.charCodeAt(at);
    if (code >= 0x30 && (code <= 0x39 || (code >= 0x660 && code <= 0x6f9))) return true;
    if ((code >= 0xe50 && code <= 0xe59) || code === YEAR_SIGN) return true;
  }
  return false;
}

/** Records a name introduced by a text, either in the text itself (`By Ana Ruiz`) or in the next one (`By`, then a link). */
function noteName(tree: Tree, node: number, draft: FactDraft): void {
  if (draft.introducedNames.length >= MAX_SIGNED || HIDES_TEXT[getTag(tree, getParent(tree, node))] === 1) return;
  const text = collapseSpace(readCharacters(tree, node, MAX_SOURCE_LENGTH));
  if (text === '' || text.length > MAX_LINE_LENGTH) return;
  const announced = node <= draft.introducedNameEnd ? 'here' : locateName(text);
  if (announced === 'here') draft.introducedNames.push({ text, machine: null, marks: 0, node });
  if (announced !== null) draft.introducedNameEnd = announced === 'next' ? node + MAX_NAME_DISTANCE : 0;
}
