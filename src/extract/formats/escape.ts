/** Characters that may mean something to a Markdown reader; most text holds none. */
const SUSPECT = /[\\*_`[\]<&~]/;
const MARKUP =
  /\\(?=[!-/:-@[-`{-~]|$)|[*`[\]~]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|<(?=[a-zA-Z/!?]|$)|&(?=#?\w{0,32}(?:;|$))/gu;

/** Characters looked at together: of all its finds at once a long text would fill the memory of its thread. */
const PORTION = 65_536;

/** Text as Markdown that shows it: nothing of it can be read as markup, also together with what follows it. */
export function escapeText(text: string): string {
  if (!SUSPECT.test(text)) return text;
  if (text.length <= PORTION) return text.replace(MARKUP, '\\$&');
  const parts: string[] = [];
  for (let at = 0; at < text.length; ) {
    const end = endOfPortion(text, at);
    parts.push(text.slice(at, end).replace(MARKUP, '\\$&'));
    at = end;
  }
  return parts.join('');
}

/** After the last space of a portion, where no character changes what those on the other side mean; else anywhere. */
function endOfPortion(text: string, start: number): number {
  const portion = text.slice(start, start + PORTION);
  const space = portion.length < PORTION ? -1 : portion.lastIndexOf(' ');
  return start + (space < 0 ? portion.length : space + 1);
}

/** Line beginnings that would open a heading, list, quote, rule or table. */
const LINE_START =
  /^(?:(#{1,6}(?=\s|$)|[-+](?=\s|$)|>|=+(?=\s*$)|-{2,}(?=\s*$)|[|:-](?=[|: -]*$))|(\d{1,9})([.)](?=\s|$)))/gm;
const SUSPECT_START = /^[#+\->=|:\d]/;
const SUSPECT_LINE = /\n[#+\->=|:\d]/;

/** Inline Markdown made safe as the lines of a paragraph. */
export function escapeLineStarts(text: string): string {
  if (!SUSPECT_START.test(text) && !SUSPECT_LINE.test(text)) return text;
  return text.replace(LINE_START, (found, mark: string | undefined, digits: string | undefined, dot: string) =>
    mark === undefined ? `${digits}\\${dot}` : `\\${found}`,
  );
}

/** A URL as the destination of a Markdown link. */
export function toDestination(url: string): string {
  const safe = url.replace(/[<>\\\s]/g, encodeURIComponent).replace(/&(?=#?\w{1,32};)/g, '\\&');
  return /[()]/.test(safe) ? `<${safe}>` : safe;
}

/** The title part of a link, with the space before it; nothing for an empty one. */
export function toTitle(title: string | null): string {
  const text = title?.replace(/\s+/g, ' ').trim() ?? '';
  return text === '' ? '' : ` "${text.replace(/["\\&<]/g, '\\$&')}"`;
}
