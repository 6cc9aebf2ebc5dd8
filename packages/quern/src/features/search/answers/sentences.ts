import { setImmediate as turn } from 'node:timers/promises';
import { collapseSpace } from '#extract/values/space.ts';
import { languageOf, languagesOf } from '#features/search/languages.ts';
import {
  foldedOf,
  isTellingWord,
  tellingWords,
  withoutWordBreaks,
  withWordBreaks,
  wordsOfParted,
} from '#features/search/words.ts';
import { readDefinitionQuestion } from './definitions.ts';
import { countForms, toForms, toPrefilter } from './word-forms.ts';
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

const MIN_WORDS = 6;
const MAX_CHARS = 400;
/** Characters of pages that are read without a pause: Japanese takes a millisecond for 1,500. */
const CHARS_AT_ONCE = 20_000;
/** Stands in no paragraph. */
const BETWEEN = '\n\n';
/** Sentences that are scored without a pause, and those of which the best are chosen. */
const SCORED_AT_ONCE = 1000;
const MAX_RANKED = 1000;
const MAX_SENTENCES = 6;
/** Sentences of one page that an answer takes at most. */
const MAX_OF_ONE = 3;
const OPENING_WORDS = 4;
/** Share of the best score that a sentence must have: one common word of several that are asked for answers nothing. */
const MIN_OF_BEST = 0.35;
/** Share of what a sentence says besides what is asked that another has said already. */
const MAX_REPEATED = 0.6;
/** A sentence that says few words besides what is asked hardly answers. */
const BY_FRESH = [0.4, 0.6, 0.85] as const;
/** A sentence that points at the one before it is not understood alone. */
const POINTING = 0.6;
/** Who asks what a thing is wants the sentence that says so. */
const DEFINING = 1.8;
const POINTERS = new Set(
  (
    'it its they them their this these those such he she his her but so however also otherwise thus therefore instead both ' +
    'es sie er dies diese dieser dieses aber il elle ils elles ce cette ces mais ella ellos esto esta este pero'
  ).split(' '),
);

/** BM25 (Robertson and Zaragoza, 2009): how soon a word's count tells no more, and how much length counts. */
const K1 = 0.5;
const B = 0.6;

const segmenter = new Intl.Segmenter('und', { granularity: 'sentence' });

/**
 * The sentences of sources that answer a prompt best, in the order of their rank; none says what another has said. Those in
 * another language than the prompt speak only where no other does.
 */
export async function chooseSentences(
  prompt: string,
  sources: readonly ReadSource[],
): Promise<readonly ScoredSentence[]> {
  const scored = await scoreAll(prompt, sources);
  const ranked = scored.toSorted((one, other) => other.score - one.score).slice(0, MAX_RANKED);
  const language = languageOf(prompt);
  if (language === null) return choose(ranked);
  const own = ranked.filter(({ text }) => {
    const said = languagesOf(text);
    return said.length === 0 || said.includes(language);
  });
  return choose(own.length > 0 ? own : ranked);
}

function choose(ranked: readonly ScoredSentence[]): readonly ScoredSentence[] {
  const chosen: ScoredSentence[] = [];
  const least = (ranked[0]?.score ?? 0) * MIN_OF_BEST;
  for (const sentence of ranked) {
    if (chosen.length === MAX_SENTENCES || sentence.score < least) break;
    const ofOne = chosen.filter(({ source }) => source === sentence.source).length;
    if (
      ofOne < MAX_OF_ONE &&
      chosen.every((one) => one.text !== sentence.text && overlapOf(sentence.fresh, one.fresh) <= MAX_REPEATED)
    ) {
      chosen.push(sentence);
    }
  }
  return chosen;
}

