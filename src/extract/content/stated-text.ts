import { hashStep } from '#extract/html/name-table.ts';
import { hashOf } from './word-table.ts';

/** Characters of a stated text, and runs of words, that are compared. */
const LONGEST = 200_000;

/**
 * The text that a page's JSON-LD states as its article, as hashes of three words in a row; null when it states none. A
 * block whose runs are among them is content for sure.
 */
export function statedTextOf(jsonLd: string): ReadonlySet<number> | null {
  const at = /"(?:articleBody|reviewBody|text)"\s{0,20}:\s{0,20}"/.exec(jsonLd);
  if (at === null) return null;
  const start = at.index + at[0].length;
  let end = start;
  while (end < jsonLd.length && end - start < LONGEST && jsonLd.charCodeAt(end) !== 34) {
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
  for (const [word] of text.matchAll(/[\p{L}\p{N}]+/gu)) {
    const hash = hashOf(word);
    if (++words > 2) runs.push(hashStep(hashStep(one, two), hash));
    one = two;
    two = hash;
  }
  return runs;
}
