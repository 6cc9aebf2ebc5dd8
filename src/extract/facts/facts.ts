import { collapsedText, ownText } from '#extract/html/element-text.ts';
import { ATTRIBUTE, TAG } from '#extract/html/tag-names.ts';
import { tagSet } from '#extract/html/tags.ts';
import { charactersOf, knownAttribute, parentOf, subtreeEndOf, tagOf, type Tree } from '#extract/html/tree.ts';

/** A date or name that readers see, and where it stands. */
export type Sighting = {
  readonly text: string;
  readonly machine: string | null;
  readonly className: string;
  readonly node: number;
};

/** What one walk over a page finds for its metadata. */
export type Facts = {
  /** First content of each `meta` by lower-case name, and all of the names that repeat. */
  readonly metas: ReadonlyMap<string, readonly string[]>;
  readonly title: string | null;
  readonly language: string | null;
  readonly canonical: string | null;
  readonly imageSource: string | null;
  readonly headings: readonly { readonly text: string; readonly node: number }[];
  readonly times: readonly Sighting[];
  readonly dates: readonly Sighting[];
  readonly datelines: readonly Sighting[];
  /** Texts elsewhere that name a year: short ones, and the first of the longer ones. */
  readonly shortTexts: readonly Sighting[];
  readonly longTexts: readonly Sighting[];
  /** Dates in parts that seem not to be the page's own, but may be: themes name their main column a widget, too. */
  readonly otherDates: readonly Sighting[];
  readonly relAuthors: readonly string[];
  readonly bylines: readonly Sighting[];
};

const MOST_SIGHTINGS = 30;
const LONGEST_SIGHTING = 200;
/** Elements below a dated or signed element: anything larger is a container, not a byline. */
const LARGEST = 30;
const NAMED = /author|byline|writer|contributor|auteur|autor|date|time|publish|posted|meta|datum|fecha/i;
const AUTHOR =
  /(?:^|[-_ ])(?:author|byline|writer|contributor|auteur|autor(?:e|en)?)(?:$|[-_ ]|s\b|name)|author-?(?:name|text)|by-?line/i;
const DATED = /date|time(?!line)|publish|posted|datum|fecha|entry-meta|post-meta|article-meta|byline/i;
/** Nodes after the main heading in which a dateline can stand. */
const NEAR = 120;
const LONGEST_LINE = 90;
const LONGEST_SHORT = 60;
const LONGEST_TEXT = 400;
const MOST_TEXTS = 3;
const HIDES_TEXT = tagSet('script style noscript title option template textarea');
const YEAR = /(?:19|20)\d\d|\d[./]\s?\d{1,2}[./]\s?\d\d(?!\d)/;
/** Places where dates and names belong to something else. */
const FOREIGN = /comment|related|sidebar|widget|teaser|recent|copyright|calendar|footer|reply/i;
/** And those where they surely do. */
const STRANGE = /comment|related|teaser|copyright|calendar|reply/i;
/** Most elements are neither named nor foreign, and one look tells. */
const TELLING = new RegExp(`${NAMED.source}|${FOREIGN.source}`, 'i');
const OF_AUTHOR = /\/(?:authors?|writers?|reporters?|contributors?|auteurs?|autor(?:e[ns]?)?|by)\//i;
const BY_AUTHOR = /(?:^|\s)author(?:\s|$)/i;

type Draft = {
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
  readonly relAuthors: string[];
  readonly bylines: Sighting[];
  /** Where the widest open part that is not the page's own ends. */
  foreignEnd: number;
  /** And the widest one that surely is not. */
  strangeEnd: number;
  /** Where datelines of the last main heading end. */
  nearEnd: number;
};

/** Collects head facts, headings, times and bylines in one walk, without any selector. */
export function collectFacts(tree: Tree): Facts {
  const draft: Draft = {
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
    foreignEnd: 0,
    strangeEnd: 0,
    nearEnd: 0,
  };
  for (let at = 1; at < tree.count; at++) {
    const tag = tagOf(tree, at);
    if (tag === TAG.text) {
      noteText(tree, at, draft);
      continue;
    }
    if (tag === TAG.html) draft.language ??= knownAttribute(tree, at, ATTRIBUTE.lang);
    else if (tag === TAG.title) draft.title ??= ownText(tree, at);
    else if (tag === TAG.h1 && draft.headings.length < MOST_SIGHTINGS) {
      draft.headings.push({ text: collapsedText(tree, at), node: at });
      draft.nearEnd = at + NEAR;
    } else if (tag === TAG.aside || tag === TAG.footer || tag === TAG.nav)
      draft.foreignEnd = Math.max(draft.foreignEnd, subtreeEndOf(tree, at));
    if ((tree.attributeCount[at] ?? 0) > 0) noteElement(tree, at, tag, draft);
    else if (tag === TAG.time) noteTime(tree, at, '', draft);
  }
  return draft;
}

