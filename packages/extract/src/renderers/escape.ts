import { inPortions } from '#extract/values/portions.ts';

/** Characters that may mean something to a Markdown reader; most text holds none. */
const MAY_BE_MARKUP = /[\\*_`[\]<&~$]/;
/** Behind `<`, what stands before the sign of an address that would become a link (CommonMark 0.31.2, email autolinks) counts too. */
const MARKUP =
  /\\(?=[!-/:-@[-`{-~]|$)|[*`[\]~]|\$(?=\$|[^\s$](?:[^$\n]{0,200}[^\s$])?\$(?!\d))|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|<(?=[a-zA-Z/!?]|[\w.!#$%&'*+/=?^`{|}~-]*(?:@|$))|&(?=#?\w{0,32}(?:;|$))/gu;

/** Text as Markdown that shows it: nothing of it can be read as markup, also together with what follows it. */
export function escapeText(text: string): string {
  if (!MAY_BE_MARKUP.test(text)) return text;
  // After a space no character changes what those on the other side mean; without one some may be escaped in vain.
  return inPortions(
    text,
    (whole, from, to) => cutAfter(' ', whole, { from, to }),
    (part) => part.replace(MARKUP, '\\$&'),
  );
}

/** Line beginnings that would open a heading, list, quote, rule or table. */
const LINE_START =
  /^(?:(#{1,6}(?=\s|$)|[-+](?=\s|$)|>|=+(?=\s*$)|-{2,}(?=\s*$)|[|:-](?=[|: -]*$))|(\d{1,9})([.)](?=\s|$)))/gm;
const MAY_START_BLOCK = /^[#+\->=|:\d]/;
const MAY_START_BLOCK_LATER = /\n[#+\->=|:\d]/;

/** Inline Markdown made safe as the lines of a paragraph. */
export function escapeLineStarts(text: string): string {
  if (!MAY_START_BLOCK.test(text) && !MAY_START_BLOCK_LATER.test(text)) return text;
  let isInLine = false;
  return inPortions(
    text,
    (whole, from, to) => cutAfter('\n', whole, { from, to }),
    (part) => {
      const escaped = isInLine ? escapeLaterLines(part) : escapeLines(part);
      isInLine = !part.endsWith('\n');
      return escaped;
    },
  );
}

/** The end of a portion after the last such character in it, or as far as it may go. */
function cutAfter(sign: string, text: string, { from, to }: { readonly from: number; readonly to: number }): number {
  const at = text.slice(from, to).lastIndexOf(sign);
  return at < 0 ? to : from + at + 1;
}

/** The rest of a line, and the lines after it. */
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

/** A URL as the destination of a Markdown link. */
export function toDestination(url: string): string {
  if (!UNSAFE_IN_URL.test(url)) return url;
  const safe = url.replace(/[<>\\\s]/g, encodeURIComponent).replace(/&(?=#?\w{1,32};)/g, '\\&');
  return /[()]/.test(safe) ? `<${safe}>` : safe;
}

/** The title part of a link, with the space before it; nothing for an empty one. */
export function toTitle(title: string | null): string {
  const text = title?.replace(/\s+/g, ' ').trim() ?? '';
  return text === '' ? '' : ` "${text.replace(/["\\&<]/g, '\\$&')}"`;
}
