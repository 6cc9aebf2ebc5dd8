import { z } from 'zod';
import type { PageRequest } from '#access/page.ts';
import { defineOperation } from '#engine/operation.ts';
import type { Admission, AdmissionFacts } from '#engine/operation.ts';
import { CACHE_KEPT_MS } from '#engine/page-cache.ts';
import { PRICES, SURCHARGES } from '#engine/prices.ts';
import { checkSelector } from '#extract/select/css.ts';
import { Extract } from '#extract/grammar.ts';
import { OUTPUTS } from '#extract/reading.ts';
import { ServiceError } from '#kernel/errors.ts';
import { wholeNumber } from '#kernel/numbers.ts';
import { WARNING_CODES } from '#kernel/warnings.ts';
import { Attempts } from './attempts.ts';
import { PROXY_MODES, toReach } from './reach.ts';
import { RequestCookies, RequestHeaders } from './request-options.ts';

const Selectors = z.array(z.string().min(1).max(1000).superRefine(refuseBadSelector)).max(50).default([]);

const FetchInput = z
  .strictObject({
    url: z.string().min(1).max(8192).describe('The http or https page to retrieve'),
    output: z
      .array(z.enum(OUTPUTS))
      .min(1)
      .refine((names) => new Set(names).size === names.length, 'must not name a format twice')
      .default(['markdown'])
      .describe('Formats to return'),
    proxy: z
      .enum(PROXY_MODES)
      .optional()
      .describe(
        'How far to escalate: basic never uses a proxy, auto climbs as needed (default on paid plans), stealth goes straight to the hardened browser',
      ),
    use_proxy: z.boolean().optional().meta({ deprecated: true, description: 'true means proxy stealth' }),
    timeout_ms: wholeNumber(1000, 300_000)
      .optional()
      .describe(
        "Wall clock of the whole call in ms; default is the plan's inline limit, above it the call becomes a job",
      ),
    only_main_content: z.boolean().default(true).describe('Leave navigation, footers and the like out of text formats'),
    include_selectors: Selectors.describe('CSS selectors of the only parts to keep'),
    exclude_selectors: Selectors.describe('CSS selectors of parts to leave out'),
    extract: Extract.optional().describe('What to pull out for output json'),
    headers: RequestHeaders.default({}).describe('Request headers; dropped on a redirect to another origin'),
    cookies: RequestCookies.default([]).describe('Request cookies; dropped on a redirect to another origin'),
    max_age_ms: wholeNumber(0, CACHE_KEPT_MS)
      .default(0)
      .describe('Accept a cached page at most this old; 0 is always fresh'),
    max_chars: wholeNumber(200).optional().describe('Slice of each text format, cut at block boundaries'),
    offset_chars: wholeNumber(0).default(0).describe('Where the slice starts: next_offset of the answer before'),
    max_credits: wholeNumber(1).optional().describe('Ceiling for what this call may cost'),
  })
  .superRefine((input, context) => {
    const refuse = (path: string, message: string): void => context.addIssue({ code: 'custom', path: [path], message });
    if (input.use_proxy === true && input.proxy !== undefined && input.proxy !== 'stealth') {
      refuse('use_proxy', `true means proxy stealth, and proxy is ${input.proxy}: send only one of them`);
    }
    const json = input.output.includes('json');
    if (json && input.extract === undefined) refuse('extract', 'output json needs it');
    if (!json && input.extract !== undefined) refuse('extract', 'add json to output to use it');
  });

type FetchInput = z.output<typeof FetchInput>;

const Metadata = z.object({
  title: z.string().nullable(),
  description: z.string().nullable(),
  language: z.string().nullable(),
  canonical_url: z.string().nullable(),
  image: z.string().nullable(),
  site_name: z.string().nullable(),
  author: z.string().nullable().describe('Names joined by a comma'),
  published_date: z.string().nullable().describe('The calendar day as the source writes it'),
  published_at: z.string().nullable().describe('The instant, where the source has one'),
  modified_at: z.string().nullable(),
  charset: z.string().nullable(),
  word_count: z.int(),
});

