import { toPlainString } from '#extract/values/values.ts';
import { tell } from './told.ts';
import type { Told } from './told.ts';

type TitleSources = {
  readonly document: string | null;
  readonly openGraph: Told | null;
  readonly headline: Told | null;
  readonly headings: readonly { readonly text: string; readonly node: number }[];
  readonly siteName: string | null;
  readonly host: string;
};

const LONGEST = 2000;
const SEPARATORS = /\s[|–—·•»«:\-~/]{1,2}\s|\s?[|»•]\s?/gu;
/** Signs that link a heading to itself. */
const PERMALINK = /\s*[¶#§🔗]\s*$/u;

/** The title of a page without its site's name: a heading that the other sources confirm, else the best of them; null when there is none. */
export function chooseTitle(sources: TitleSources): Told | null {
  const { openGraph, headline } = sources;
  const named = toldPlainly(openGraph, withoutSite(openGraph?.value ?? null, sources));
  const document = tell(withoutSite(sources.document, sources), 'title');
  const lead = toldPlainly(headline, plainTitle(headline?.value ?? null));
  const headings = sources.headings.flatMap(
    ({ text, node }) => tell(plainTitle(text.replace(PERMALINK, '')), 'h1', node) ?? [],
  );
  const own = headings.filter(({ value }) => value.length > 3 && !isSite(value, sources));
  const shared = [openGraph, lead].flatMap((told) => told?.value ?? []);
  // Where two statements agree to the letter, a heading that words it otherwise is not the page's title.
  const settled = named !== null && lead !== null && foldTitle(named.value) === foldTitle(lead.value);
  const confirmed =
    own.find(({ value }) => [...shared, sources.document ?? ''].some((other) => confirms(other, value))) ??
    (settled ? undefined : own.find(({ value }) => shared.some((other) => resembles(other, value))));
  if (confirmed !== undefined) return confirmed;
  const stated = named ?? lead ?? document;
  return stated === null ? (headings[0] ?? null) : { ...stated, value: withoutBook(stated.value, headings) };
}

/** The same told in other letters; null where nothing is left. */
function toldPlainly(told: Told | null, value: string | null): Told | null {
  return told === null || value === null ? null : { ...told, value };
}

/** One line of text; null for an address, which is no title. */
function plainTitle(text: string | null): string | null {
  const plain = toPlainString((text ?? '').slice(0, LONGEST));
  return plain === null || /^https?:\/\/\S+$/.test(plain) ? null : plain;
}

/** A title without its last piece where a heading shows that this names the book or part that the page belongs to. */
function withoutBook(title: string, headings: readonly Told[]): string {
  const last = [...title.matchAll(SEPARATORS)].at(-1);
  if (last === undefined || last.index === 0) return title;
  const tail = foldTitle(title.slice(last.index + last[0].length));
  return headings.some(({ value }) => foldTitle(value) === tail) ? title.slice(0, last.index) : title;
}

/** What is less of a title than these shares, at one of its ends and within, is a word that both happen to hold. */
const AT_AN_END = 0.3;
const WITHIN = 0.5;

/** Whether a title has the heading as most of it, or as a piece of its own; the last piece is the site or the book. */
function confirms(title: string, heading: string): boolean {
  const plain = title.slice(0, LONGEST);
  const whole = foldTitle(plain);
  const part = foldTitle(heading);
  if (part === '' || !whole.includes(part)) return false;
  const pieces = plain.split(SEPARATORS).map(foldTitle);
  if (pieces.length > 1 && pieces.at(-1) === part) return false;
  const atAnEnd = whole.startsWith(part) || whole.endsWith(part);
  return pieces.slice(0, -1).includes(part) || part.length >= (atAnEnd ? AT_AN_END : WITHIN) * whole.length;
}

/** Fewer words than these in common are a coincidence. */
const FEWEST_SHARED = 4;
const SHARED = 0.5;

/** Whether a title and a heading are two wordings of the same: half the words of the shorter one are in the other. */
function resembles(title: string, heading: string): boolean {
  // What a title has letter by letter is one of its pieces, of which another rule decides.
  if (foldTitle(title).includes(foldTitle(heading))) return false;
  const words = wordsOf(title);
  const others = wordsOf(heading);
  const shared = others.intersection(words).size;
  return shared >= FEWEST_SHARED && shared >= SHARED * Math.min(words.size, others.size);
}

/** Words without case; pairs of characters where a script writes no spaces. */
function wordsOf(text: string): ReadonlySet<string> {
  const runs =
    text
      .slice(0, LONGEST)
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return new Set(runs.flatMap((run) => (UNSPACED.test(run) ? pairsOf(run) : [run])));
}

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

function pairsOf(run: string): readonly string[] {
  return Array.from({ length: Math.max(1, run.length - 1) }, (_, at) => run.slice(at, at + 2));
}

/** Sites that a title may name one after the other at its end. */
const MOST_ENDS = 20;

type Site = Pick<TitleSources, 'siteName' | 'host'>;

/** A title cut at its separators where the first or last piece is the site. */
function withoutSite(title: string | null, sources: Site, most = MOST_ENDS): string | null {
  const plain = plainTitle(title);
  if (plain === null) return null;
  const pieces = [...plain.matchAll(SEPARATORS)];
  const first = pieces[0];
  const last = pieces.at(-1);
  if (first === undefined || last === undefined) return plain;
  const tail = plain.slice(last.index + last[0].length);
  const head = plain.slice(0, first.index);
  if (isSite(tail, sources) && most > 0)
    return withoutSite(plain.slice(0, last.index), { ...sources, host: '' }, most - 1) ?? plain;
  if (isSite(head, sources)) return plain.slice(first.index + first[0].length).trim() || plain;
  return plain;
}

/** Names shorter than this begin too many other words. */
const SHORTEST_BEGINNING = 5;
const MOST_OF_LABEL = 0.6;

/** Whether a piece of a title is the site's name, its host, or the words whose initials are its host. */
function isSite(piece: string, { siteName, host }: Site): boolean {
  const folded = foldTitle(piece);
  if (folded === '') return true;
  if (siteName !== null && folded === foldTitle(siteName)) return true;
  if (host === '') return false;
  const labels = host.replace(/^www\./, '').split('.');
  const names = [
    labels.join('.'),
    labels.slice(-2).join('.'),
    ...labels.slice(0, -1).filter((label) => label.length > 2),
  ];
  if (names.some((name) => isNamed(foldTitle(name), folded))) return true;
  const initials = (piece.match(/(?<![\p{L}\p{N}])\p{Lu}/gu) ?? []).join('').toLowerCase();
  return initials.length > 2 && labels.slice(0, -1).includes(initials);
}

/** Whether a host's label is a name, or begins with it and adds little (`leandatainc`). */
function isNamed(label: string, name: string): boolean {
  if (label === name) return true;
  return name.length >= SHORTEST_BEGINNING && label.startsWith(name) && name.length >= MOST_OF_LABEL * label.length;
}

/** Letters and digits only, without case, so that punctuation and spacing do not matter. */
export function foldTitle(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '');
}
