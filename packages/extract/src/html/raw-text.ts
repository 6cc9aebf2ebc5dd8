import { TAG_NAMES } from './tag-names.ts';
import { lower } from './name-table.ts';

/** Where the end tag that closes raw text of `tag` starts; the end of the source when there is none. */
export function rawTextEnd(source: string, tag: number, from: number): number {
  return endTagOf(source, TAG_NAMES[tag] ?? '', { from, to: source.length });
}

/**
 * Where raw text inside a noscript ends: at the end of the noscript at the latest. A browser that runs scripts reads the
 * noscript itself as text, so that pages get away with `<noscript><iframe src=… /></noscript>`.
 */
export function withinNoscript(source: string, from: number, end: number): number {
  return endTagOf(source, 'noscript', { from, to: end });
}

type Range = { readonly from: number; readonly to: number };

function endTagOf(source: string, name: string, { from, to }: Range): number {
  let at = source.indexOf('</', from);
  while (at >= 0 && at < to) {
    if (isTagAt(source, name, at + 2)) return at;
    at = source.indexOf('</', at + 2);
  }
  return to;
}

function isTagAt(source: string, name: string, start: number): boolean {
  for (let at = 0; at < name.length; at++) {
    if (lower(source.charCodeAt(start + at)) !== name.charCodeAt(at)) return false;
  }
  return /[\s/>]/.test(source.charAt(start + name.length));
}

/**
 * Where the end tag of a script starts. Inside `<!--` a `<script>` opens a nested one whose end tag does not count
 * (the "script data double escaped" states of the HTML standard).
 */
export function scriptEnd(source: string, from: number): number {
  const end = endTagOf(source, 'script', { from, to: source.length });
  if (!source.slice(from, end).includes('<!--')) return end;
  const token = /<!--|-->|<(\/?)script(?=[\s/>])/gi;
  token.lastIndex = from;
  let comment = false;
  let nested = false;
  for (let found = token.exec(source); found !== null; found = token.exec(source)) {
    if (found[0] === '-->') {
      comment = false;
      nested = false;
    } else if (found[0] === '<!--') {
      comment = true;
      // The dashes that open a comment may be those that end it.
      token.lastIndex -= 2;
    } else if (found[1] === '/') {
      if (!nested) return found.index;
      nested = false;
    } else nested = comment;
  }
  return source.length;
}
