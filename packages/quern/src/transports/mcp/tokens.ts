/** Tokens of one answer at most, unless its caller asks for another number. */
export const MAX_TOKENS = 8000;

/** Characters of the ASCII range in a token; tokenizers of today reach 3.5 to 4.5, so that this errs high. */
const ASCII_CHARS_PER_TOKEN = 3.2;

/** The tokens of a text, erring high: 3.2 ASCII characters are one, and every other character is one. */
export function countTokens(text: string): number {
  let others = 0;
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 127) others += 1;
  return Math.ceil((text.length - others) / ASCII_CHARS_PER_TOKEN + others);
}

/** The part of a text from `offset` on that takes so many tokens; `next` is where it goes on, null at its end. */
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

/** The end of a paragraph, else of a line, in the last third of a part; else its end between two characters. */
function findBreak(text: string, from: number, end: number): number {
  const least = from + ((end - from) * 2) / 3;
  for (const mark of ['\n\n', '\n']) {
    const at = text.lastIndexOf(mark, end - mark.length);
    if (at >= least) return at + mark.length;
  }
  const isSplit = /[\uD800-\uDBFF]/.test(text.charAt(end - 1)) && end - 1 > from;
  return isSplit ? end - 1 : end;
}
