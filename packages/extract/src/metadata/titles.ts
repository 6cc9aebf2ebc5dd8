import { countShared } from '#extract/values/collections.ts';
import { isDistinctiveName } from '#extract/values/distinctive-name.ts';
import { normalizeText } from '#extract/values/typed-values.ts';
import { decodeUrlPart, getBareHost } from '#extract/values/web-urls.ts';
import { type SourcedFact, toSourcedFact } from './sourced-fact.ts';

/** The most characters of a title that are considered. */
const MAX_TITLE_LENGTH = 2000;

/** Separators between the pieces of a title. */
const TITLE_SEPARATORS = /\s[|–—·•»«:\-~/]{1,2}\s|\s?[|»•]\s?/gu;

/** Reduces a title to lower-case letters and digits, so that punctuation and spacing do not matter. */
export function foldTitle(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '');
}

/**
 * The smallest share of a title that a heading must cover at an end of the title, or inside it (`MIN_SHARE_WITHIN`). A
 * smaller match may be a single common word.
 */
const MIN_SHARE_AT_END = 0.3;
const MIN_SHARE_WITHIN = 0.5;

/**
 * Whether a title consists mostly of the heading, or has it as one of its pieces. The last piece does not count: it is
 * the site or the book.
 */
function titleHasHeading(title: string, heading: string): boolean {
  const plain = title.slice(0, MAX_TITLE_LENGTH);
  const whole = foldTitle(plain);
  const part = foldTitle(heading);
  if (part === '' || !whole.includes(part)) return false;
  const pieces = plain.split(TITLE_SEPARATORS).map(foldTitle);
  if (pieces.length > 1 && pieces.at(-1) === part) return false;
  const atAnEnd = whole.startsWith(part) || whole.endsWith(part);
  return (
    pieces.slice(0, -1).includes(part) || part.length >= (atAnEnd ? MIN_SHARE_AT_END : MIN_SHARE_WITHIN) * whole.length
  );
}

/** Fewer common words are a coincidence. */
const MIN_SHARED_WORDS = 4;
const MIN_SHARE_OF_SHORTER = 1 / 2;
/** The smallest share of the longer text that the common words must cover; less may be function words. */
const MIN_SHARE_OF_LONGER = 1 / 3;

/** Whether a title and a heading are two wordings of the same title, judged by their common words. */
export function isSimilarTitle(title: string, heading: string): boolean {
  // A heading that the title contains verbatim is decided by `titleHasHeading`.
  if (foldTitle(title).includes(foldTitle(heading))) return false;
  const words = splitWords(title);
  const others = splitWords(heading);
  const shared = countShared(others, words);
  if (shared < MIN_SHARED_WORDS || shared < MIN_SHARE_OF_SHORTER * Math.min(words.size, others.size)) return false;
  return shared >= MIN_SHARE_OF_LONGER * Math.max(words.size, others.size);
}

/** Whether two titles have at least two words in common. */
function shareWords(title: string, other: string): boolean {
  return countShared(splitWords(title), splitWords(other)) > 1;
}

/** The lower-case words of a text; in scripts without spaces, pairs of characters. */
function splitWords(text: string): ReadonlySet<string> {
  const runs =
    text
      .slice(0, MAX_TITLE_LENGTH)
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return new Set(runs.flatMap((run) => (UNSPACED.test(run) ? splitPairs(run) : [run])));
}

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

function splitPairs(run: string): readonly string[] {
  return Array.from({ length: Math.max(1, run.length - 1) }, (_, at) => run.slice(at, at + 2));
}

/** Fewer title words may be in a URL by coincidence. */
const MIN_URL_WORDS = 3;
const MIN_SHARE_OF_TITLE = 0.8;
const MIN_SHARE_OF_URL = 0.5;

/**
 * Whether the URL of a page is made from a title: it contains most of the title's words, or the title contains all of
 * the URL's words.
 */
function matchesUrlWords(title: string, address: ReadonlySet<string>): boolean {
  const words = splitWords(title);
  const shared = countShared(words, address);
  if (shared >= MIN_URL_WORDS && shared >= MIN_SHARE_OF_TITLE * words.size && shared >= MIN_SHARE_OF_URL * address.size)
    return true;
  return shared > MIN_URL_WORDS && shared === address.size;
}

