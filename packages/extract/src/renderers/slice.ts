/** The text outputs that a slice cuts, in the order in which they choose the place of the cut. */
const SLICED = ['html', 'markdown', 'text'] as const;

export type Texts = { readonly [Name in (typeof SLICED)[number]]?: string };
export type Sliced = { readonly texts: Texts; readonly nextOffset: number | null };

/**
 * The characters from `offset` on, at most `most` of them (null for all). The first of html, markdown and text that
 * has to be cut is cut between blocks where it can be, else between lines, words, characters; the others end at the
 * same offset, so that slices taken one after the other lose nothing. `nextOffset` is null when nothing is left.
 */
export function sliceTexts(texts: Texts, offset: number, most: number | null): Sliced {
  const end = most === null ? null : cutOf(texts, offset, offset + most);
  const sliced: Record<string, string> = {};
  for (const name of SLICED) {
    const text = texts[name];
    if (text !== undefined) sliced[name] = text.slice(offset, end ?? undefined);
  }
  return { texts: sliced, nextOffset: end };
}

function cutOf(texts: Texts, offset: number, limit: number): number | null {
  for (const name of SLICED) {
    const text = texts[name] ?? '';
    if (text.length > limit) return name === 'html' ? htmlCut(text, offset, limit) : textCut(text, offset, limit);
  }
  return null;
}

/** The last place up to `limit` that parts blocks, else lines, else words. */
function textCut(text: string, offset: number, limit: number): number {
  for (const border of ['\n\n', '\n', ' ']) {
    const at = text.lastIndexOf(border, limit - border.length);
    if (at > offset) return at + border.length;
  }
  return wholeCharacter(text, limit);
}

const TAG_OR_END = /<(\/?)([a-z][a-z0-9]*)[^>]*>/g;
const VOIDS = new Set(['br', 'hr', 'img', 'source', 'track', 'wbr', 'col']);

/** The last place up to `limit` where no element is open; the scan starts at `offset`, where none was. */
function htmlCut(html: string, offset: number, limit: number): number {
  let depth = 0;
  let cut = offset;
  const tags = new RegExp(TAG_OR_END);
  tags.lastIndex = offset;
  for (let found = tags.exec(html); found !== null; found = tags.exec(html)) {
    const end = found.index + found[0].length;
    if (found.index >= limit) break;
    if (VOIDS.has(found[2] ?? '')) continue;
    depth += found[1] === '/' ? -1 : 1;
    if (depth <= 0 && end <= limit) cut = html.charAt(end) === '\n' && end < limit ? end + 1 : end;
  }
  if (cut > offset) return cut;
  const tag = html.lastIndexOf('>', limit - 1) + 1;
  return tag > offset ? tag : wholeCharacter(html, limit);
}

/** A surrogate pair stays together. */
function wholeCharacter(text: string, at: number): number {
  const code = text.charCodeAt(at - 1);
  return code >= 0xd800 && code <= 0xdbff ? at - 1 : at;
}
