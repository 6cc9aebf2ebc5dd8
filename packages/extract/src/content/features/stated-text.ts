import { hashStep } from '#extract/html/name-table.ts';
import { lowerLetter } from './word-table.ts';

/** Characters of a stated text, and runs of words, that are compared. */
const MAX_LENGTH = 200_000;

/**
 * The text that a page's JSON-LD states as its article, as hashes of three words in a row; null when it states none. A
 * block whose runs are among them is content for sure.
 */
export function statedTextOf(jsonLd: string): ReadonlySet<number> | null {
  const at = /"(?:articleBody|reviewBody|text)"\s{0,20}:\s{0,20}"/.exec(jsonLd);
  if (at === null) return null;
  const start = at.index + at[0].length;
  let end = start;
  while (end < jsonLd.length && end - start < MAX_LENGTH && jsonLd.charCodeAt(end) !== 34) {
    end += jsonLd.charCodeAt(end) === 92 ? 2 : 1;
  }
  const text = jsonLd.slice(start, end).replace(/\\u[0-9a-f]{4}|\\[nrt]/gi, ' ');
  const runs = new Set(runsOf(text));
  return runs.size < 20 ? null : runs;
}

/** The share of a text's runs of three words that are stated. */
export function statedShare(stated: ReadonlySet<number>, text: string): number {
  const runs = runsOf(text);
  return runs.length === 0 ? 0 : runs.filter((run) => stated.has(run)).length / runs.length;
}

function runsOf(text: string): readonly number[] {
  const runs: number[] = [];
  let one = 0;
  let two = 0;
  let words = 0;
  for (let at = 0; at < text.length;) {
    const start = at;
    let word = 0;
    for (let width = widthOf(text, at); width > 0; width = widthOf(text, at)) {
      for (const end = at + width; at < end; at++) word = hashStep(word, lowerLetter(text.charCodeAt(at)));
    }
    if (at === start) at++;
    else {
      if (++words > 2) runs.push(hashStep(hashStep(one, two), word));
      one = two;
      two = word;
    }
  }
  return runs;
}

const LETTER = /[\p{L}\p{N}]/u;

/** How many codes the letter or digit at `at` takes, 0 for what is none: asked of a pattern only beyond ASCII. */
function widthOf(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code < 128) return ASCII_LETTERS[code] ?? 0;
  const letter = String.fromCodePoint(text.codePointAt(at) ?? 0);
  return LETTER.test(letter) ? letter.length : 0;
}

const ASCII_LETTERS = Uint8Array.from({ length: 128 }, (_, code) => Number(LETTER.test(String.fromCharCode(code))));
