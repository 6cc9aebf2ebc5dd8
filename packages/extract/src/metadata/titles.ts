import { isTellingName } from '#extract/values/telling-name.ts';
import { unescaped } from '#extract/values/unescaped.ts';
import { normalizeText } from '#extract/values/values.ts';
import { bareHost } from '#extract/values/web-urls.ts';
import { type SourcedFact, toSourcedFact } from './sourced-fact.ts';

/** Characters of a title that are looked at. */
const MAX_TITLE_LENGTH = 2000;

/** Separators between the pieces of a title. */
const TITLE_SEPARATORS = /\s[|–—·•»«:\-~/]{1,2}\s|\s?[|»•]\s?/gu;

/** Letters and digits only, without case, so that punctuation and spacing do not matter. */
export function foldTitle(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '');
}

/** Least shares of a title that a match must cover, at one of its ends and within; less is a word that both happen to hold. */
const MIN_SHARE_AT_END = 0.3;
const MIN_SHARE_WITHIN = 0.5;

/** Whether a title has the heading as most of it, or as a piece of its own; the last piece is the site or the book. */
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

/** Fewer words than these in common are a coincidence. */
const MIN_SHARED_WORDS = 4;
const MIN_SHARE_OF_SHORTER = 1 / 2;
/** Least share of the longer text that a match must cover; less is the common words of a language. */
const MIN_SHARE_OF_LONGER = 1 / 3;

/** Whether a title and a heading are two wordings of the same, by the words that they share. */
export function isSimilarTitle(title: string, heading: string): boolean {
  // What a title has letter by letter is one of its pieces, of which another rule decides.
  if (foldTitle(title).includes(foldTitle(heading))) return false;
  const words = splitWords(title);
  const others = splitWords(heading);
  const shared = others.intersection(words).size;
  if (shared < MIN_SHARED_WORDS || shared < MIN_SHARE_OF_SHORTER * Math.min(words.size, others.size)) return false;
  return shared >= MIN_SHARE_OF_LONGER * Math.max(words.size, others.size);
}

/** Whether two titles have more than one word in common. */
function shareWords(title: string, other: string): boolean {
  return splitWords(title).intersection(splitWords(other)).size > 1;
}

/** Words without case; pairs of characters where a script writes no spaces. */
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

/** Fewer words than these are in an address by chance. */
const MIN_URL_WORDS = 3;
const MIN_SHARE_OF_TITLE = 0.8;
const MIN_SHARE_OF_URL = 0.5;

/** Whether the address of a page is made of a title: it has most of the words, or the title all of its own. */
function matchesUrlWords(title: string, address: ReadonlySet<string>): boolean {
  const words = splitWords(title);
  const shared = words.intersection(address).size;
  if (shared >= MIN_URL_WORDS && shared >= MIN_SHARE_OF_TITLE * words.size && shared >= MIN_SHARE_OF_URL * address.size)
    return true;
  return shared > MIN_URL_WORDS && shared === address.size;
}

/** The words of the last part of a URL's path that is no number or mark. */
function listUrlWords(url: string): ReadonlySet<string> {
  const parts = new URL(url).pathname.slice(-MAX_TITLE_LENGTH).split('/');
  const named = parts
    .map((part) => unescaped(part).replace(/\.\w{2,5}$/, ''))
    .findLast((part) => /\p{L}{3}/u.test(part));
  return splitWords(named ?? '');
}

type TitleSources = {
  readonly document: string | null;
  readonly openGraph: SourcedFact | null;
  readonly headline: SourcedFact | null;
  readonly headings: readonly { readonly text: string; readonly node: number }[];
  /** The names of the site: its own, and headings that link to its first page. */
  readonly siteNames: readonly string[];
  /** The texts of links to its first page; looked for only where they decide. */
  readonly homeNames: () => readonly string[];
  readonly url: string;
};

