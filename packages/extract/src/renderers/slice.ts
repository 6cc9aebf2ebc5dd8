/** The text outputs that can be sliced, in the order in which they decide where to cut. */
const SLICED_OUTPUTS = ['html', 'markdown', 'text'] as const;

/** The text outputs of a page that were requested. */
export type TextOutputs = { readonly [Name in (typeof SLICED_OUTPUTS)[number]]?: string };
/** The slices, and the offset of the next ones; null if nothing remains. */
export type SlicedTexts = { readonly texts: TextOutputs; readonly nextOffset: number | null };

/**
 * Cuts text outputs to at most `most` characters from `offset` on (null for all). The first of html, markdown and text
 * that is too long decides: it is cut between blocks if possible, else lines, words or characters. The others end at
 * the same offset, so that consecutive slices lose nothing. `nextOffset` is null if nothing remains.
 */
export function sliceTexts(texts: TextOutputs, offset: number, most: number | null): SlicedTexts {
  const end = most === null ? null : findCut(texts, offset, offset + most);
  const sliced: Record<string, string> = {};
  for (const name of SLICED_OUTPUTS) {
    const text = texts[name];
    if (text !== undefined) sliced[name] = text.slice(offset, end ?? undefined);
  }
  return { texts: sliced, nextOffset: end };
}

function findCut(texts: TextOutputs, offset: number, limit: number): number | null {
  for (const name of SLICED_OUTPUTS) {
    const text = texts[name] ?? '';
    if (text.length > limit)
      return name === 'html' ? findHtmlCut(text, offset, limit) : findTextCut(text, offset, limit);
  }
  return null;
}

/** The last place before `limit` between blocks, else between lines, else between words. */
function findTextCut(text: string, offset: number, limit: number): number {
  for (const border of ['\n\n', '\n', ' ']) {
    const at = text.lastIndexOf(border, limit - border.length);
    if (at > offset) return at + border.length;
  }
  return keepSurrogatePair(text, limit);
}

const TAG_OR_END = /<(\/?)([a-z][a-z0-9]*)[^>]*>/g;
const VOID_TAGS = new Set(['br', 'hr', 'img', 'source', 'track', 'wbr', 'col']);

/** The last place before `limit` at which no element is open. The scan starts at `offset`, where none is. */
function findHtmlCut(html: string, offset: number, limit: number): number {
  let depth = 0;
  let cut = offset;
  const tags = new RegExp(TAG_OR_END);
  tags.lastIndex = offset;
  for (let found = tags.exec(html); found !== null; found = tags.exec(html)) {
    const end = found.index + found[0].length;
    if (found.index >= limit) break;
    if (VOID_TAGS.has(found[2] ?? '')) continue;
    depth += found[1] === '/' ? -1 : 1;
    if (depth <= 0 && end <= limit) cut = html.charAt(end) === '\n' && end < limit ? end + 1 : end;
  }
  if (cut > offset) return cut;
  const tag = html.lastIndexOf('>', limit - 1) + 1;
  return tag > offset ? tag : keepSurrogatePair(html, limit);
}

/** Never cuts a surrogate pair. */
function keepSurrogatePair(text: string, at: number): number {
  const code = text.charCodeAt(at - 1);
  return code >= 0xd800 && code <= 0xdbff ? at - 1 : at;
}
