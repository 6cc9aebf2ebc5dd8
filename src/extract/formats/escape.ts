/** Characters that may mean something to a Markdown reader; most text holds none. */
const SUSPECT = /[\\*_`[\]<&~]/;
const MARKUP =
  /\\(?=[!-/:-@[-`{-~]|$)|[*`[\]~]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|<(?=[a-zA-Z/!?]|$)|&(?=#?\w{0,32}(?:;|$))/gu;

/** Characters looked at together: of all its finds at once a long text would fill the memory of its thread. */
const PORTION = 65_536;

/** Text as Markdown that shows it: nothing of it can be read as markup, also together with what follows it. */
export function escapeText(text: string): string {
  if (!SUSPECT.test(text)) return text;
  // After a space no character changes what those on the other side mean; without one some may be escaped in vain.
  return inPortions(
    text,
    (rest) => rest.lastIndexOf(' ') + 1 || rest.length,
    (part) => part.replace(MARKUP, '\\$&'),
  );
}

/** A long text changed portion by portion; `end` says where one may end within the characters that it is shown. */
function inPortions(text: string, end: (portion: string) => number, change: (part: string) => string): string {
  if (text.length <= PORTION) return change(text);
  const parts: string[] = [];
  for (let at = 0; at < text.length;) {
    const portion = text.slice(at, at + PORTION);
    const length = portion.length < PORTION ? portion.length : end(portion);
    parts.push(change(portion.slice(0, length)));
    at += length;
  }
  return parts.join('');
}

/** Line beginnings that would open a heading, list, quote, rule or table. */
const LINE_START =
  /^(?:(#{1,6}(?=\s|$)|[-+](?=\s|$)|>|=+(?=\s*$)|-{2,}(?=\s*$)|[|:-](?=[|: -]*$))|(\d{1,9})([.)](?=\s|$)))/gm;
const SUSPECT_START = /^[#+\->=|:\d]/;
const SUSPECT_LINE = /\n[#+\->=|:\d]/;

/** Inline Markdown made safe as the lines of a paragraph. */
export function escapeLineStarts(text: string): string {
  if (!SUSPECT_START.test(text) && !SUSPECT_LINE.test(text)) return text;
  let isInLine = false;
  return inPortions(
    text,
    (portion) => portion.lastIndexOf('\n') + 1 || portion.length,
    (part) => {
      const escaped = isInLine ? escapeLaterLines(part) : escapeLines(part);
      isInLine = !part.endsWith('\n');
      return escaped;
    },
  );
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
