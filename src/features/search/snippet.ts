import { collapseSpace } from '#extract/values/space.ts';
import { foldedOf, withoutWordBreaks, withWordBreaks, WORDS } from './words.ts';

const SNIPPET_CHARS = 240;
/** Characters of a page among which the passage is looked for. */
const LOOKED_AT = 50_000;
/** The end of a paragraph that ends with no sign of its own. */
const PARAGRAPHS = /(?<=[\p{L}\p{N}\p{M})\]"'])[ \t]*\n\s*\n\s*/gu;

/** The passage of a page that holds the most different words of a query; its description where none holds any. */
export function snippetOf(
  { body, description }: { readonly body: string; readonly description: string },
  words: readonly string[],
): string {
  const text = withWordBreaks(body.slice(0, LOOKED_AT));
  const asked = new Set(words);
  const found: { readonly word: string; readonly at: number }[] = [];
  for (const match of text.matchAll(WORDS)) {
    const word = foldedOf(match[0]);
    if (asked.has(word)) found.push({ word, at: match.index });
  }
  let best = { from: 0, distinct: 0 };
  let first = 0;
  for (const [last, { at }] of found.entries()) {
    while (at - (found[first]?.at ?? at) > SNIPPET_CHARS - 40) first += 1;
    const distinct = new Set(found.slice(first, last + 1).map(({ word }) => word)).size;
    if (distinct > best.distinct) best = { from: found[first]?.at ?? 0, distinct };
  }
  if (best.distinct === 0)
    return description === '' ? cut(text, 0) : collapseSpace(description).slice(0, SNIPPET_CHARS);
  return cut(text, best.from);
}

/** So many characters around a place, from the begin of a sentence or a word. */
function cut(text: string, at: number): string {
  const before = text.slice(Math.max(0, at - 80), at);
  const sentence = Math.max(
    before.lastIndexOf('. '),
    before.lastIndexOf('\n'),
    before.lastIndexOf('? '),
    before.lastIndexOf('! '),
  );
  const start = at - before.length + (sentence >= 0 ? sentence + 1 : before.indexOf(' ') + 1);
  const from = at < 80 && sentence < 0 ? 0 : start;
  const piece = text.slice(from, from + SNIPPET_CHARS);
  const end = from + SNIPPET_CHARS >= text.length ? piece.length : piece.lastIndexOf(' ');
  const whole = withoutWordBreaks(piece.slice(0, end > 0 ? end : piece.length)).trim();
  // A heading or a line of code is no part of the sentence after it.
  const shown = collapseSpace(whole.replaceAll(PARAGRAPHS, ' · '));
  return `${from > 0 && sentence < 0 ? '…' : ''}${shown}${from + SNIPPET_CHARS < text.length ? '…' : ''}`;
}
