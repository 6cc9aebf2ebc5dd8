import { setImmediate as turn } from 'node:timers/promises';
import { collapseSpace } from '#extract/values/space.ts';
import { detectLanguage, detectLanguages } from './languages.ts';
import {
  findKeywords,
  foldText,
  insertWordBreaks,
  isKeyword,
  removeWordBreaks,
  splitWordsAtBreaks,
  buildFormFinder,
  buildPrefilter,
  countForms,
  type FindForms,
} from './words.ts';

/** Matches questions for a definition ("what is …", "… とは") in widespread languages. */
const DEFINITION_QUESTION =
  /^\P{L}*(?:wh(?:at|o)(?:['’]s|\s+(?:is|are|was|were))|wa[st]\s+(?:ist|sind|is|zijn)|wer\s+(?:ist|sind|war)|qu['’]est[-\s]ce\s+qu|qui\s+(?:est|sont)|qu[eé]\s+(?:es|son)|qui[eé]n(?:es)?\s+(?:es|son)|o\s+que\s+(?:é|são)|cos['’]?\s?(?:è|sono)|che\s+cos['’]?\s?(?:è|sono)|что\s+такое|кто\s+так|co\s+to\s+jest)(?!\p{L})|(?:とは|什么是|什麼是|是什么|是什麼|무엇입니까|nedir)/iu;

const toWordSet = (words: string): ReadonlySet<string> => new Set(words.split(' '));

/** Verbs that introduce a definition, without accents. */
const DEFINING_WORDS = toWordSet(
  'means refers denotes describes provides are were bedeutet bezeichnet sind waren designe signifie sont significa son sono sao zijn ' +
    'это является называется означает は 是 指',
);
/** Forms of "to be", which introduce a definition only before an article: "a mill is a …" but not "a mill is driven by …". */
const BE_FORMS = toWordSet('is was ist war est es era e');
const ARTICLES = toWordSet(
  'a an the one another any ein eine einer der die das un une le la les l una el il lo um uma o het een de',
);

/** A question with more keywords asks for more than a definition. */
const MAX_TERM_WORDS = 4;
/** Words allowed before the term, such as an article, and between the term and the verb, such as its full name. */
const MAX_WORDS_BEFORE = 2;
const MAX_WORDS_BETWEEN = 8;

/**
 * Builds a test for whether a sentence, given as words, defines the term that the prompt asks for. Always false if the
 * prompt does not ask for a definition. `keywords` are the keywords of the prompt.
 */
function buildDefinitionMatcher(
  prompt: string,
  { keywords, findForms }: { readonly keywords: readonly string[]; readonly findForms: FindForms },
): (sentence: readonly string[]) => boolean {
  if (keywords.length > MAX_TERM_WORDS || !DEFINITION_QUESTION.test(prompt)) return () => false;
  return (sentence) => {
    const begins = sentence.findIndex((word) => findForms(word).length > 0);
    if (begins < 0 || begins > MAX_WORDS_BEFORE) return false;
    const named = new Set<string>();
    let ends = begins;
    for (let at = begins; at < begins + 2 * MAX_TERM_WORDS && named.size < keywords.length; at += 1) {
      for (const word of findForms(sentence[at] ?? '')) {
        named.add(word);
        ends = at;
      }
    }
    const after = sentence.slice(ends + 1, ends + 1 + MAX_WORDS_BETWEEN);
    const isSaid = after.some(
      (word, at) => DEFINING_WORDS.has(word) || (BE_FORMS.has(word) && ARTICLES.has(after[at + 1] ?? '')),
    );
    return named.size === keywords.length && isSaid;
  };
}

/** A text to choose sentences from. */
type SentenceSource = { readonly text: string };

/** Which sentences may be chosen, and how many. */
export type SentenceLimits = {
  readonly minWords: number;
  readonly maxChars: number;
  readonly maxSentences: number;
  readonly maxPerSource: number;
  /** Maximum overlap of the new words of two chosen sentences, 0 to 1. */
  readonly maxOverlap: number;
  /** Whether sentences in other languages are only used if there is none in that of the prompt. */
  readonly prefersLanguage: boolean;
};

/** A sentence of a source with its score for a prompt. */
type ScoredSentence = {
  /** Index of the source in the given list. */
  readonly source: number;
  /** Approximate number of sentences of the source before it. */
  readonly at: number;
  readonly text: string;
  /** Keywords of the sentence that are not in the prompt. */
  readonly newWords: ReadonlySet<string>;
  readonly score: number;
};

/** Characters processed before yielding to the event loop: segmenting Japanese takes 1 ms for 1,500. */
const CHARS_AT_ONCE = 20_000;
/** Separates paragraphs and occurs in none of them. */
const PARAGRAPH_BREAK = '\n\n';
/** Sentences scored before yielding to the event loop, and the best ones that are compared with each other. */
const SCORED_AT_ONCE = 1000;
const MAX_RANKED = 1000;
const OPENING_WORDS = 4;
/** Minimum share of the best score: a sentence with just one of several keywords answers nothing. */
const MIN_SCORE_SHARE = 0.35;
/** Weights of sentences with 0, 1 or 2 new words: they add little to the question. */
const FEW_NEW_WORDS_WEIGHTS = [0.4, 0.6, 0.85] as const;
/** Weight of a sentence that refers to the previous one, which is hard to understand alone. */
const POINTING_WEIGHT = 0.6;
/** Weight of a defining sentence if the prompt asks for a definition. */
const DEFINITION_WEIGHT = 1.8;
const POINTING_WORDS = new Set(
  (
    'it its they them their this these those such he she his her but so however also otherwise thus therefore instead both ' +
    'es sie er dies diese dieser dieses aber il elle ils elles ce cette ces mais ella ellos esto esta este pero'
  ).split(' '),
);

/** Parameters of BM25 (Robertson and Zaragoza, 2009): saturation of term frequency, and weight of length. */
const K1 = 0.5;
const B = 0.6;

const segmenter = new Intl.Segmenter('und', { granularity: 'sentence' });

/**
 * The sentences that answer a prompt best, best first, without repetition.
 */
export async function chooseSentences(
  prompt: string,
  sources: readonly SentenceSource[],
  limits: SentenceLimits,
): Promise<readonly ScoredSentence[]> {
  const scored = await scoreSentences(prompt, sources, limits);
  const ranked = scored.toSorted((one, other) => other.score - one.score).slice(0, MAX_RANKED);
  const language = detectLanguage(prompt);
  if (language === null || !limits.prefersLanguage) return chooseDistinct(ranked, limits);
  const own = ranked.filter(({ text }) => {
    const languages = detectLanguages(text);
    return languages.length === 0 || languages.includes(language);
  });
  return chooseDistinct(own.length > 0 ? own : ranked, limits);
}

function chooseDistinct(
  ranked: readonly ScoredSentence[],
  { maxSentences, maxPerSource, maxOverlap }: SentenceLimits,
): readonly ScoredSentence[] {
  const chosen: ScoredSentence[] = [];
  const least = (ranked[0]?.score ?? 0) * MIN_SCORE_SHARE;
  for (const sentence of ranked) {
    if (chosen.length === maxSentences || sentence.score < least) break;
    const ofOne = chosen.filter(({ source }) => source === sentence.source).length;
    if (
      ofOne < maxPerSource &&
      chosen.every((one) => one.text !== sentence.text && computeOverlap(sentence.newWords, one.newWords) <= maxOverlap)
    ) {
      chosen.push(sentence);
    }
  }
  return chosen;
}

async function scoreSentences(
  prompt: string,
  sources: readonly SentenceSource[],
  limits: SentenceLimits,
): Promise<readonly ScoredSentence[]> {
  const keywords = findKeywords(prompt);
  const findForms = buildFormFinder(keywords);
  const mayContain = buildPrefilter(keywords);
  const isDefinition = buildDefinitionMatcher(prompt, { keywords, findForms });
  const all: MatchedSentence[] = [];
  let besides = 0;
  for (const [source, { text }] of sources.entries()) {
    const { sentences, others } = await readSentences(text, mayContain, limits);
    all.push(...sentences.map((one) => ({ ...one, source, counts: countForms(one.list, findForms) })));
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
    const newWords = new Set(list.filter((word) => isKeyword(word) && findForms(word).length === 0));
    // A sentence is about what it mentions first.
    const opens = list.slice(0, OPENING_WORDS).some((word) => findForms(word).length > 0) ? 1.3 : 1;
    const [first = ''] = list;
    // A sentence that begins in lower case continues a previous line, unless it begins with a keyword.
    const isCut = /^\p{Ll}/u.test(text) && findForms(first).length === 0;
    const stands = isCut || POINTING_WORDS.has(first) ? POINTING_WEIGHT : 1;
    const defines = isDefinition(list) ? DEFINITION_WEIGHT : 1;
    score *= weight * opens * stands * defines * (FEW_NEW_WORDS_WEIGHTS[newWords.size] ?? 1);
    // Prefer the beginning of a page, which is about its subject, and the first pages, which match best.
    scored.push({ source, at, text, newWords, score: score * (1 + 0.3 / (1 + at)) * (1 + 0.3 / (1 + source)) });
  }
  return scored;
}

type Sentence = {
  /** Approximate number of sentences of the page before it. */
  readonly at: number;
  readonly text: string;
  readonly list: readonly string[];
  /** Lower if the sentence is not prose, such as code or a table row. */
  readonly weight: number;
};

type MatchedSentence = Sentence & { readonly source: number; readonly counts: ReadonlyMap<string, number> };

/**
 * The sentences of all paragraphs that may contain a keyword, and the number of other paragraphs, which are not split into
 * sentences. A paragraph may span several lines.
 */
async function readSentences(
  text: string,
  mayContain: (folded: string) => boolean,
  { minWords, maxChars }: Pick<SentenceLimits, 'minWords' | 'maxChars'>,
): Promise<{ readonly sentences: readonly Sentence[]; readonly others: number }> {
  const sentences: Sentence[] = [];
  let others = 0;
  let block: string[] = [];
  let chars = 0;

  function readBlock(): void {
    for (const paragraph of insertWordBreaks(block.join(PARAGRAPH_BREAK)).split(PARAGRAPH_BREAK)) {
      for (const parted of splitSentences(paragraph, maxChars)) {
        const sentence = removeWordBreaks(parted);
        const list = sentence.length > maxChars ? [] : splitWordsAtBreaks(parted);
        if (list.length < minWords) continue;
        const weight = PROSE.test(sentence) ? 1 : 0.4;
        sentences.push({ at: others + sentences.length, text: sentence, list, weight });
      }
    }
    block = [];
    chars = 0;
  }

  for (const paragraph of text.split(/\n\s*\n|\n(?=\s*(?:[-*+•]|\d+[.)])\s)/)) {
    chars += paragraph.length;
    if (mayContain(foldText(paragraph))) block.push(collapseSpace(paragraph));
    else others += 1;
    if (chars > CHARS_AT_ONCE) {
      readBlock();
      await turn();
    }
  }
  readBlock();
  return { sentences, others };
}

