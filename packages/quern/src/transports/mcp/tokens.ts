/** Maximum tokens of one answer, unless the caller sets `max_tokens`. */
export const MAX_TOKENS = 8000;

/** ASCII characters per token. Current tokenizers reach 3.5 to 4.5, so counts err high. */
const ASCII_CHARS_PER_TOKEN = 3.2;

/** Estimates the tokens of a text, erring high: 3.2 ASCII characters are one token, every other character is one. */
export function countTokens(text: string): number {
  let others = 0;
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 127) others += 1;
  return Math.ceil((text.length - others) / ASCII_CHARS_PER_TOKEN + others);
}

/** Returns the part of a text from `offset` that fits `tokens`; `next` is the offset of the rest, null at the end. */
export function sliceTokens(
  text: string,
  offset: number,
  tokens: number,
): { readonly part: string; readonly next: number | null } {
  let left = tokens;
  let end = offset;
  while (end < text.length) {
    left -= text.charCodeAt(end) > 127 ? 1 : 1 / ASCII_CHARS_PER_TOKEN;
    if (left < 0) break;
    end += 1;
  }
  if (end >= text.length) return { part: text.slice(offset), next: null };
  const cut = findBreak(text, offset, Math.max(end, offset + 1));
  return { part: text.slice(offset, cut), next: cut };
}

/** Finds a place to cut: the end of a paragraph, or else of a line, in the last third of the part; else between two characters. */
function findBreak(text: string, from: number, end: number): number {
  const least = from + ((end - from) * 2) / 3;
  for (const mark of ['\n\n', '\n']) {
    const at = text.lastIndexOf(mark, end - mark.length);
    if (at >= least) return at + mark.length;
  }
  const isSplit = /[\uD800-\uDBFF]/.test(text.charAt(end - 1)) && end - 1 > from;
  return isSplit ? end - 1 : end;
}
