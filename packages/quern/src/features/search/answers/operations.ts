import { z } from 'zod';
import { declareWork } from '#engine/call/operation.ts';
import type { Price } from '#engine/credits/prices.ts';
import { TIMEOUT_FIELD } from '#features/schema/parameters.ts';
import { Warnings } from '#features/schema/page-outputs.ts';
import { wholeNumber } from '#extract/schema/whole-number.ts';

const MAX_PROMPT_CHARS = 8000;

const PromptInput = z.strictObject({
  prompt: z
    .string()
    .min(1)
    // JSON Schema counts code points; `length` would count surrogate pairs twice.
    .refine((text) => Array.from(text).length <= MAX_PROMPT_CHARS, `must have at most ${MAX_PROMPT_CHARS} characters`)
    .meta({ maxLength: MAX_PROMPT_CHARS })
    .describe('The question'),
  geo: z.string().min(2).max(64).optional().describe('Country of the person asking: ISO 3166-1 code or English name'),
  ...TIMEOUT_FIELD,
  source_timeout_ms: wholeNumber(100, 60_000)
    .default(8000)
    .describe('Time limit per source in ms; a slower source is skipped and listed in warnings'),
});

export type PromptInput = z.output<typeof PromptInput>;

/** An answer costs the same whichever driver made it. */
const PRICE: Price = { base: 30, cacheHit: 30, perTier: false };

const COMMON_DECLARATION = {
  plan: 'starter',
  price: PRICE,
  errors: ['backend_unavailable', 'not_found', 'timeout'],
  input: PromptInput,
  aliases: { geo: ['country', 'country_code', 'geo_location'] },
  example: { prompt: 'How does a windmill turn into the wind?' },
  agent: { tool: null, isEndpoint: true },
  canQueue: true,
} as const;

const COMMON_FIELDS = {
  prompt: z.string(),
  warnings: Warnings.describe('Pages that were skipped, with the reason'),
  model: z
    .string()
    .describe('Model that wrote the answer; extractive-1 quotes sentences of the sources without a model'),
};

export const answerEngine = declareWork({
  ...COMMON_DECLARATION,
  id: 'answerengine.prompt',
  route: 'GET /v1/answerengine/prompt',
  summary: 'Answer a question from web pages, with sources',
  output: z.object({
    provider: z.literal('answerengine'),
    ...COMMON_FIELDS,
    answer_markdown: z.string().describe('Markers such as [1] refer to sources, counted from 1'),
    related_queries: z.array(z.string()).readonly(),
    sources: z
      .array(
        z.object({ url: z.string(), title: z.string(), source: z.string().describe('Registrable domain of the page') }),
      )
      .readonly(),
  }),
});

const ASSISTANT_FIELDS = {
  ...COMMON_FIELDS,
  response_text: z.string().describe('The answer without Markdown'),
  markdown_text: z.string().describe('Markers such as [1] refer to citations, counted from 1'),
  citations: z
    .array(
      z.object({
        url: z.string(),
        text: z.string().describe('Passage of the answer that cites the page'),
        title: z.string(),
        description: z.string(),
      }),
    )
    .readonly(),
};

export const assistantPrompt = declareWork({
  ...COMMON_DECLARATION,
  id: 'assistant.prompt',
  route: 'GET /v1/assistant/prompt',
  summary: 'Answer a question like an assistant, with citations',
  output: z.object({ provider: z.literal('assistant'), ...ASSISTANT_FIELDS }),
});

export const chatAssistantPrompt = declareWork({
  ...COMMON_DECLARATION,
  id: 'chatassistant.prompt',
  route: 'GET /v1/chatassistant/prompt',
  summary: 'Answer a question like assistant.prompt, with a separately configured model',
  output: z.object({ provider: z.literal('chatassistant'), ...ASSISTANT_FIELDS }),
});