/** Abbreviations, whose dot does not end a sentence. */
const ABBREVIATION =
  /(?:^|[\s(])(?:dr|mr|mrs|ms|prof|st|nr|no|fig|vs|cf|ca|approx|bzw|resp|sra?|[ei]\.[eg]|z\.\s?b|d\.\s?h|p\.\s?ej)\.$/i;

const ENDING_CHARS = 40;
const INITIAL = /\p{Lu}\p{L}+\.?\s\p{Lu}\.$/u;

const endsWithAbbreviation = (ending: string): boolean => ABBREVIATION.test(ending) || INITIAL.test(ending);

function splitSentences(paragraph: string, maxChars: number): readonly string[] {
  const parts: string[] = [];
  for (const { segment } of segmenter.segment(paragraph)) {
    const part = segment.trim();
    const last = parts.at(-1);
    // Do not append to a sentence that is already too long.
    if (last !== undefined && last.length <= maxChars && endsWithAbbreviation(last.slice(-ENDING_CHARS))) {
      parts[parts.length - 1] = `${last} ${part}`;
    } else parts.push(part);
  }
  return parts;
}

/** Begins and ends like a sentence. Two dots at the end are not an end mark but part of a token such as a commit range. */
const PROSE = /^["'“„«(]?[\p{L}\p{N}][^$=\\{}|]*(?<!\p{L}\.)[.!?…。！？]["'”»)]?$/u;

function computeOverlap(words: ReadonlySet<string>, others: ReadonlySet<string>): number {
  return (2 * words.intersection(others).size) / Math.max(1, words.size + others.size);
}
