/** Characters looked at together: all finds in a long text at once would fill the memory of its thread, or end the program. */
const PORTION_LENGTH = 65_536;

/** Portions joined at once: what is put together of many pieces is a tree of them, many times its length, until it is joined. */
const MAX_PARTS = 16;

/** Where a portion that starts at `from` may end, at most at `to` where there is such a place; always after `from`. */
export type FindCut = (text: string, from: number, to: number) => number;

/** A text changed by a function that answers for its portions what it answers for the whole; linear, within bounded memory. */
export function inPortions(text: string, cut: FindCut, change: (part: string) => string): string {
  if (text.length <= PORTION_LENGTH) return change(text);
  const joined: string[] = [];
  const parts: string[] = [];
  for (let at = 0; at < text.length;) {
    const to = at + PORTION_LENGTH;
    const end = to >= text.length ? text.length : cut(text, at, to);
    parts.push(change(text.slice(at, end)));
    at = end;
    if (parts.length === MAX_PARTS) joined.push(parts.splice(0).join(''));
  }
  return [...joined, ...parts].join('');
}

/** For what looks at single characters. */
export function cutAnywhere(_text: string, _from: number, to: number): number {
  return to;
}

/** A text with each such character replaced. */
export function replaceEach(text: string, character: string, by: string): string {
  return text.includes(character) ? inPortions(text, cutAnywhere, (part) => part.replaceAll(character, by)) : text;
}

/** A text with LF for each line end. */
export function toLineFeeds(text: string): string {
  if (!text.includes('\r')) return text;
  // Of most texts few parts have any, and those are searched for faster than they are matched.
  return inPortions(text, cutBeforeReturn, (part) =>
    part.includes('\r') ? part.replaceAll('\r\n', '\n').replaceAll('\r', '\n') : part,
  );
}

/** CR and LF stay together. */
function cutBeforeReturn(text: string, _from: number, to: number): number {
  return text.charAt(to - 1) === '\r' ? to - 1 : to;
}

/** For what looks at runs of white space, which stay whole. */
export function cutBesideSpace(text: string, from: number, to: number): number {
  let end = to;
  while (end > from && isSpace(text.charCodeAt(end - 1))) end--;
  if (end > from) return end;
  end = to;
  while (end < text.length && isSpace(text.charCodeAt(end))) end++;
  return end;
}

/** For what looks at character references, none of which goes on past the `&` of the next. */
export function besideReference(text: string, from: number, to: number): number {
  const last = text.lastIndexOf('&', to);
  if (last > from) return last;
  const next = text.indexOf('&', to);
  return next < 0 ? text.length : next;
}

/** Whether `\s` may stand for the character: what is asked about more than needed, is only not cut at. */
function isSpace(code: number): boolean {
  return code <= 0x20 || (code >= 0x80 && /\s/.test(String.fromCharCode(code)));
}
