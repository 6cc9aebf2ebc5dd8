import { z } from 'zod';
import { allowsWait } from '#access/budget.ts';
import { isErrorPage } from '#access/error-page.ts';
import type { Page, PageRequest } from '#access/page.ts';
import { defineOperation } from '#engine/operation.ts';
import type { Admission, AdmissionFacts } from '#engine/operation.ts';
import type { Mind } from '#engine/mind.ts';
import { askModel, MODEL_MEMBERS, passageFor } from '#engine/model-outputs.ts';
import type { Made, Wishes } from '#engine/model-outputs.ts';
import { CACHE_KEPT_MS } from '#engine/page-cache.ts';
import { PAGE_ERRORS } from '#engine/page-errors.ts';
import { ofErrorPage, PRICES, SURCHARGES, toUsage, withModel } from '#engine/prices.ts';
import type { ServedTier, Usage } from '#engine/prices.ts';
import { OUTPUTS } from '#extract/reading.ts';
import type { Reading, ReadRequest } from '#extract/reading.ts';
import { ServiceError } from '#kernel/errors.ts';
import { wholeNumber } from '#kernel/numbers.ts';
import { withoutModelFor } from '#llm/complete.ts';
import { withoutRepeats } from '#kernel/warnings.ts';
import type { Warning } from '#kernel/warnings.ts';
import { Attempts } from './attempts.ts';
import { FetchOutputs, FILE_MEMBERS, keepFiles, Screenshot, toFiles } from './fetch-files.ts';
import { needsBrowser, PAGE_FIELDS, toReadOptions, toVisit } from './page-fields.ts';
import { Metadata, PAGE_OUTPUTS, Warnings } from './page-outputs.ts';
import { PROXY_FIELDS, refuseBadProxy, toReach } from './reach.ts';