async function scoreAll(prompt: string, sources: readonly ReadSource[]): Promise<readonly ScoredSentence[]> {
  const asked = tellingWords(prompt);
  const formsOf = toForms(asked);
  const mayHold = toPrefilter(asked);
  const isDefinition = readDefinitionQuestion(prompt, { asked, formsOf });
  const all: HeldSentence[] = [];
  let besides = 0;
  for (const [source, { text }] of sources.entries()) {
    const { sentences, others } = await sentencesOf(text, mayHold);
    all.push(...sentences.map((one) => ({ ...one, source, counts: countForms(one.list, formsOf) })));
    besides += others;
  }
  const total = all.length + besides;
  const meanLength = all.reduce((sum, { list }) => sum + list.length, 0) / Math.max(1, all.length);
  const frequency = new Map<string, number>();
  for (const { counts } of all) {
    for (const word of counts.keys()) frequency.set(word, (frequency.get(word) ?? 0) + 1);
  }
  const scored: ScoredSentence[] = [];
  for (const [place, { source, at, text, list, weight, counts }] of all.entries()) {
    if (place % SCORED_AT_ONCE === SCORED_AT_ONCE - 1) await turn();
    if (counts.size === 0) continue;
    let score = 0;
    for (const [word, count] of counts) {
      const n = frequency.get(word) ?? 0;
      const rarity = Math.log(1 + (total - n + 0.5) / (n + 0.5));
      score += (rarity * count * (K1 + 1)) / (count + K1 * (1 - B + (B * list.length) / meanLength));
    }
    const fresh = new Set(list.filter((word) => isTellingWord(word) && formsOf(word).length === 0));
    // What a sentence names first it speaks of.
    const opens = list.slice(0, OPENING_WORDS).some((word) => formsOf(word).length > 0) ? 1.3 : 1;
    const [first = ''] = list;
    // One that begins small goes on from a line before it, unless what it names is written so.
    const isCut = /^\p{Ll}/u.test(text) && formsOf(first).length === 0;
    const stands = isCut || POINTERS.has(first) ? POINTING : 1;
    const defines = isDefinition(list) ? DEFINING : 1;
    score *= weight * opens * stands * defines * (BY_FRESH[fresh.size] ?? 1);
    // What a page says first it says of its subject, and the first pages fit best.
    scored.push({ source, text, fresh, score: score * (1 + 0.3 / (1 + at)) * (1 + 0.3 / (1 + source)) });
  }
  return scored;
}

type Sentence = {
  /** About how many sentences of its page stand before it. */
  readonly at: number;
  readonly text: string;
  readonly list: readonly string[];
  /** What is no prose counts less. */
  readonly weight: number;
};

type HeldSentence = Sentence & { readonly source: number; readonly counts: ReadonlyMap<string, number> };

/**
 * The sentences of the paragraphs of a page that may hold something of what is asked, and how many other paragraphs there are,
 * whose sentences are not told apart. A paragraph may be broken over lines.
 */
async function sentencesOf(
  text: string,
  mayHold: (folded: string) => boolean,
): Promise<{ readonly sentences: readonly Sentence[]; readonly others: number }> {
  const sentences: Sentence[] = [];
  let others = 0;
  let block: string[] = [];
  let chars = 0;

  function readBlock(): void {
    for (const paragraph of withWordBreaks(block.join(BETWEEN)).split(BETWEEN)) {
      for (const parted of partsOf(paragraph)) {
        const sentence = withoutWordBreaks(parted);
        const list = sentence.length > MAX_CHARS ? [] : wordsOfParted(parted);
        if (list.length < MIN_WORDS) continue;
        const weight = PROSE.test(sentence) ? 1 : 0.4;
        sentences.push({ at: others + sentences.length, text: sentence, list, weight });
      }
    }
    block = [];
    chars = 0;
  }

  for (const paragraph of text.split(/\n\s*\n|\n(?=\s*(?:[-*+•]|\d+[.)])\s)/)) {
    chars += paragraph.length;
    if (mayHold(foldedOf(paragraph))) block.push(collapseSpace(paragraph));
    else others += 1;
    if (chars > CHARS_AT_ONCE) {
      readBlock();
      await turn();
    }
  }
  readBlock();
  return { sentences, others };
}

/** The dot of these ends no sentence. */
const SHORTENED =
  /(?:^|[\s(])(?:dr|mr|mrs|ms|prof|st|nr|no|fig|vs|cf|ca|approx|bzw|resp|sra?|[ei]\.[eg]|z\.\s?b|d\.\s?h|p\.\s?ej)\.$/i;

const ENDING_CHARS = 40;
const INITIAL = /\p{Lu}\p{L}+\.?\s\p{Lu}\.$/u;

const isShortened = (ending: string): boolean => SHORTENED.test(ending) || INITIAL.test(ending);

function partsOf(paragraph: string): readonly string[] {
  const parts: string[] = [];
  for (const { segment } of segmenter.segment(paragraph)) {
    const part = segment.trim();
    const last = parts.at(-1);
    // A sentence that is too long already grows no further.
    if (last !== undefined && last.length <= MAX_CHARS && isShortened(last.slice(-ENDING_CHARS))) {
      parts[parts.length - 1] = `${last} ${part}`;
    } else parts.push(part);
  }
  return parts;
}

/** Begins like a sentence, and ends as one; two dots are part of what was cut there, such as a range of commits. */
const PROSE = /^["'“„«(]?[\p{L}\p{N}][^$=\\{}|]*(?<!\p{L}\.)[.!?…。！？]["'”»)]?$/u;

function overlapOf(words: ReadonlySet<string>, others: ReadonlySet<string>): number {
  return (2 * words.intersection(others).size) / Math.max(1, words.size + others.size);
}
