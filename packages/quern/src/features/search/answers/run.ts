import type { WorkCall } from '#engine/call/operation.ts';
import { shownNameOf } from '#features/search/searching.ts';
import type { AnswerSettings } from '#features/search/settings.ts';
import { countryOf } from '#features/search/country.ts';
import { toPlainAnswer } from './answer-backend.ts';
import { type AnsweringParts, answerPrompt, type WarnedAnswer } from './answering.ts';
import type { PromptInput } from './operations.ts';

/** What a surface does by itself: who answers there, and how the answer is shown. */
export type Surface<B> = {
  readonly settings: AnswerSettings | null;
  readonly toBody: (prompt: string, answer: WarnedAnswer) => B;
};

/** Answers a prompt of a surface. */
export async function runAnswer<B>(
  { prompt, geo, source_timeout_ms: sourceTimeoutMs }: PromptInput,
  { settings, toBody }: Surface<B>,
  call: WorkCall,
  parts: AnsweringParts,
) {
  const answer = await answerPrompt({ prompt, country: countryOf(geo, 'geo'), sourceTimeoutMs }, settings, call, parts);
  return { tier: 'http' as const, body: toBody(prompt, answer), source: answer.model };
}

/** An answer of `answerengine.prompt`. */
export function toEngineBody(prompt: string, { model, markdown, related, sources, warnings }: WarnedAnswer) {
  return {
    provider: 'answerengine' as const,
    prompt,
    model,
    answer_markdown: markdown,
    related_queries: related,
    sources: sources.map(({ url, title }) => ({ url, title, source: shownNameOf(url) })),
    warnings,
  };
}

/** Gives what shows an answer of an assistant. */
export function toAssistantBody<P extends string>(provider: P) {
  return (prompt: string, { model, markdown, sources, warnings }: WarnedAnswer) => ({
    provider,
    prompt,
    model,
    response_text: toPlainAnswer(markdown),
    markdown_text: markdown,
    citations: sources.map(({ url, title, description, cited }) => ({
      url,
      text: cited.join(' … '),
      title,
      description,
    })),
    warnings,
  });
}
