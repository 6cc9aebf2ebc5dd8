import { escapeAttribute, escapeText } from 'entities';

/** The length of a portion in characters. Running a replacement over a long text at once may exhaust the memory of the thread. */
const PORTION_LENGTH = 65_536;

/** Portions that are joined at once: V8 keeps a concatenated string as a tree, many times its length, until it is flattened. */
const MAX_PARTS = 16;

/** Chooses the end of a portion that starts at `from`: at most `to` if there is a suitable place, and always after `from`. */
export type FindCut = (text: string, from: number, to: number) => number;

/**
 * Transforms a long text portion by portion, in linear time and bounded memory. `change` must give the same result for
 * the portions as for the whole text.
 */
export function transformInPortions(text: string, cut: FindCut, change: (part: string) => string): string {
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

/** For transformations that look at single characters. */
export function cutAnywhere(_text: string, _from: number, to: number): number {
  return to;
}

/** Replaces every occurrence of a character. */
export function replaceCharacter(text: string, character: string, by: string): string {
  return text.includes(character)
    ? transformInPortions(text, cutAnywhere, (part) => part.replaceAll(character, by))
    : text;
}

/** Converts all line ends to LF. */
export function toLineFeeds(text: string): string {
  if (!text.includes('\r')) return text;
  // Most portions have no CR, and `includes` is faster than a replacement.
  return transformInPortions(text, cutBeforeReturn, (part) =>
    part.includes('\r') ? part.replaceAll('\r\n', '\n').replaceAll('\r', '\n') : part,
  );
}

/** Never cuts between CR and LF. */
function cutBeforeReturn(text: string, _from: number, to: number): number {
  return text.charAt(to - 1) === '\r' ? to - 1 : to;
}

/** For transformations that look at runs of white space, which stay whole. */
export function cutBesideSpace(text: string, from: number, to: number): number {
  let end = to;
  while (end > from && isSpace(text.charCodeAt(end - 1))) end--;
  if (end > from) return end;
  end = to;
  while (end < text.length && isSpace(text.charCodeAt(end))) end++;
  return end;
}

/** For transformations that look at character references, which never extend beyond the next `&`. */
export function cutBesideReference(text: string, from: number, to: number): number {
  const last = text.lastIndexOf('&', to);
  if (last > from) return last;
  const next = text.indexOf('&', to);
  return next < 0 ? text.length : next;
}

/** Whether the character may match `\s`. A false positive is harmless: no cut is made next to it. */
function isSpace(code: number): boolean {
  return code <= 0x20 || (code >= 0x80 && /\s/.test(String.fromCharCode(code)));
}

/** Starts at the beginning of a run of white space: trying each character of the run would take quadratic time. */
const LINE_BREAK = /(?<!\s)\s*\n\s*/g;

/** Replaces each line end, and the white space around it, by `joint`. */
export function joinLines(text: string, joint: ' ' | '\n'): string {
  if (!text.includes('\n')) return text;
  return transformInPortions(text, cutBesideSpace, (part) => part.replace(LINE_BREAK, joint));
}

/** Escapes a text for use as HTML text. */
export function escapeHtmlText(text: string): string {
  return transformInPortions(text, cutAnywhere, escapeText);
}

/** Escapes a text for use in a double-quoted HTML attribute. */
export function escapeHtmlAttribute(text: string): string {
  return transformInPortions(text, cutAnywhere, escapeAttribute);
}
