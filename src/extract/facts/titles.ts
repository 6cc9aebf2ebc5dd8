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
  const headings = sources.headings.map((text) => toPlainString(text)).filter((text) => text !== null);
  const confirmed = headings.find(
    (text) => text.length > 3 && [sources.openGraph, sources.document, headline].some((other) => contains(other, text)),
  );
  if (confirmed !== undefined && !isSite(confirmed, sources)) return confirmed;
  return openGraph ?? headline ?? document ?? headings[0] ?? null;
}

function contains(whole: string | null, part: string): boolean {
  return whole !== null && fold(whole).includes(fold(part));
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
