import { z } from 'zod';
import { declareWork } from '#engine/call/operation.ts';
import type { Price } from '#engine/credits/prices.ts';
import { CALL_TIME } from '#features/schema/parameters.ts';
import { Warnings } from '#features/schema/page-outputs.ts';
import { wholeNumber } from '#extract/schema/whole-number.ts';
import { admitsWithin } from '#features/search/admission.ts';

const MAX_PROMPT = 8000;

const PromptInput = z.strictObject({
  prompt: z
    .string()
    .min(1)
    // As JSON Schema counts: a character beyond U+FFFF is one, and not its two halves.
    .refine((text) => Array.from(text).length <= MAX_PROMPT, `must have at most ${MAX_PROMPT} characters`)
    .meta({ maxLength: MAX_PROMPT })
    .describe('The question'),
  geo: z.string().min(2).max(64).optional().describe('Country to ask from: ISO 3166-1 code or English name'),
  ...CALL_TIME,
  source_timeout_ms: wholeNumber(100, 60_000)
    .default(8000)
    .describe('Time that one source may take; the answer goes on without one that is late, and warnings has it'),
});

export type PromptInput = z.output<typeof PromptInput>;

/** An answer costs the same whatever made it. */
const PRICE: Price = { base: 30, cacheHit: 30, perTier: false };

const COMMON = {
  plan: 'starter',
  price: PRICE,
  errors: ['backend_unavailable', 'not_found', 'timeout'],
  input: PromptInput,
  aliases: { geo: ['country', 'country_code', 'geo_location'] },
  example: { prompt: 'How does a windmill turn into the wind?' },
  agent: { tool: null, isEndpoint: true },
  ...admitsWithin(PRICE),
} as const;

const MEMBERS = {
  prompt: z.string(),
  warnings: Warnings.describe('The pages that were left out, and why'),
  model: z.string().describe('What wrote the answer; extractive-1 puts together sentences of the sources'),
};

export const answerEngine = declareWork({
  ...COMMON,
  id: 'answerengine.prompt',
  route: 'GET /v1/answerengine/prompt',
  summary: 'Answer a question from pages, with its sources',
  output: z.object({
    provider: z.literal('answerengine'),
    ...MEMBERS,
    answer_markdown: z.string().describe('[1] names the first of the sources'),
    related_queries: z.array(z.string()).readonly(),
    sources: z
      .array(z.object({ url: z.string(), title: z.string(), source: z.string().describe('Name of the site') }))
      .readonly(),
  }),
});

const ASSISTANT_MEMBERS = {
  ...MEMBERS,
  response_text: z.string().describe('The answer without Markdown'),
  markdown_text: z.string().describe('[1] names the first of the citations'),
  citations: z
    .array(
      z.object({
        url: z.string(),
        text: z.string().describe('The passage of the answer that the page supports'),
        title: z.string(),
        description: z.string(),
      }),
    )
    .readonly(),
};

export const assistantPrompt = declareWork({
  ...COMMON,
  id: 'assistant.prompt',
  route: 'GET /v1/assistant/prompt',
  summary: 'Answer a question as an assistant does, with citations',
  output: z.object({ provider: z.literal('assistant'), ...ASSISTANT_MEMBERS }),
});

export const chatAssistantPrompt = declareWork({
  ...COMMON,
  id: 'chatassistant.prompt',
  route: 'GET /v1/chatassistant/prompt',
  summary: 'Answer a question as assistant.prompt does, by a model of its own',
  output: z.object({ provider: z.literal('chatassistant'), ...ASSISTANT_MEMBERS }),
});
