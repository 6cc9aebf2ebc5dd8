import { detectLanguage, getPrimarySubtag } from '#features/passages/languages.ts';
import { chooseSentences, type SentenceLimits } from '#features/passages/sentences.ts';
import { findKeywords } from '#features/passages/words.ts';
import { keepCitedSources, type SourcedAnswer } from './sourced-answer.ts';
import type { SourcePage } from './read-sources.ts';

export const EXTRACTIVE_MODEL = 'extractive-1';

const MAX_RELATED = 5;
/** The sentences of an answer. */
export const ANSWER_LIMITS: SentenceLimits = {
  minWords: 6,
  maxChars: 400,
  maxSentences: 6,
  maxPerSource: 3,
  maxOverlap: 0.6,
  prefersLanguage: true,
};
/** A leading chapter number. */
const CHAPTER_NUMBER = /^\d+(?:\.\d+)*\.?\s+/;
/** Characters that Markdown would interpret; an underscore inside a word needs no escaping. */
const MARKDOWN_SIGNS = /[\\`*[\]<>]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu;

/**
 * Answers without a model: quotes sentences of the pages, each with its source. Null if no sentence contains any of the
 * keywords.
 */
export async function answerFromSentences(
  prompt: string,
  sources: readonly SourcePage[],
): Promise<SourcedAnswer | null> {
  const chosen = await chooseSentences(prompt, sources, ANSWER_LIMITS);
  if (chosen.length === 0) return null;
  const lines = chosen.map(
    ({ text, source }) => `- ${text.replaceAll(MARKDOWN_SIGNS, String.raw`\$&`)} [${source + 1}]`,
  );
  return {
    model: EXTRACTIVE_MODEL,
    ...keepCitedSources(lines.join('\n'), sources),
    related: listRelatedQueries(prompt, sources),
  };
}

/** Suggests follow-up queries: titles of the pages without chapter number and site name. */
export function listRelatedQueries(prompt: string, sources: readonly SourcePage[]): readonly string[] {
  const keywords = new Set(findKeywords(prompt));
  const language = detectLanguage(prompt);
  const readable = sources.filter(
    (source) => language === null || [null, language].includes(getPrimarySubtag(source.language)),
  );
  const titles = readable.map(({ title }) =>
    (title.split(/\s[|–—-]\s/)[0] ?? title).replace(CHAPTER_NUMBER, '').trim(),
  );
  const suggestions = titles.filter((title) => {
    const words = findKeywords(title);
    return words.length > 1 && words.some((word) => !keywords.has(word));
  });
  return [...new Set(suggestions)].slice(0, MAX_RELATED);
}
