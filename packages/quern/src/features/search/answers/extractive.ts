import { citeOnly, type SourcedAnswer } from './answer-backend.ts';
import type { ReadSource } from './passages.ts';
import { languageOf, primaryOf } from '#features/search/languages.ts';
import { tellingWords } from '#features/search/words.ts';
import { chooseSentences } from './sentences.ts';

export const EXTRACTIVE = 'extractive-1';

const MAX_RELATED = 5;
/** The number of a chapter. */
const NUMBER = /^\d+(?:\.\d+)*\.?\s+/;
/** What Markdown would read as its own; a low line within a word is none of it. */
const SIGNS = /[\\`*[\]<>]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu;

/**
 * Answers without a model: sentences of the pages that were found, word for word, each with its source. Null where no
 * sentence holds anything of what is asked.
 */
export async function answerBySentences(prompt: string, sources: readonly ReadSource[]): Promise<SourcedAnswer | null> {
  const chosen = await chooseSentences(prompt, sources);
  if (chosen.length === 0) return null;
  const lines = chosen.map(({ text, source }) => `- ${text.replaceAll(SIGNS, String.raw`\$&`)} [${source + 1}]`);
  return { model: EXTRACTIVE, ...citeOnly(lines.join('\n'), sources), related: relatedTo(prompt, sources) };
}

/** What to ask next: the titles of pages that were found, without the number of a chapter and the name of their site. */
export function relatedTo(prompt: string, sources: readonly ReadSource[]): readonly string[] {
  const asked = new Set(tellingWords(prompt));
  const language = languageOf(prompt);
  const readable = sources.filter(
    (source) => language === null || [null, language].includes(primaryOf(source.language)),
  );
  const titles = readable.map(({ title }) => (title.split(/\s[|–—-]\s/)[0] ?? title).replace(NUMBER, '').trim());
  const fresh = titles.filter((title) => {
    const words = tellingWords(title);
    return words.length > 1 && words.some((word) => !asked.has(word));
  });
  return [...new Set(fresh)].slice(0, MAX_RELATED);
}
