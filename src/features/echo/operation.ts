import { z } from 'zod';
import { declareWork } from '#engine/call/operation.ts';

export const echo = declareWork({
  id: 'echo',
  route: 'POST /v1/echo',
  summary: 'Say again what was said',
  errors: [],
  plan: 'free',
  price: { base: 0, cacheHit: 0, perTier: false },
  input: z.strictObject({ text: z.string().min(1).max(1000).describe('Said again') }),
  output: z.object({ text: z.string(), heard: z.int().describe('How many texts were heard since the start') }),
  example: { text: 'mill' },
  admit: () => ({ timeoutMs: 1000, tiers: ['http'], cheapest: 0, maxCredits: null }),
});
