import { isJsonObject } from '#extract/values/json-object.ts';
import { tryParse } from '#extract/values/json.ts';

const MAX_BLOCK_LENGTH = 2_000_000;
const MAX_BLOCKS = 100;
const WRAPPER =
  /^\s*(?:\/\*\s*)?(?:\/\/\s*)?(?:<!--|<!\[CDATA\[)(?:\s*\*\/)?|(?:\/\*\s*)?(?:\/\/\s*)?(?:-->|\]\]>)(?:\s*\*\/)?\s*;?\s*$/g;

/**
 * The values of the JSON-LD blocks of a page, `@graph` left as it is; a list counts as its elements.
 * Blocks wrapped in HTML comments or CDATA, with comments between their values, raw control characters in strings,
 * trailing commas or a trailing semicolon are read all the same; a block that still is no JSON is left out.
 */
export function readJsonLd(blocks: readonly string[]): readonly unknown[] {
  return blocks
    .slice(0, MAX_BLOCKS)
    .filter((block) => block.length <= MAX_BLOCK_LENGTH)
    .flatMap((block) => {
      const value = parseLoosely(block);
      return Array.isArray(value) ? value.filter(isJsonObject) : isJsonObject(value) ? [value] : [];
    });
}

function parseLoosely(block: string): unknown {
  const text = block.trim();
  if (text === '') return undefined;
  return tryParse(text) ?? tryParse(repairJson(unwrap(text))) ?? tryParse(repairJson(text));
}

function unwrap(text: string): string {
  return text.replaceAll(WRAPPER, '').trim().replace(/;$/, '');
}

const COMMENTS = [
  { start: '//', end: '\n' },
  { start: '/*', end: '*/' },
  { start: '<!--', end: '-->' },
] as const;

/** Raw control characters inside strings become escapes, comments and commas before a closing bracket go; one pass, so linear. */
function repairJson(text: string): string {
  let mended = '';
  let inString = false;
  let from = 0;
  let comma = -1;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (inString) {
      if (code === 0x5c) at += 1;
      else if (code === 0x22) inString = false;
      else if (code < 0x20) {
        mended += `${text.slice(from, at)}${code === 0x0a ? String.raw`\n` : ' '}`;
        from = at + 1;
      }
      continue;
    }
    if (code <= 0x20) continue;
    const end = code === 0x2f || code === 0x3c ? findCommentEnd(text, at) : at;
    if (end > at) {
      mended += text.slice(from, at);
      from = end;
      at = end - 1;
      comma = -1;
      continue;
    }
    if ((code === 0x5d || code === 0x7d) && comma >= 0) {
      mended += text.slice(from, comma);
      from = comma + 1;
    }
    comma = code === 0x2c ? at : -1;
    inString = code === 0x22;
  }
  return mended + text.slice(from);
}

/** Where the comment that starts here ends; here where none does. */
function findCommentEnd(text: string, at: number): number {
  const comment = COMMENTS.find(({ start }) => text.startsWith(start, at));
  if (comment === undefined) return at;
  const end = text.indexOf(comment.end, at);
  return end < 0 ? text.length : end + comment.end.length;
}