const FetchOutput = z.object({
  url: z.string(),
  final_url: z.string(),
  status_code: z.int(),
  content_type: z.string(),
  markdown: z.string().optional(),
  text: z.string().optional(),
  html: z.string().optional(),
  raw_html: z.string().optional(),
  links: z
    .array(
      z.object({
        url: z.string(),
        text: z.string(),
        rel: z.string().nullable(),
        internal: z.boolean(),
        nofollow: z.boolean(),
      }),
    )
    .readonly()
    .optional(),
  images: z
    .array(
      z.object({
        url: z.string(),
        alt: z.string().nullable(),
        width: z.number().nullable(),
        height: z.number().nullable(),
      }),
    )
    .readonly()
    .optional(),
  tables: z
    .array(
      z.object({
        caption: z.string().nullable(),
        headers: z.array(z.string()).readonly(),
        rows: z.array(z.array(z.string()).readonly()).readonly(),
      }),
    )
    .readonly()
    .optional(),
  structured_data: z
    .object({
      json_ld: z.array(z.unknown()).readonly(),
      microdata: z.array(z.unknown()).readonly(),
      rdfa: z.array(z.unknown()).readonly(),
      opengraph: z.record(z.string(), z.unknown()),
    })
    .optional(),
  json: z.record(z.string(), z.unknown()).optional(),
  metadata: Metadata,
  truncated: z.boolean(),
  next_offset: z.int().optional(),
  cache: z.object({ hit: z.boolean(), age_ms: z.int().optional() }),
  attempts: Attempts,
  warnings: z.array(z.object({ code: z.enum(WARNING_CODES), message: z.string() })).readonly(),
});

export const fetchPage = defineOperation({
  id: 'fetch',
  route: 'POST /v1/fetch',
  summary: 'Retrieve one URL in the requested formats',
  plan: 'free',
  price: PRICES.fetch,
  errors: [
    'free_plan_proxy_required',
    'extraction_failed',
    'target_blocked',
    'target_unreachable',
    'unusable_response',
    'content_too_large',
    'unsupported_content',
    'backend_unavailable',
    'timeout',
  ],
  input: FetchInput,
  output: FetchOutput,
  example: { url: 'https://example.com/', output: ['markdown', 'links'] },
  toText: onlyText,
  admit,
  queue: ({ timeout_ms: timeoutMs = 0 }, plan) => timeoutMs > plan.inline_timeout_ms,
  async run(input, { visit, read, readTarget }) {
    const request: PageRequest = { url: readTarget(input.url), headers: input.headers, cookies: input.cookies };
    const { page, tier, ageMs, attempts } = await visit(request, { maxAgeMs: input.max_age_ms });
    const reading = await read({
      body: page.body,
      contentType: page.contentType,
      url: page.url,
      outputs: input.output,
      onlyMainContent: input.only_main_content,
      includeSelectors: input.include_selectors,
      excludeSelectors: input.exclude_selectors,
      extract: input.extract ?? null,
      maxChars: input.max_chars ?? null,
      offsetChars: input.offset_chars,
    });
    return {
      tier,
      body: {
        url: input.url,
        final_url: page.url,
        status_code: page.status,
        content_type: page.contentType,
        ...reading.outputs,
        metadata: reading.metadata,
        truncated: reading.truncated,
        ...(reading.nextOffset === null ? {} : { next_offset: reading.nextOffset }),
        cache: ageMs === null ? { hit: false } : { hit: true, age_ms: ageMs },
        attempts,
        warnings: [...page.warnings, ...reading.warnings],
      },
    };
  },
});

function admit(input: FetchInput, { plan, readTarget }: AdmissionFacts): Admission {
  readTarget(input.url);
  const timeoutMs = input.timeout_ms ?? plan.inline_timeout_ms;
  const tiers = toReach(input.use_proxy === true ? 'stealth' : input.proxy, plan);
  const first = tiers[0] ?? 'http';
  const cheapest = input.max_age_ms > 0 ? PRICES.fetch.cacheHit : PRICES.fetch.base + SURCHARGES[first];
  const maxCredits = input.max_credits ?? null;
  if (maxCredits !== null && maxCredits < cheapest) {
    throw new ServiceError('invalid_request', `max_credits: the cheapest outcome of this call costs ${cheapest}`);
  }
  return { timeoutMs, tiers, cheapest, maxCredits };
}

/** The one requested text format, when nothing else was asked for. */
function onlyText(body: Readonly<Record<string, unknown>>): string | null {
  const formats = OUTPUTS.filter((name) => name !== 'metadata' && body[name] !== undefined);
  const [format] = formats;
  const text = format === undefined ? undefined : body[format];
  return formats.length === 1 && typeof text === 'string' ? text : null;
}

function refuseBadSelector(text: string, context: z.RefinementCtx<string>): void {
  const problem = checkSelector(text);
  if (problem !== null) context.addIssue({ code: 'custom', message: problem });
}
