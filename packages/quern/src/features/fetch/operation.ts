import { z } from 'zod';
import { declareWork } from '#engine/call/operation.ts';
import type { Admission, AdmissionFacts } from '#engine/credits/admission.ts';
import { MODEL_MEMBERS } from '#engine/call/model-outputs.ts';
import { CACHE_KEPT_MS } from '#engine/visits/page-cache.ts';
import { PAGE_ERRORS } from '#engine/call/page-errors.ts';
import { PRICES } from '#engine/credits/prices.ts';
import { wholeNumber } from '#extract/schema/whole-number.ts';
import { withoutModelFor } from '#llm/complete.ts';
import { Attempts } from '#features/schema/attempts.ts';
import { FetchOutputs, FILE_MEMBERS, Screenshot, toFiles } from '#features/schema/page-files.ts';
import { needsBrowser, PAGE_FIELDS, SESSION_FIELD } from '#features/schema/page-fields.ts';
import { Metadata, PAGE_OUTPUTS, Warnings } from '#features/schema/page-outputs.ts';
import { admitPage } from '#features/schema/page-admission.ts';
import { PROXY_FIELDS, refuseBadProxy } from '#features/schema/reach.ts';
import { FETCH_VIEW } from './command-view.ts';
import { FETCH_TOOL } from './tool-view.ts';
import { named } from '#extract/schema/names.ts';

const FetchInput = z
  .strictObject({
    url: z.string().min(1).max(8192).describe('The http or https page to retrieve'),
    output: FetchOutputs,
    screenshot: Screenshot.optional(),
    ...PROXY_FIELDS,
    timeout_ms: wholeNumber(1)
      .optional()
      .describe('Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job'),
    ...PAGE_FIELDS,
    ...SESSION_FIELD,
    max_age_ms: wholeNumber(0, CACHE_KEPT_MS)
      .default(0)
      .describe('Accept a cached page at most this old; 0 is always fresh'),
    respect_robots: z
      .boolean()
      .default(false)
      .describe('Obey robots.txt: an address that it forbids, also one that a redirect leads to, is target_blocked'),
    max_credits: wholeNumber(1).optional().describe('Ceiling for what this call may cost'),
  })
  .superRefine((input, context) => {
    const refuse = (path: string, message: string): void => context.addIssue({ code: 'custom', path: [path], message });
    refuseBadProxy(input, context);
    const json = input.output.includes('json');
    if (json && input.extract === undefined) refuse('extract', 'output json needs it');
    if (!json && input.extract !== undefined) refuse('extract', 'add json to output to use it');
    const { screenshot, pdf } = toFiles(input);
    if (screenshot === null && input.screenshot !== undefined) {
      refuse('screenshot', 'add screenshot to output to use it');
    }
    if ((screenshot !== null || pdf) && input.max_age_ms > 0) {
      refuse('max_age_ms', 'screenshots and PDFs are always made anew: leave it out');
    }
  });

export type FetchInput = z.output<typeof FetchInput>;

const FetchOutput = named(
  'Page',
  z.object({
    url: z.string(),
    final_url: z.string(),
    status_code: z.int(),
    content_type: z.string(),
    ...PAGE_OUTPUTS,
    ...FILE_MEMBERS,
    ...MODEL_MEMBERS,
    metadata: Metadata,
    truncated: z.boolean(),
    next_offset: z.int().optional(),
    cache: z.object({ hit: z.boolean(), age_ms: z.int().optional() }),
    attempts: Attempts,
    warnings: Warnings,
  }),
);

export const fetchPage = declareWork({
  id: 'fetch',
  route: 'POST /v1/fetch',
  summary: 'Retrieve one URL in the requested formats',
  plan: 'free',
  price: PRICES.fetch,
  errors: [...PAGE_ERRORS, 'extraction_failed'],
  input: FetchInput,
  output: FetchOutput,
  example: { url: 'https://example.com/', output: ['markdown', 'links'] },
  view: FETCH_VIEW,
  agent: FETCH_TOOL,
  admit,
  queue: ({ timeout_ms: timeoutMs = 0 }, plan) => timeoutMs > plan.inline_timeout_ms,
});

function admit(input: FetchInput, facts: AdmissionFacts): Admission {
  const summary = input.output.includes('summary');
  const besides = summary ? PRICES.fetch.perModelOutput : 0;
  facts.readTarget(input.url);
  if (summary && !facts.hasModel) throw withoutModelFor('output summary');
  return admitPage(input, facts, { besides, browser: needsBrowser(input, toFiles(input)) });
}
