import { choosePassages, type PassagesOptions } from '#features/schema/passages-fields.ts';
import type { Warning } from '#kernel/warnings.ts';
import { chooseSentences, type SentenceLimits } from './sentences.ts';

/** Characters of a page that are searched: the same limit as in answers with sources. */
const MAX_TEXT_CHARS = 200_000;

/** More of the page than in an answer with sources, because one page is all there is. */
const LIMITS: SentenceLimits = {
  minWords: 3,
  maxChars: 1000,
  maxSentences: 50,
  maxPerSource: 50,
  maxOverlap: 1,
  // Short sentences give too little to tell their language.
  prefersLanguage: false,
};

/** Asks the parser for the text that passages are chosen from; empty if they are not requested. */
export function toTextOptions(input: Parameters<typeof choosePassages>[0]): { readonly plainTextChars?: number } {
  return choosePassages(input) === null ? {} : { plainTextChars: MAX_TEXT_CHARS };
}

/** The passages of a page, and what the response says about them. */
export type FoundPassages = {
  readonly list: readonly string[];
  /** Fields of the response. `answer` is null until a model answers. */
  readonly members: { readonly passages?: readonly string[]; readonly answer?: null };
  readonly warnings: readonly Warning[];
};

const NO_MODEL: Warning = {
  code: 'model_not_configured',
  message: 'passages.answer: the service has no language model; read the passages instead',
};

/**
 * Chooses the sentences of a page that match a query best, in the order of the page, with white space collapsed. Without
 * options there are none, and no fields.
 */
export async function findPassages(
  text: string,
  options: PassagesOptions | null,
  hasModel: boolean,
): Promise<FoundPassages> {
  if (options === null) return { list: [], members: {}, warnings: [] };
  const { query, max_chars: maxChars, answer } = options;
  let left = maxChars;
  const sentences = (await chooseSentences(query, [{ text }], LIMITS)).filter((sentence) => {
    const fits = sentence.text.length <= left;
    if (fits) left -= sentence.text.length;
    return fits;
  });
  const list = sentences.toSorted((one, other) => one.at - other.at).map((sentence) => sentence.text);
  return {
    list,
    members: { passages: list, ...(answer ? { answer: null } : {}) },
    warnings: answer && !hasModel ? [NO_MODEL] : [],
  };
}