const FetchInput = z
  .strictObject({
    url: z.string().min(1).max(8192).describe('The http or https page to retrieve'),
    output: FetchOutputs,
    screenshot: Screenshot.optional(),
    ...PROXY_FIELDS,
    timeout_ms: wholeNumber(1000, 300_000)
      .optional()
      .describe(
        "Wall clock of the whole call in ms; default is the plan's inline limit, above it the call becomes a job",
      ),
    ...PAGE_FIELDS,
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

type FetchInput = z.output<typeof FetchInput>;

const FetchOutput = z.object({
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
});

export const fetchPage = defineOperation({
  id: 'fetch',
  route: 'POST /v1/fetch',
  summary: 'Retrieve one URL in the requested formats',
  plan: 'free',
  price: PRICES.fetch,
  errors: [...PAGE_ERRORS, 'extraction_failed'],
  input: FetchInput,
  output: FetchOutput,
  example: { url: 'https://example.com/', output: ['markdown', 'links'] },
  toText: onlyText,
  admit,
  queue: ({ timeout_ms: timeoutMs = 0 }, plan) => timeoutMs > plan.inline_timeout_ms,
  async run(input, { visit, read, keep, readTarget, mind }) {
    const { headers, cookies } = input;
    const wishes = { summary: input.output.includes('summary'), extract: input.extract ?? null };
    const passageChars = passageFor(mind, wishes);
    const request: PageRequest = { url: readTarget(input.url), headers, cookies, ...toVisit(input, toFiles(input)) };
    const early: Reading[] = [];
    const { page, tier, ageMs, attempts } = await visit(request, {
      maxAgeMs: input.max_age_ms,
      respectRobots: input.respect_robots,
      suffices: asksOnlyFields(input)
        ? async (shell) => {
            const reading = await read(toReadRequest(input, shell, passageChars)).catch(unlessUnmet);
            if (reading === null || !isWhole(reading.outputs.json)) return false;
            early.push(reading);
            return true;
          }
        : null,
    });
    const reading = early[0] ?? (await read(toReadRequest(input, page, passageChars)));
    const made = await makeOf(mind, { ...wishes, reading, url: page.url, tier, isError: isErrorPage(page) });
    return {
      tier,
      charge: { usage: made.usage, paid: 0 },
      body: {
        url: request.url.href,
        final_url: page.url,
        status_code: page.status,
        content_type: page.contentType,
        ...reading.outputs,
        ...made.members,
        ...(await keepFiles(input, page, keep)),
        metadata: reading.metadata,
        truncated: reading.truncated,
        ...(reading.nextOffset === null ? {} : { next_offset: reading.nextOffset }),
        cache: ageMs === null ? { hit: false } : { hit: true, age_ms: ageMs },
        attempts,
        warnings: [...page.warnings, ...withoutRepeats(page.warnings, [...reading.warnings, ...made.warnings])],
      },
    };
  },
});

type ReadPage = Wishes & {
  readonly reading: Reading;
  readonly url: string;
  readonly tier: ServedTier;
  /** An error page costs nothing, and no model is asked about it. */
  readonly isError: boolean;
};

/** What the model makes of a page, and the charge with it. */
async function makeOf(mind: Mind | null, page: ReadPage): Promise<Omit<Made, 'count'> & { readonly usage: Usage }> {
  const { reading, url, tier, summary, extract, isError } = page;
  const plain = isError ? ofErrorPage(tier) : toUsage(PRICES.fetch, tier);
  const { passage, metadata, outputs } = reading;
  if (mind === null || passage === null) return { members: {}, warnings: [], usage: plain };
  const { credits } = withModel(plain, PRICES.fetch, summary ? 2 : 1);
  const { title } = metadata;
  const { count, ...made } = await askModel(
    mind,
    {
      summary: summary && !isError,
      extract,
      url,
      title,
      passage,
      json: outputs.json ?? {},
      async afford() {
        if (isError) return 'and is not asked about an error page';
        return (await mind.afford(credits)) ? null : `for ${credits} credits in all, and max_credits is below`;
      },
    },
    mind.signal,
  );
  if (!isError || !summary) return { ...made, usage: withModel(plain, PRICES.fetch, count) };
  const members = { ...made.members, summary: '' };
  return { members, warnings: [...made.warnings, UNASKED], usage: plain };
}

const UNASKED: Warning = { code: 'model_refused', message: 'summary: no model is asked about an error page' };

function toReadRequest(input: FetchInput, { body, contentType, url }: Page, passageChars: number | null): ReadRequest {
  return {
    body,
    contentType,
    url,
    outputs: OUTPUTS.filter((name) => input.output.includes(name)),
    ...toReadOptions(input),
    passageChars,
  };
}

/** Whether the state that a page embeds may hold all that is asked for, and its text is not. */
function asksOnlyFields({ output }: FetchInput): boolean {
  return output.includes('json') && output.every((name) => name === 'json' || name === 'metadata');
}

function unlessUnmet(error: unknown): null {
  if (error instanceof ServiceError && error.code === 'extraction_failed') return null;
  throw error;
}

/** Whether each member that was asked for is there. */
function isWhole(json: Readonly<Record<string, unknown>> = {}): boolean {
  const members = Object.values(json);
  return members.length > 0 && members.every((one) => one !== null && !(Array.isArray(one) && one.length === 0));
}

function admit(input: FetchInput, { plan, readTarget, hasModel }: AdmissionFacts): Admission {
  readTarget(input.url);
  const summary = input.output.includes('summary');
  if (summary && !hasModel) throw withoutModelFor('output summary');
  const timeoutMs = input.timeout_ms ?? plan.inline_timeout_ms;
  if (!allowsWait(timeoutMs, input.wait_ms)) {
    throw new ServiceError('invalid_request', 'wait_ms: exceeds timeout_ms, which must leave a browser 4 s beside it');
  }
  const needs = { browser: needsBrowser(input, toFiles(input)), country: input.country !== undefined };
  const tiers = toReach(input, plan, needs);
  const first = tiers[0] ?? 'http';
  const besides = summary ? PRICES.fetch.perModelOutput : 0;
  const page = input.max_age_ms > 0 ? PRICES.fetch.cacheHit : PRICES.fetch.base + SURCHARGES[first];
  const cheapest = page + besides;
  const maxCredits = input.max_credits ?? null;
  if (maxCredits !== null && maxCredits < cheapest) {
    throw new ServiceError('invalid_request', `max_credits: the cheapest outcome of this call costs ${cheapest}`);
  }
  return { timeoutMs, tiers, cheapest, besides, maxCredits };
}

/** The one requested text format, when nothing else was asked for. */
function onlyText(body: Readonly<Record<string, unknown>>): string | null {
  if (body['screenshot'] !== undefined || body['pdf'] !== undefined) return null;
  const formats = [...OUTPUTS, 'summary' as const].filter((name) => name !== 'metadata' && body[name] !== undefined);
  const [format] = formats;
  const text = format === undefined ? undefined : body[format];
  return formats.length === 1 && typeof text === 'string' ? text : null;
}
