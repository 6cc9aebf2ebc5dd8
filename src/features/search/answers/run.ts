import type { WorkCall } from '#engine/call/operation.ts';
import type { Admission, AdmissionFacts } from '#engine/credits/admission.ts';
import { TIERS } from '#access/page.ts';
import { shownNameOf } from '#features/search/searching.ts';
import { plainOf } from '#features/search/index/page-text.ts';
import type { AnswerSettings } from '#features/search/settings.ts';
import { countryOf } from '#features/search/country.ts';
import { answerPrompt } from './answering.ts';
import type { AnsweringParts } from './answering.ts';
import { answerEngine } from './operations.ts';
import type { PromptInput } from './operations.ts';

/** The option gate of both surfaces; pages of an answer are read by the cheapest tier. */
export function admitPrompt({ timeout_ms: asked }: PromptInput, { plan }: AdmissionFacts): Admission {
  return {
    timeoutMs: asked ?? plan.inline_timeout_ms,
    tiers: TIERS.slice(0, 1),
    cheapest: answerEngine.price.base,
    maxCredits: null,
  };
}

/** Runs `answerengine.prompt`. */
export async function runAnswerEngine(
  { prompt, geo }: PromptInput,
  settings: AnswerSettings | null,
  call: WorkCall,
  parts: AnsweringParts,
) {
  const answer = await answerPrompt({ prompt, country: countryOf(geo) }, settings, call, parts);
  return {
    tier: 'http' as const,
    body: {
      provider: 'answerengine',
      prompt,
      model: answer.model,
      answer_markdown: answer.markdown,
      related_queries: answer.related,
      sources: answer.sources.map(({ url, title }) => ({ url, title, source: shownNameOf(url) })),
    },
  };
}

/** Runs `assistant.prompt`. */
export async function runAssistant(
  { prompt, geo }: PromptInput,
  settings: AnswerSettings | null,
  call: WorkCall,
  parts: AnsweringParts,
) {
  const answer = await answerPrompt({ prompt, country: countryOf(geo) }, settings, call, parts);
  return {
    tier: 'http' as const,
    body: {
      provider: 'assistant',
      prompt,
      model: answer.model,
      response_text: plainOf(answer.markdown).trim(),
      markdown_text: answer.markdown,
      citations: answer.sources.map(({ url, title, description, cited }) => ({
        url,
        text: cited.join(' … '),
        title,
        description,
      })),
    },
  };
}
