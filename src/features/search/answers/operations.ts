import { z } from 'zod';
import { sealWork } from '#engine/call/operation.ts';
import type { Price } from '#engine/credits/prices.ts';
import { CALL_TIME, withOptions } from '#features/schema/parameters.ts';

const MOST_PROMPT = 8000;

const Members = z.strictObject({
  prompt: z.string().min(1).max(MOST_PROMPT).describe('The question'),
  geo: z.string().min(2).max(64).optional().describe('Country to ask from: ISO 3166-1 code or English name'),
  ...CALL_TIME,
});

export type PromptInput = z.output<typeof Members>;

const ALIASES = { geo: ['country', 'country_code', 'geo_location'] };

const { schema, read } = withOptions({ shape: {}, aliases: ALIASES, anyOf: [] }, Members);

export const readPrompt = read;

/** An answer costs the same whatever made it. */
const PRICE: Price = { base: 30, cacheHit: 30, perTier: false };

const COMMON = {
  plan: 'starter',
  price: PRICE,
  errors: ['backend_unavailable', 'not_found', 'timeout'],
  input: schema,
  list: null,
  isLongRunning: false,
  mayQueue: true,
  site: null,
  agent: { tool: null, isEndpoint: true },
} as const;

export const answerEngine = sealWork(
  {
    ...COMMON,
    id: 'answerengine.prompt',
    route: 'GET /v1/answerengine/prompt',
    summary: 'Answer a question from pages, with its sources',
    output: z.object({
      provider: z.literal('answerengine'),
      prompt: z.string(),
      model: z.string().describe('What wrote the answer; extractive-1 puts together sentences of the sources'),
      answer_markdown: z.string().describe('[1] names the first of the sources'),
      related_queries: z.array(z.string()).readonly(),
      sources: z
        .array(z.object({ url: z.string(), title: z.string(), source: z.string().describe('Name of the site') }))
        .readonly(),
    }),
    example: { prompt: 'How does a windmill turn into the wind?' },
  },
  read,
);

export const assistantPrompt = sealWork(
  {
    ...COMMON,
    id: 'assistant.prompt',
    route: 'GET /v1/assistant/prompt',
    summary: 'Answer a question as an assistant does, with citations',
    output: z.object({
      provider: z.literal('assistant'),
      prompt: z.string(),
      model: z.string().describe('What wrote the answer; extractive-1 puts together sentences of the sources'),
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
    }),
    example: { prompt: 'How does a windmill turn into the wind?' },
  },
  read,
);