/** Signs that link a heading to itself, one that shows nothing included. */
const PERMALINK = /[¶#§🔗\u200B\uFEFF]\s*$/u;

/** The title of a page without its site's name: a heading that the other sources confirm, else the best of them; null when there is none. */
export function chooseTitle(sources: TitleSources): SourcedFact | null {
  const { openGraph, headline, siteNames, url } = sources;
  const site: SiteIdentity = { names: new Set(siteNames.map(foldTitle)), host: bareHost(new URL(url)) };
  const named = withValue(openGraph, removeSiteName(openGraph?.value ?? null, site));
  const document = toSourcedFact(removeSiteName(sources.document, site), 'title');
  const lead = withValue(headline, normalizeTitle(headline?.value ?? null));
  const headings = sources.headings.flatMap(
    ({ text, node }) => toSourcedFact(normalizeTitle(text.replace(PERMALINK, '')), 'h1', node) ?? [],
  );
  const start = foldTitle((sources.document ?? '').slice(0, MAX_TITLE_LENGTH).split(TITLE_SEPARATORS)[0] ?? '');
  // A name that says little, as that of a package, is the title where the document's begins with it alone.
  const own = headings.filter(
    ({ value }) => (isTellingName(value) || foldTitle(value) === start) && !isSitePiece(value, site),
  );
  const shared = [openGraph, lead].flatMap((told) => told?.value ?? []);
  // Where two statements agree to the letter, a heading that words it otherwise is not the page's title.
  const settled = named !== null && lead !== null && foldTitle(named.value) === foldTitle(lead.value);
  const confirmed =
    own.find(({ value }) => [...shared, sources.document ?? ''].some((other) => titleHasHeading(other, value))) ??
    (settled ? undefined : own.find(({ value }) => shared.some((other) => isSimilarTitle(other, value))));
  if (confirmed !== undefined) return confirmed;
  const addressed = findHeadingInUrl(own, [named, lead], url);
  if (addressed !== undefined) return addressed;
  const statements = [named, lead, document].filter((told) => told !== null);
  const heading = own[0];
  // Where statements name the site alone, the heading is what names the page.
  const stated =
    heading === undefined || isHomePage(url)
      ? statements[0]
      : statements.find(({ value }) => !isOnlySiteName(value, heading.value, sources, site));
  if (stated === undefined) return heading ?? headings[0] ?? null;
  return { ...stated, value: removeSlogan(removeBookName(stated.value, headings)) };
}

/** Names that pages of any site have where nobody gave them one. */
const GENERIC_TITLE =
  /^(?:home(?:\s?page)?|index|untitled(?: document)?|welcome|start(?:seite)?|accueil|inicio|in[íi]cio|título|document|new page|page|article|main)$/i;

/** Whether a title is the name of the site and no more, or one of no page in particular; one that the heading words alike is neither. */
function isOnlySiteName(title: string, heading: string, { homeNames }: TitleSources, site: SiteIdentity): boolean {
  const folded = foldTitle(title);
  if (GENERIC_TITLE.test(title.trim())) return true;
  if (shareWords(title, heading)) return false;
  if (site.names.has(folded) || isHost(folded, site.host)) return true;
  return homeNames().some((name) => foldTitle(name) === folded);
}

/** Whether a title is the name of a host, as a whole or without its ending. */
function isHost(folded: string, host: string): boolean {
  const labels = host.split('.');
  return [labels.join('.'), labels.slice(-2).join('.'), labels.at(-2) ?? ''].some((name) => foldTitle(name) === folded);
}

function isHomePage(url: string): boolean {
  return /^\/(?:[a-z]{2}(?:-[a-z]{2})?\/?)?(?:(?:index|home|default)(?:\.\w{2,5})?)?$/i.test(new URL(url).pathname);
}

/** The heading that the page's address is made of, unless what is stated has it too or is in the address as well. */
function findHeadingInUrl(
  headings: readonly SourcedFact[],
  statements: readonly (SourcedFact | null)[],
  url: string,
): SourcedFact | undefined {
  const address = listUrlWords(url);
  const stated = statements.flatMap((told) => told?.value ?? []);
  if (stated.some((title) => matchesUrlWords(title, address))) return undefined;
  return headings.find(
    ({ value }) =>
      matchesUrlWords(value, address) && !stated.some((title) => foldTitle(title).includes(foldTitle(value))),
  );
}

/** The same told in other letters; null where nothing is left. */
function withValue(told: SourcedFact | null, value: string | null): SourcedFact | null {
  return told === null || value === null ? null : { ...told, value };
}

/** One line of text; null for an address, which is no title. */
function normalizeTitle(text: string | null): string | null {
  const plain = normalizeText((text ?? '').slice(0, MAX_TITLE_LENGTH));
  return plain === null || /^https?:\/\/\S+$/.test(plain) ? null : plain;
}

/** A title without its last piece where a heading shows that this names the book or part that the page belongs to. */
function removeBookName(title: string, headings: readonly SourcedFact[]): string {
  const last = [...title.matchAll(TITLE_SEPARATORS)].at(-1);
  if (last === undefined || last.index === 0) return title;
  const tail = foldTitle(title.slice(last.index + last[0].length));
  return headings.some(({ value }) => foldTitle(value) === tail) ? title.slice(0, last.index) : title;
}

/** A title is not cut to fewer characters than these. */
const MIN_TITLE_LENGTH = 10;

/** A title without what stands behind its last bar, where sites put their slogan or another name of theirs. */
function removeSlogan(title: string): string {
  const bar = title.lastIndexOf(' | ');
  return bar >= MIN_TITLE_LENGTH ? title.slice(0, bar).trimEnd() : title;
}

/** Sites that a title may name one after the other at its end. */
const MAX_SITE_PIECES = 20;

/** A site by its names as {@link foldTitle} has them. */
type SiteIdentity = { readonly names: ReadonlySet<string>; readonly host: string };

/** A title cut at its separators where the first or last piece is the site. */
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

/** Names shorter than this begin too many other words. */
const MIN_PREFIX_LENGTH = 5;
const MIN_SHARE_OF_LABEL = 0.6;

/** Whether a piece of a title is the site's name, its host, or the words whose initials are its host. */
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

/** Whether a host's label is a name, or begins with it and adds little (`leandatainc`). */
function isHostLabelName(label: string, name: string): boolean {
  if (label === name) return true;
  return name.length >= MIN_PREFIX_LENGTH && label.startsWith(name) && name.length >= MIN_SHARE_OF_LABEL * label.length;
}
