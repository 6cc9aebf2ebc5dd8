import { collapseSpace } from '#extract/values/space.ts';
import { foldedOf, withoutWordBreaks, withWordBreaks, WORDS } from './words.ts';

const SNIPPET_CHARS = 240;
/** Characters of a page among which the passage is looked for. */
const LOOKED_AT = 50_000;
/** A part of a word. */
const LETTER = /[\p{L}\p{M}\p{N}\p{Co}]/u;
/** The end of a paragraph that ends with no sign of its own. */
const PARAGRAPHS = /(?<=[\p{L}\p{N}\p{M})\]"'])[ \t]*\n\s*\n\s*/gu;

/** The passage of a page that holds the most different words of a query; its description where none holds any. */
export function snippetOf(
  { body, description }: { readonly body: string; readonly description: string },
  words: readonly string[],
): string {
  const text = withWordBreaks(body.slice(0, LOOKED_AT));
  const found = placesOf(text, words);
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

type WordPlace = { readonly word: string; readonly at: number };

/** Where a text has the words as they are asked for, else in any form that folds into them, which takes ten times as long. */
function placesOf(text: string, words: readonly string[]): readonly WordPlace[] {
  if (words.length === 0) return [];
  const written = new RegExp(`(?:${words.join('|')})(?![\\p{L}\\p{M}\\p{N}\\p{Co}])`, 'giu');
  const found: WordPlace[] = [];
  for (const { 0: word, index: at } of text.matchAll(written)) {
    if (!LETTER.test(text.slice(Math.max(0, at - 1), at))) found.push({ word: word.toLowerCase(), at });
  }
  if (found.length > 0) return found;
  const asked = new Set(words);
  for (const match of text.matchAll(WORDS)) {
    const word = foldedOf(match[0]);
    if (asked.has(word)) found.push({ word, at: match.index });
  }
  return found;
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
