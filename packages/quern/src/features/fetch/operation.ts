import { z } from 'zod';
import type { CommandView } from '#engine/call/command-view.ts';
import { MODEL_MEMBERS } from '#engine/call/model-outputs.ts';
import { declareWork } from '#engine/call/operation.ts';
import { PAGE_ERRORS } from '#engine/call/page-errors.ts';
import { READS_WEB, type ToolView } from '#engine/call/tool-view.ts';
import type { Admission, AdmissionFacts } from '#engine/credits/admission.ts';
import { PRICES } from '#engine/credits/prices.ts';
import { MAX_CACHE_AGE_MS } from '#engine/visits/page-cache.ts';
import { OUTPUTS } from '#extract/reading.ts';
import { named } from '#extract/schema/names.ts';
import { wholeNumber } from '#extract/schema/whole-number.ts';
import { isJsonObject, type JsonObject } from '#extract/values/json-object.ts';
import { needsBrowser, PAGE_FIELDS, SESSION_FIELD } from '#features/schema/page-fields.ts';
import { FetchOutputs, FILE_MEMBERS, FILES, Screenshot, chooseFiles } from '#features/schema/page-files.ts';
import { Attempts, Metadata, PAGE_OUTPUTS, Warnings } from '#features/schema/page-outputs.ts';
import { admitPage, PROXY_FIELDS, refuseBadProxy } from '#features/schema/reach.ts';
import { toAgentPage, withJson } from '#features/schema/shown-page.ts';
import { withoutModelFor } from '#llm/complete.ts';

/** How old a page may be from which an answer is read on. */
const MAX_CONTINUATION_AGE_MS = 3_600_000;

/** The tool that reads a page; with `extract` it answers the fields alone unless other formats are named. */
const FETCH_TOOL: ToolView = {
  tool: {
    name: 'fetch',
    title: 'Fetch a page',
    task: 'one page or document, or fields of it',
    about:
      'Use this to read one web page, PDF or Office document as Markdown, or to get named fields of it with extract. A page that needs a browser gets one. Long pages come in parts: call again with the offset that the answer names.',
    hints: READS_WEB,
  },
  members: {
    url: 'The page',
    output: 'What to answer; default markdown. links, images, tables, screenshot and others',
    extract:
      'Fields to get as JSON: {"price": "money", "title": {"selector": "h1", "type": "string"}}. Types: string, integer, number, boolean, money, date, datetime, url, html, each also as T[]; or a JSON Schema',
    only_main_content: 'false keeps navigation and footers too',
    proxy: 'stealth goes straight to the hardened browser, for sites that block',
    max_age_ms: 'Accept a cached page at most this old',
    session: 'Name of a session; a login by interact in it lasts',
  },
  facts: { url: 'string', title: 'string', status_code: 'integer' },
  toInput: (given) => (given['extract'] === undefined ? given : { ...given, output: withJson(given['output'], []) }),
  toReadOn: excludeFiles,
  toShown: toAgentPage,
};

/** The same page from the cache, which has no files. */
function excludeFiles(input: JsonObject): JsonObject {
  const { output } = input;
  const files: readonly unknown[] = FILES;
  const rest = Array.isArray(output) ? output.filter((name) => !files.includes(name)) : output;
  return { max_age_ms: MAX_CONTINUATION_AGE_MS, ...input, ...(rest === undefined ? {} : { output: rest }) };
}

/** `quern fetch`: the text alone where only one was requested, and `--fail` for error pages. */
const FETCH_VIEW: CommandView = {
  toText: findOnlyText,
  refusal: {
    flag: 'fail',
    about: 'Print nothing and end with exit code 22 where the target answered with an error or an empty body',
    refuses: isErrorAnswer,
  },
};

/** The one requested text format; null where anything else was requested. */
function findOnlyText(body: JsonObject): string | null {
  if (body['screenshot'] !== undefined || body['pdf'] !== undefined) return null;
  const formats = [...OUTPUTS, 'summary' as const].filter((name) => name !== 'metadata' && body[name] !== undefined);
  const [format] = formats;
  const text = format === undefined ? undefined : body[format];
  return formats.length === 1 && typeof text === 'string' ? text : null;
}

/** Whether a fetch answered an error page or an empty body. */
function isErrorAnswer({ status_code: status, warnings }: JsonObject): boolean {
  if (typeof status === 'number' && status >= 400) return true;
  return Array.isArray(warnings) && warnings.some((one) => isJsonObject(one) && one['code'] === 'target_error');
}

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
    max_age_ms: wholeNumber(0, MAX_CACHE_AGE_MS)
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
    const { screenshot, pdf } = chooseFiles(input);
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
  return admitPage(input, facts, { besides, browser: needsBrowser(input, chooseFiles(input)) });
}
