import { toPlainString } from '#extract/values/values.ts';

type TitleSources = {
  readonly document: string | null;
  readonly openGraph: string | null;
  readonly headline: string | null;
  readonly headings: readonly string[];
  readonly siteName: string | null;
  readonly host: string;
};

const SEPARATORS = /\s[|–—·•»«:\-~/]{1,2}\s|\s?[|»•]\s?/u;

/** The title of a page without its site's name: a heading that the other sources confirm, else the best of them; null when there is none. */
export function chooseTitle(sources: TitleSources): string | null {
  const openGraph = withoutSite(sources.openGraph, sources);
  const document = withoutSite(sources.document, sources);
  const headline = toPlainString(sources.headline ?? '');
  const headings = sources.headings
    .map((text) => toPlainString(text.replace(PERMALINK, '')))
    .filter((text) => text !== null);
  const confirmed = headings.find(
    (text) => text.length > 3 && [sources.openGraph, sources.document, headline].some((other) => confirms(other, text)),
  );
  if (confirmed !== undefined && !isSite(confirmed, sources)) return confirmed;
  const stated = openGraph ?? headline ?? document;
  return stated === null ? (headings[0] ?? null) : withoutBook(stated, headings);
}

/** A title without its last piece where a heading shows that this names the book or part that the page belongs to. */
function withoutBook(title: string, headings: readonly string[]): string {
  const last = [...title.matchAll(new RegExp(SEPARATORS, 'gu'))].at(-1);
  if (last === undefined || last.index === 0) return title;
  const tail = fold(title.slice(last.index + last[0].length));
  return headings.some((heading) => fold(heading) === tail) ? title.slice(0, last.index) : title;
}

/** Signs that link a heading to itself. */
const PERMALINK = /\s*[¶#§🔗]\s*$/u;
/** What is less of a title than these shares, at one of its ends and within, is a word that both happen to hold. */
const AT_AN_END = 0.3;
const WITHIN = 0.5;

/** Whether a title has the heading as most of it, or as a piece of its own; the last piece is the site or the book. */
function confirms(title: string | null, heading: string): boolean {
  const plain = title?.slice(0, 2000) ?? '';
  const whole = fold(plain);
  const part = fold(heading);
  if (part === '' || !whole.includes(part)) return false;
  const pieces = plain.split(SEPARATORS).map(fold);
  if (pieces.length > 1 && pieces.at(-1) === part) return false;
  const atAnEnd = whole.startsWith(part) || whole.endsWith(part);
  return pieces.slice(0, -1).includes(part) || part.length >= (atAnEnd ? AT_AN_END : WITHIN) * whole.length;
}

/** A title cut at its separators where the first or last piece is the site. */
function withoutSite(title: string | null, sources: TitleSources): string | null {
  const plain = toPlainString((title ?? '').slice(0, 2000));
  if (plain === null) return null;
  const pieces = [...plain.matchAll(new RegExp(SEPARATORS, 'gu'))];
  const first = pieces[0];
  const last = pieces.at(-1);
  if (first === undefined || last === undefined) return plain;
  const tail = plain.slice(last.index + last[0].length);
  const head = plain.slice(0, first.index);
  if (isSite(tail, sources)) return withoutSite(plain.slice(0, last.index), { ...sources, host: '' }) ?? plain;
  if (isSite(head, sources)) return plain.slice(first.index + first[0].length).trim() || plain;
  return plain;
}

function isSite(piece: string, { siteName, host }: TitleSources): boolean {
  const folded = fold(piece);
  if (folded === '') return true;
  if (siteName !== null && folded === fold(siteName)) return true;
  if (host === '') return false;
  const bare = host.replace(/^www\./, '');
  return (
    folded === fold(bare) ||
    bare
      .split('.')
      .slice(0, -1)
      .some((label) => label.length > 2 && fold(label) === folded)
  );
}

/** Letters and digits only, without case, so that punctuation and spacing do not matter. */
function fold(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '');
}
