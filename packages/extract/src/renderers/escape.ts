import { transformInPortions } from '#extract/values/portions.ts';

/** Characters that Markdown may interpret; most texts have none. */
const MAY_BE_MARKUP = /[\\*_`[\]<&~$]/;
/** Markdown syntax inside a line. After `<`, text that would form an email autolink counts too (CommonMark 0.31.2). */
const MARKUP =
  /\\(?=[!-/:-@[-`{-~]|$)|[*`[\]~]|\$(?=\$|[^\s$](?:[^$\n]{0,200}[^\s$])?\$(?!\d))|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|<(?=[a-zA-Z/!?]|[\w.!#$%&'*+/=?^`{|}~-]*(?:@|$))|&(?=#?\w{0,32}(?:;|$))/gu;

/** Escapes text for Markdown, so that none of it can be read as markup, even together with the text after it. */
export function escapeText(text: string): string {
  if (!MAY_BE_MARKUP.test(text)) return text;
  // A space separates the meaning of the characters around it. Without one, the cut may cause some unneeded escapes.
  return transformInPortions(
    text,
    (whole, from, to) => cutAfter(' ', whole, { from, to }),
    (part) => part.replace(MARKUP, '\\$&'),
  );
}

/** Line starts that would open a heading, list, quote, rule or table. */
const LINE_START =
  /^(?:(#{1,6}(?=\s|$)|[-+](?=\s|$)|>|=+(?=\s*$)|-{2,}(?=\s*$)|[|:-](?=[|: -]*$))|(\d{1,9})([.)](?=\s|$)))/gm;
const MAY_START_BLOCK = /^[#+\->=|:\d]/;
const MAY_START_BLOCK_LATER = /\n[#+\->=|:\d]/;

/** Escapes the line starts of inline Markdown, so that it can be written as a paragraph. */
export function escapeLineStarts(text: string): string {
  if (!MAY_START_BLOCK.test(text) && !MAY_START_BLOCK_LATER.test(text)) return text;
  let isInLine = false;
  return transformInPortions(
    text,
    (whole, from, to) => cutAfter('\n', whole, { from, to }),
    (part) => {
      const escaped = isInLine ? escapeLaterLines(part) : escapeLines(part);
      isInLine = !part.endsWith('\n');
      return escaped;
    },
  );
}

/** The end of a portion: after the last occurrence of the character in it, else at `to`. */
function cutAfter(sign: string, text: string, { from, to }: { readonly from: number; readonly to: number }): number {
  const at = text.slice(from, to).lastIndexOf(sign);
  return at < 0 ? to : from + at + 1;
}

/** Escapes the lines after the first one, which continues an earlier portion. */
function escapeLaterLines(text: string): string {
  const line = text.indexOf('\n') + 1;
  return line === 0 ? text : text.slice(0, line) + escapeLines(text.slice(line));
}

function escapeLines(text: string): string {
  return text.replace(LINE_START, (found, mark: string | undefined, digits: string | undefined, dot: string) =>
    mark === undefined ? `${digits}\\${dot}` : `\\${found}`,
  );
}

const UNSAFE_IN_URL = /[<>\\\s&()]/;

/** A URL as a Markdown link destination. */
export function toDestination(url: string): string {
  if (!UNSAFE_IN_URL.test(url)) return url;
  const safe = url.replace(/[<>\\\s]/g, encodeURIComponent).replace(/&(?=#?\w{1,32};)/g, '\\&');
  return /[()]/.test(safe) ? `<${safe}>` : safe;
}

/** The title of a Markdown link, with a leading space; `''` if there is none. */
export function toTitle(title: string | null): string {
  const text = title?.replace(/\s+/g, ' ').trim() ?? '';
  return text === '' ? '' : ` "${text.replace(/["\\&<]/g, '\\$&')}"`;
}