/** The words of the last segment of a URL's path that contains a word. */
function listUrlWords(url: string): ReadonlySet<string> {
  const parts = new URL(url).pathname.slice(-MAX_TITLE_LENGTH).split('/');
  const named = parts
    .map((part) => decodeUrlPart(part).replace(/\.\w{2,5}$/, ''))
    .findLast((part) => /\p{L}{3}/u.test(part));
  return splitWords(named ?? '');
}

type TitleSources = {
  readonly document: string | null;
  readonly openGraph: SourcedFact | null;
  readonly headline: SourcedFact | null;
  readonly headings: readonly { readonly text: string; readonly node: number }[];
  /** The names of the site: its stated name, and headings that link to its home page. */
  readonly siteNames: readonly string[];
  /** The texts of links to the home page; computed only if needed. */
  readonly homeNames: () => readonly string[];
  readonly url: string;
};

/** Anchor signs of headings, including invisible ones. */
const PERMALINK = /[¶#§🔗\u200B\uFEFF]\s*$/u;

/**
 * Chooses the title of a page without its site's name: a heading that another source confirms, else the best source.
 * Null if there is no title.
 */
export function chooseTitle(sources: TitleSources): SourcedFact | null {
  const { openGraph, headline, siteNames, url } = sources;
  const site: SiteIdentity = { names: new Set(siteNames.map(foldTitle)), host: getBareHost(new URL(url)) };
  const named = withValue(openGraph, removeSiteName(openGraph?.value ?? null, site));
  const document = toSourcedFact(removeSiteName(sources.document, site), 'title');
  const lead = withValue(headline, normalizeTitle(headline?.value ?? null));
  const headings = sources.headings.flatMap(
    ({ text, node }) => toSourcedFact(normalizeTitle(text.replace(PERMALINK, '')), 'h1', node) ?? [],
  );
  const start = foldTitle((sources.document ?? '').slice(0, MAX_TITLE_LENGTH).split(TITLE_SEPARATORS)[0] ?? '');
  // A short name, such as that of a package, is the title if the document title begins with it.
  const own = headings.filter(
    ({ value }) => (isDistinctiveName(value) || foldTitle(value) === start) && !isSitePiece(value, site),
  );
  const shared = [openGraph, lead].flatMap((fact) => fact?.value ?? []);
  // If two sources agree exactly, a heading with another wording is not the title.
  const settled = named !== null && lead !== null && foldTitle(named.value) === foldTitle(lead.value);
  const confirmed =
    own.find(({ value }) => [...shared, sources.document ?? ''].some((other) => titleHasHeading(other, value))) ??
    (settled ? undefined : own.find(({ value }) => shared.some((other) => isSimilarTitle(other, value))));
  if (confirmed !== undefined) return confirmed;
  const addressed = findHeadingInUrl(own, [named, lead], url);
  if (addressed !== undefined) return addressed;
  const statements = [named, lead, document].filter((fact) => fact !== null);
  const heading = own[0];
  // If the sources only have the site's name, the heading is the title.
  const stated =
    heading === undefined || isHomePage(url)
      ? statements[0]
      : statements.find(({ value }) => !isOnlySiteName(value, heading.value, sources, site));
  if (stated === undefined) return heading ?? headings[0] ?? null;
  return { ...stated, value: removeSlogan(removeBookName(stated.value, headings)) };
}

/** Generic titles that do not identify a page. */
const GENERIC_TITLE =
  /^(?:home(?:\s?page)?|index|untitled(?: document)?|welcome|start(?:seite)?|accueil|inicio|in[íi]cio|título|document|new page|page|article|main)$/i;

/** Whether a title is only the site's name or a generic title. One that shares words with the heading is not. */
function isOnlySiteName(title: string, heading: string, { homeNames }: TitleSources, site: SiteIdentity): boolean {
  const folded = foldTitle(title);
  if (GENERIC_TITLE.test(title.trim())) return true;
  if (shareWords(title, heading)) return false;
  if (site.names.has(folded) || isHost(folded, site.host)) return true;
  return homeNames().some((name) => foldTitle(name) === folded);
}

/** Whether a title is the name of a host, whole or without its top-level domain. */
function isHost(folded: string, host: string): boolean {
  const labels = host.split('.');
  return [labels.join('.'), labels.slice(-2).join('.'), labels.at(-2) ?? ''].some((name) => foldTitle(name) === folded);
}

function isHomePage(url: string): boolean {
  return /^\/(?:[a-z]{2}(?:-[a-z]{2})?\/?)?(?:(?:index|home|default)(?:\.\w{2,5})?)?$/i.test(new URL(url).pathname);
}

/** The heading that the page's URL is made from, unless a stated title contains it or is in the URL too. */
function findHeadingInUrl(
  headings: readonly SourcedFact[],
  statements: readonly (SourcedFact | null)[],
  url: string,
): SourcedFact | undefined {
  const address = listUrlWords(url);
  const stated = statements.flatMap((fact) => fact?.value ?? []);
  if (stated.some((title) => matchesUrlWords(title, address))) return undefined;
  return headings.find(
    ({ value }) =>
      matchesUrlWords(value, address) && !stated.some((title) => foldTitle(title).includes(foldTitle(value))),
  );
}

/** The fact with another value; null if the value is null. */
function withValue(fact: SourcedFact | null, value: string | null): SourcedFact | null {
  return fact === null || value === null ? null : { ...fact, value };
}

/** A title on one line; null for a URL. */
function normalizeTitle(text: string | null): string | null {
  const plain = normalizeText((text ?? '').slice(0, MAX_TITLE_LENGTH));
  return plain === null || /^https?:\/\/\S+$/.test(plain) ? null : plain;
}

/** Removes the last piece of a title if a heading shows that it is the name of the book or section that the page belongs to. */
function removeBookName(title: string, headings: readonly SourcedFact[]): string {
  const last = [...title.matchAll(TITLE_SEPARATORS)].at(-1);
  if (last === undefined || last.index === 0) return title;
  const tail = foldTitle(title.slice(last.index + last[0].length));
  return headings.some(({ value }) => foldTitle(value) === tail) ? title.slice(0, last.index) : title;
}

/** The fewest characters of a title that remain after the slogan is removed. */
const MIN_TITLE_LENGTH = 10;

/** Removes the text after the last bar of a title, where sites put a slogan or another name of theirs. */
function removeSlogan(title: string): string {
  const bar = title.lastIndexOf(' | ');
  return bar >= MIN_TITLE_LENGTH ? title.slice(0, bar).trimEnd() : title;
}

/** The most site names at the end of a title that are removed. */
const MAX_SITE_PIECES = 20;

/** The names of a site as {@link foldTitle} returns them, and its host. */
type SiteIdentity = { readonly names: ReadonlySet<string>; readonly host: string };

/** Removes the first or last pieces of a title that name the site. */
function removeSiteName(title: string | null, site: SiteIdentity, most = MAX_SITE_PIECES): string | null {
  const plain = normalizeTitle(title);
  if (plain === null) return null;
  const pieces = [...plain.matchAll(TITLE_SEPARATORS)];
  const first = pieces[0];
  const last = pieces.at(-1);
  if (first === undefined || last === undefined) return plain;
  const tail = plain.slice(last.index + last[0].length);
  const head = plain.slice(0, first.index);
  if (isSitePiece(tail, site) && most > 0)
    return removeSiteName(plain.slice(0, last.index), { ...site, host: '' }, most - 1) ?? plain;
  if (isSitePiece(head, site)) return plain.slice(first.index + first[0].length).trim() || plain;
  return plain;
}

/** Shorter names are the start of too many other words. */
const MIN_PREFIX_LENGTH = 5;
const MIN_SHARE_OF_LABEL = 0.6;

/** Whether a piece of a title is the site's name, its host, or words whose initials are its host. */
function isSitePiece(piece: string, { names, host }: SiteIdentity): boolean {
  const folded = foldTitle(piece);
  if (folded === '' || names.has(folded)) return true;
  if (host === '') return false;
  const labels = host.split('.');
  const labelled = [
    labels.join('.'),
    labels.slice(-2).join('.'),
    ...labels.slice(0, -1).filter((label) => label.length > 2),
  ];
  if (labelled.some((name) => isHostLabelName(foldTitle(name), folded))) return true;
  const initials = (piece.match(/(?<![\p{L}\p{N}])\p{Lu}/gu) ?? []).join('').toLowerCase();
  return initials.length > 2 && labels.slice(0, -1).includes(initials);
}

/** Whether a host label is the name, or starts with it and adds little (`leandatainc`). */
function isHostLabelName(label: string, name: string): boolean {
  if (label === name) return true;
  return name.length >= MIN_PREFIX_LENGTH && label.startsWith(name) && name.length >= MIN_SHARE_OF_LABEL * label.length;
}
