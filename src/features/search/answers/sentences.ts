import { collapseSpace } from '#extract/values/space.ts';
import { isTellingWord, wordsIn } from '#features/search/words.ts';
import type { ReadSource } from './passages.ts';

/** A sentence of a source, and how well it fits what is asked. */
export type ScoredSentence = {
  /** Place of the source in the list that was given. */
  readonly source: number;
  readonly text: string;
  /** The telling words that were not asked for. */
  readonly fresh: ReadonlySet<string>;
  readonly score: number;
};

const SHORTEST_WORDS = 6;
const LONGEST_CHARS = 400;
const MOST_SENTENCES = 6;
/** Sentences of one page that an answer takes at most. */
const MOST_OF_ONE = 3;
const OPENING_WORDS = 4;
/** Share of the best score that a sentence must have: one common word of several that are asked for answers nothing. */
const LEAST_OF_BEST = 0.35;
/** Share of what a sentence says besides what is asked that another has said already. */
const MOST_REPEATED = 0.6;
/** A sentence that says few words besides what is asked hardly answers. */
const BY_FRESH = [0.4, 0.6, 0.85] as const;
/** A sentence that points at the one before it is not understood alone. */
const POINTING = 0.6;
const POINTERS = new Set(
  (
    'it its they them their this these those such he she his her but so however also otherwise thus therefore instead both ' +
    'es sie er dies diese dieser dieses aber il elle ils elles ce cette ces mais ella ellos esto esta este pero'
  ).split(' '),
);

/** Letters that two forms of a word share at least, and the most that one may add. */
const STEM = 4;
const ENDING = 3;

/** BM25 (Robertson and Zaragoza, 2009): how soon a word's count tells no more, and how much length counts. */
const K1 = 0.5;
const B = 0.6;

const segmenter = new Intl.Segmenter('und', { granularity: 'sentence' });

/** The sentences of sources that answer best, in the order of their rank; none says what another has said. */
export function chooseSentences(asked: readonly string[], sources: readonly ReadSource[]): readonly ScoredSentence[] {
  const ranked = scoreAll(asked, sources).toSorted((one, other) => other.score - one.score);
  const chosen: ScoredSentence[] = [];
  const least = (ranked[0]?.score ?? 0) * LEAST_OF_BEST;
  for (const sentence of ranked) {
    if (chosen.length === MOST_SENTENCES || sentence.score < least) break;
    const ofOne = chosen.filter(({ source }) => source === sentence.source).length;
    if (
      ofOne < MOST_OF_ONE &&
      chosen.every((one) => one.text !== sentence.text && overlapOf(sentence.fresh, one.fresh) <= MOST_REPEATED)
    ) {
      chosen.push(sentence);
    }
  }
  return chosen;
}

function scoreAll(asked: readonly string[], sources: readonly ReadSource[]): readonly ScoredSentence[] {
  const formsOf = toForms(asked);
  const all = sources.flatMap(({ text }, source) =>
    sentencesOf(text).map((one, at) => ({ source, at, ...one, counts: countForms(one.list, formsOf) })),
  );
  const meanLength = all.reduce((sum, { list }) => sum + list.length, 0) / Math.max(1, all.length);
  const frequency = new Map<string, number>();
  for (const { counts } of all) {
    for (const word of counts.keys()) frequency.set(word, (frequency.get(word) ?? 0) + 1);
  }
  return all.flatMap(({ source, at, text, list, weight, counts }) => {
    if (counts.size === 0) return [];
    let score = 0;
    for (const [word, count] of counts) {
      const n = frequency.get(word) ?? 0;
      const rarity = Math.log(1 + (all.length - n + 0.5) / (n + 0.5));
      score += (rarity * count * (K1 + 1)) / (count + K1 * (1 - B + (B * list.length) / meanLength));
    }
    const fresh = new Set(list.filter((word) => isTellingWord(word) && formsOf(word).length === 0));
    // What a sentence names first it speaks of.
    const opens = list.slice(0, OPENING_WORDS).some((word) => formsOf(word).length > 0) ? 1.3 : 1;
    const [first = ''] = list;
    // One that begins small goes on from a line before it, unless what it names is written so.
    const isCut = /^\p{Ll}/u.test(text) && formsOf(first).length === 0;
    const stands = isCut || POINTERS.has(first) ? POINTING : 1;
    score *= weight * opens * stands * (BY_FRESH[fresh.size] ?? 1);
    // What a page says first it says of its subject, and the first pages fit best.
    return [{ source, text, fresh, score: score * (1 + 0.3 / (1 + at)) * (1 + 0.3 / (1 + source)) }];
  });
}

/** The asked words that a word of a text is a form of. */
type FormsOf = (word: string) => readonly string[];

/** How often each asked word is in a sentence, in any form. */
function countForms(list: readonly string[], formsOf: FormsOf): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const word of list) {
    for (const asked of formsOf(word)) counts.set(asked, (counts.get(asked) ?? 0) + 1);
  }
  return counts;
}

/** Looks words up by their beginning: a prompt may ask for a thousand, and pages have hundreds of thousands. */
function toForms(asked: readonly string[]): FormsOf {
  const byStem = Map.groupBy(asked, (word) => word.slice(0, STEM));
  const known = new Map<string, readonly string[]>();
  return (word) => {
    const before = known.get(word);
    if (before !== undefined) return before;
    const forms = (byStem.get(word.slice(0, STEM)) ?? []).filter((one) => isForm(one, word));
    known.set(word, forms);
    return forms;
  };
}

/** Whether two words are forms of one: "stop" and "stopped", "Mühle" and "Mühlen". */
function isForm(word: string, other: string): boolean {
  const [short, long] = word.length < other.length ? [word, other] : [other, word];
  return long === short || (short.length >= STEM && long.length - short.length <= ENDING && long.startsWith(short));
}

/** The sentences of a page; a paragraph may be broken over lines, and what is no prose counts less. */
function sentencesOf(text: string) {
  const paragraphs = text.split(/\n\s*\n|\n(?=\s*(?:[-*+•]|\d+[.)])\s)/);
  const all = paragraphs.flatMap((paragraph) => [...segmenter.segment(collapseSpace(paragraph))]);
  return all.flatMap(({ segment }) => {
    const sentence = segment.trim();
    const list = wordsIn(sentence);
    if (list.length < SHORTEST_WORDS || sentence.length > LONGEST_CHARS) return [];
    return [{ text: sentence, list, weight: PROSE.test(sentence) ? 1 : 0.4 }];
  });
}

/** Begins like a sentence, and ends as one; two dots are part of what was cut there, such as a range of commits. */
const PROSE = /^["'“„«(]?[\p{L}\p{N}][^$=\\{}|]*(?<!\p{L}\.)[.!?…。！？]["'”»)]?$/u;

function overlapOf(words: ReadonlySet<string>, others: ReadonlySet<string>): number {
  return (2 * words.intersection(others).size) / Math.max(1, words.size + others.size);
}
