import { z } from 'zod';
import { declareWork } from '#engine/call/operation.ts';
import { PAGE_ERRORS, admitPage, PROXY_FIELDS, checkProxy } from '#features/schema/page-admission.ts';
import type { Admission, AdmissionFacts } from '#engine/credits/admission.ts';
import { PRICES } from '#engine/credits/prices.ts';
import { MAX_CACHE_AGE_MS } from '#engine/visits/page-cache.ts';
import { BLOCK_VERDICTS } from '#extract/content/rules/scored-page.ts';
import { wholeNumber } from '#extract/schema/whole-number.ts';
import { nameSchema } from '#extract/schema/names.ts';
import { Attempts, Warnings } from '#features/schema/page-outputs.ts';
import { needsBrowser, NO_FILES, PAGE_FIELDS, SESSION_FIELD } from '#features/schema/page-fields.ts';

const { headers, cookies, wait_for_selector, wait_ms, scroll, device, country, locale } = PAGE_FIELDS;

const ExplainInput = z
  .strictObject({
    url: z.string().min(1).max(8192).describe('The http or https page to explain'),
    extract: PAGE_FIELDS.extract.describe(
      'Fields to try: shows what their selectors match and what a fetch would return',
    ),
    ...PROXY_FIELDS,
    timeout_ms: wholeNumber(1)
      .optional()
      .describe('Total time limit in ms; the default is the inline limit of the plan'),
    headers,
    cookies,
    wait_for_selector,
    wait_ms,
    scroll,
    device,
    country,
    locale,
    ...SESSION_FIELD,
    max_age_ms: wholeNumber(0, MAX_CACHE_AGE_MS)
      .default(0)
      .describe('Maximum age of a cached page in ms; 0 always fetches'),
    respect_robots: z.boolean().default(false).describe('Obey robots.txt'),
    max_credits: wholeNumber(1).optional().describe('Most credits that this call may cost'),
  })
  .superRefine((input, context) => checkProxy(input, context));

export type ExplainInput = z.output<typeof ExplainInput>;

const Explanation = nameSchema(
  'Explanation',
  z.object({
    outcome: z
      .enum(['chosen', 'shell', 'whole'])
      .describe(
        'shell: the page is filled by scripts, so nothing is kept; whole: no main content was found, so everything is kept',
      ),
    kinds: z.record(z.string(), z.number()).describe('Likelihood of each kind of page, 0 to 1'),
    share: z.number().nullable().describe('Share of the likely main text that is kept'),
    threshold: z.number().describe('The score from which blocks are kept'),
    count: z.int().describe('Number of blocks of the page'),
    blocks: z
      .array(
        z.object({
          text: z.string(),
          words: z.int(),
          place: z.string().describe('The elements that contain it'),
          selector: z.string().nullable(),
          verdict: z.enum(BLOCK_VERDICTS),
          score: z.number(),
          because: z
            .object({ group: z.string(), otherwise: z.number() })
            .nullable()
            .describe('The most influential features, and the score without them'),
        }),
      )
      .readonly(),
    facts: z
      .array(
        z.object({
          fact: z.string(),
          value: z.string(),
          by: z.string(),
          place: z.string().nullable(),
          also: z.array(z.string()).readonly(),
        }),
      )
      .readonly()
      .describe('The source of each metadata field'),
  }),
);

const ExplainOutput = nameSchema(
  'ExplainedPage',
  z.object({
    url: z.string(),
    final_url: z.string(),
    status_code: z.int(),
    content_type: z.string(),
    title: z.string().nullable(),
    explanation: Explanation.nullable().describe('Null for a page without text, or with too much text'),
    picture: z.string().nullable().describe('The explanation as a self-contained HTML page without scripts'),
    elements: z
      .array(
        z.object({
          selector: z.string().nullable().describe('Selects only this element'),
          similar: z.string().nullable().describe('Selects it and similar elements'),
          matches: z.int().describe('Number of elements matched by similar'),
          tag: z.string(),
          text: z.string(),
          depth: z.int(),
        }),
      )
      .readonly()
      .describe('The first 2,000 visible elements with their own text, in document order'),
    fields: z
      .record(
        z.string(),
        z.object({
          matches: z.int().nullable().describe('Null for a field without a selector'),
          values: z.array(z.string()).readonly().describe('Texts of the first 20 matches'),
          value: z.unknown().describe('What a fetch with this extract returns'),
        }),
      )
      .describe('By field name of extract'),
    cache: z.object({ hit: z.boolean(), age_ms: z.int().optional() }),
    attempts: Attempts,
    warnings: Warnings,
  }),
);

export const explain = declareWork({
  id: 'explain',
  clientName: 'explainPage',
  route: 'POST /v1/explain',
  summary:
    'Explain how a page is parsed: which parts are main content and why, what can be selected, and the values of fields',
  plan: 'free',
  price: PRICES.explain,
  errors: [...PAGE_ERRORS, 'extraction_failed'],
  input: ExplainInput,
  output: ExplainOutput,
  example: { url: 'https://example.com/', extract: { price: { selector: '.price', type: 'money' } } },
  agent: { tool: null },
  canQueue: true,
});

/** Admits an explanation. Throws `ServiceError`. */
export function admitExplain(input: ExplainInput, facts: AdmissionFacts): Admission {
  return admitPage(input, facts, { besides: 0, browser: needsBrowser(input, NO_FILES) });
}