function noteElement(tree: Tree, node: number, tag: number, draft: Draft): void {
  if (tag === TAG.meta) return noteMeta(tree, node, draft);
  if (tag === TAG.link) return noteLink(tree, node, draft);
  if (tag === TAG.a) noteAuthorLink(tree, node, draft);
  const className = classOf(tree, node);
  if (tag === TAG.time) return noteTime(tree, node, className, draft);
  if (className === '' || tag === TAG.body || tag === TAG.html || !TELLING.test(className)) return;
  const size = subtreeEndOf(tree, node) - node;
  // A wrapper of half the page named after one of its parts is still the page.
  if (size * 2 < tree.count && FOREIGN.test(className)) {
    draft.foreignEnd = Math.max(draft.foreignEnd, node + size);
    if (STRANGE.test(className)) draft.strangeEnd = Math.max(draft.strangeEnd, node + size);
  } else if (NAMED.test(className) && node >= draft.strangeEnd && size <= LARGEST) {
    noteSighting(tree, node, className, draft);
  }
}

/** A link to an author: stated as such, or to a page of authors from near the main heading. */
function noteAuthorLink(tree: Tree, node: number, draft: Draft): void {
  if (node < draft.foreignEnd) return;
  if (BY_AUTHOR.test(knownAttribute(tree, node, ATTRIBUTE.rel) ?? '')) {
    if (draft.relAuthors.length < MOST_SIGHTINGS) draft.relAuthors.push(collapsedText(tree, node));
  } else if (node <= draft.nearEnd && draft.bylines.length < MOST_SIGHTINGS) {
    if (!OF_AUTHOR.test(knownAttribute(tree, node, ATTRIBUTE.href) ?? '')) return;
    draft.bylines.push({ text: collapsedText(tree, node), machine: null, className: '', node });
  }
}

function noteMeta(tree: Tree, node: number, draft: Draft): void {
  const name =
    knownAttribute(tree, node, ATTRIBUTE.property) ??
    knownAttribute(tree, node, ATTRIBUTE.name) ??
    knownAttribute(tree, node, ATTRIBUTE.itemprop) ??
    knownAttribute(tree, node, ATTRIBUTE.httpEquiv);
  // Some pages write `value` for `content`.
  const stated = knownAttribute(tree, node, ATTRIBUTE.content) ?? knownAttribute(tree, node, ATTRIBUTE.value);
  const content = stated?.trim() ?? '';
  if (name === null || content === '') return;
  const key = name.trim().toLowerCase();
  const known = draft.metas.get(key);
  if (known === undefined) draft.metas.set(key, [content]);
  else if (known.length < MOST_SIGHTINGS) known.push(content);
}

function noteLink(tree: Tree, node: number, draft: Draft): void {
  const rel = knownAttribute(tree, node, ATTRIBUTE.rel)?.toLowerCase().trim();
  if (rel === 'canonical') draft.canonical ??= knownAttribute(tree, node, ATTRIBUTE.href);
  if (rel === 'image_src') draft.imageSource ??= knownAttribute(tree, node, ATTRIBUTE.href);
}

function noteTime(tree: Tree, node: number, className: string, draft: Draft): void {
  const times = node < draft.foreignEnd ? draft.otherDates : draft.times;
  if (node < draft.strangeEnd || times.length >= MOST_SIGHTINGS) return;
  const machine = knownAttribute(tree, node, ATTRIBUTE.datetime);
  times.push({ text: collapsedText(tree, node).slice(0, LONGEST_SIGHTING), machine, className, node });
}

function noteSighting(tree: Tree, node: number, className: string, draft: Draft): void {
  const foreign = node < draft.foreignEnd;
  const dates = foreign ? draft.otherDates : draft.dates;
  const author = !foreign && AUTHOR.test(className) && draft.bylines.length < MOST_SIGHTINGS;
  const dated = DATED.test(className) && dates.length < MOST_SIGHTINGS;
  if (!author && !dated) return;
  const text = collapsedText(tree, node);
  if (text === '' || text.length > LONGEST_SIGHTING) return;
  const sighting = { text, machine: knownAttribute(tree, node, ATTRIBUTE.title), className, node };
  if (author) draft.bylines.push(sighting);
  if (dated && /\p{Nd}/u.test(text)) dates.push(sighting);
}

/** Text with a year: right after the main heading a dateline without a class of its own, elsewhere a weaker hint. */
function noteText(tree: Tree, node: number, draft: Draft): void {
  if (node < draft.foreignEnd || draft.longTexts.length >= MOST_TEXTS) return;
  const length = (tree.end[node] ?? 0) - (tree.start[node] ?? 0);
  if (length < 6) return;
  const near = node <= draft.nearEnd && length <= LONGEST_LINE;
  const list = near ? draft.datelines : length <= LONGEST_SHORT ? draft.shortTexts : draft.longTexts;
  if (list.length >= MOST_SIGHTINGS || HIDES_TEXT[tagOf(tree, parentOf(tree, node))] === 1) return;
  const text = charactersOf(tree, node, LONGEST_TEXT);
  if (YEAR.test(text)) list.push({ text, machine: null, className: '', node });
}

function classOf(tree: Tree, node: number): string {
  const first = tree.attributeStart[node] ?? 0;
  const end = first + (tree.attributeCount[node] ?? 0);
  let name = '';
  for (let at = first; at < end; at++) {
    const id = tree.attributeId[at];
    if (id !== ATTRIBUTE.class && id !== ATTRIBUTE.id) continue;
    const from = tree.valueStart[at] ?? 0;
    name += ` ${tree.source.slice(from, Math.min(tree.valueEnd[at] ?? 0, from + 200))}`;
  }
  return name;
}
