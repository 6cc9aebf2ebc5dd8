import { z } from 'zod';
import { Extract } from '#extract/grammar.ts';
import { OUTPUTS } from '#extract/reading.ts';
import { checkSelector } from '#extract/select/css.ts';
import { wholeNumber } from '#kernel/numbers.ts';
import { RequestCookies, RequestHeaders } from './request-options.ts';

const Selectors = z.array(z.string().min(1).max(1000).superRefine(refuseBadSelector)).max(50).default([]);

export const PageOutput = z
  .array(z.enum(OUTPUTS))
  .min(1)
  .refine((names) => new Set(names).size === names.length, 'must not name a format twice')
  .default(['markdown'])
  .describe('Formats to return');

/** What a caller may say of how each page is asked for and read. */
export const PAGE_FIELDS = {
  only_main_content: z.boolean().default(true).describe('Leave navigation, footers and the like out of text formats'),
  include_selectors: Selectors.describe('CSS selectors of the only parts to keep'),
  exclude_selectors: Selectors.describe('CSS selectors of parts to leave out'),
  extract: Extract.optional().describe('What to pull out for output json'),
  headers: RequestHeaders.default({}).describe('Request headers; dropped on a redirect to another origin'),
  cookies: RequestCookies.default([]).describe('Request cookies; dropped on a redirect to another origin'),
  max_chars: wholeNumber(200).optional().describe('Slice of each text format, cut at block boundaries'),
  offset_chars: wholeNumber(0).default(0).describe('Where the slice starts: next_offset of the answer before'),
} as const;

function refuseBadSelector(text: string, context: z.RefinementCtx<string>): void {
  const problem = checkSelector(text);
  if (problem !== null) context.addIssue({ code: 'custom', message: problem });
}
