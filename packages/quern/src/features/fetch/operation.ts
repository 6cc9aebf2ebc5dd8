import { z } from 'zod';
import type { CommandView } from '#engine/call/command-view.ts';
import { MODEL_FIELDS } from '#engine/call/model.ts';
import { declareWork } from '#engine/call/operation.ts';
import { PAGE_ERRORS, admitPage, PROXY_FIELDS, checkProxy } from '#features/schema/page-admission.ts';
import { READS_WEB, type ToolView } from '#engine/call/tool-view.ts';
import type { Admission, AdmissionFacts } from '#engine/credits/admission.ts';
import { PRICES } from '#engine/credits/prices.ts';
import { MAX_CACHE_AGE_MS } from '#engine/visits/page-cache.ts';
import { OUTPUTS } from '#extract/reading.ts';
import { nameSchema } from '#extract/schema/names.ts';
import { wholeNumber } from '#extract/schema/whole-number.ts';
import { isJsonObject, type JsonObject } from '#extract/values/json-object.ts';
import { checkChunking } from '#features/schema/chunking.ts';
import { assertTlsAllowed, needsBrowser, PAGE_FIELDS, SESSION_FIELD, TLS_FIELD } from '#features/schema/page-fields.ts';
import { checkSubmission, SUBMISSION_FIELDS } from '#features/schema/submission.ts';
import { CHANGES_FIELD, CHANGES_MEMBER, CHANGES_OUTPUT, checkChanges } from '#features/schema/changes-fields.ts';
import {
  checkPassages,
  chooseQuestion,
  choosePassages,
  PASSAGES_FIELD,
  PASSAGES_MEMBER,
} from '#features/schema/passages-fields.ts';
import { FetchOutputs, FILE_FIELDS, FILE_OUTPUTS, Screenshot, chooseFiles } from '#features/schema/page-files.ts';
import { Attempts, Metadata, PAGE_OUTPUTS, Warnings } from '#features/schema/page-outputs.ts';
import { toAgentPage, addJsonFormat } from '#features/schema/agent-page.ts';
import { buildNoModelError } from '#llm/complete.ts';

/** Maximum cache age when the rest of a page is read. */
const MAX_CONTINUATION_AGE_MS = 3_600_000;

/** The tool that reads a page. With `extract` it returns only the fields, unless other formats are requested. */
const FETCH_TOOL: ToolView = {
  tool: {
    name: 'fetch',
    title: 'Fetch a page',
    task: 'one page or document, or fields of it',
    about:
      'Use this to read one web page, PDF or Office document as Markdown, or to get named fields of it with extract. A browser is used if the page needs one. Long pages are returned in parts: call again with the returned offset.',
    hints: READS_WEB,
  },
  members: {
    url: 'The page',
    output: 'Output formats; default markdown. Also links, images, tables, screenshot and others',
    extract:
      'Fields to get as JSON: {"price": "money", "title": {"selector": "h1", "type": "string"}}. Types: string, integer, number, boolean, money, date, datetime, url, html, each also as T[]; or a JSON Schema',
    passages: 'Only what answers a query, for output passages: {"query": "opening hours"}',
    attributes: 'Attributes to read for output attributes: [{"selector": "a", "attribute": "href"}]',
    chunking: 'Options of output chunks: {"max_tokens": 512}',
    only_main_content: 'false also keeps navigation and footers',
    proxy: 'stealth uses the hardened browser directly, for sites that block',
    max_age_ms: 'Accept a cached page at most this old',
    session: 'Name of a session; a login made with interact is kept',
  },
  facts: { url: 'string', title: 'string', status_code: 'integer' },
  toInput: (args) => (args['extract'] === undefined ? args : { ...args, output: addJsonFormat(args['output'], []) }),
  toReadOn: excludeFiles,
  toShown: toAgentPage,
};

/** Requests the same page from the cache, without files and without another comparison. */
function excludeFiles(input: JsonObject): JsonObject {
  const { output } = input;
  const files: readonly unknown[] = [...FILE_OUTPUTS, CHANGES_OUTPUT];
  const rest = Array.isArray(output) ? output.filter((name) => !files.includes(name)) : output;
  return { max_age_ms: MAX_CONTINUATION_AGE_MS, ...input, ...(rest === undefined ? {} : { output: rest }) };
}

/** `quern fetch`: prints only the text if one text format was requested, and adds `--fail` for error pages. */
const FETCH_VIEW: CommandView = {
  toText: findOnlyText,
  refusal: {
    flag: 'fail',
    about: 'Print nothing and exit with code 22 if the target returns an error or an empty body',
    refuses: isErrorAnswer,
  },
};

/** Returns the text if exactly one text format was requested; otherwise null. */
function findOnlyText(body: JsonObject): string | null {
  if (['screenshot', 'pdf', 'passages'].some((name) => body[name] !== undefined)) return null;
  const formats = [...OUTPUTS, 'summary' as const].filter((name) => name !== 'metadata' && body[name] !== undefined);
  const [format] = formats;
  const text = format === undefined ? undefined : body[format];
  return formats.length === 1 && typeof text === 'string' ? text : null;
}

/** Whether the fetched page is an error page or empty. */
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
    ...SUBMISSION_FIELDS,
    ...CHANGES_FIELD,
    ...PASSAGES_FIELD,
    ...PAGE_FIELDS,
    ...TLS_FIELD,
    ...SESSION_FIELD,
    max_age_ms: wholeNumber(0, MAX_CACHE_AGE_MS)
      .default(0)
      .describe('Maximum age of a cached page in ms; 0 always fetches'),
    respect_robots: z
      .boolean()
      .default(false)
      .describe('Obey robots.txt: a disallowed URL or redirect target fails with target_blocked'),
    max_credits: wholeNumber(1).optional().describe('Most credits that this call may cost'),
  })
  .superRefine((input, context) => {
    const refuse = (path: string, message: string): void => context.addIssue({ code: 'custom', path: [path], message });
    checkProxy(input, context);
    checkSubmission(input, context);
    checkChanges(input, refuse);
    checkPassages(input, refuse);
    const json = input.output.includes('json');
    if (json && input.extract === undefined) refuse('extract', 'is required for output json');
    if (!json && input.extract !== undefined) refuse('extract', 'add json to output to use it');
    const files = chooseFiles(input);
    const { screenshot, pdf } = files;
    if (input.method !== 'GET' && needsBrowser(input, files)) {
      const options = 'wait_for_selector, wait_ms, scroll, screenshot and pdf need a browser';
      refuse('method', `${input.method} is sent without a browser, and ${options}`);
    }
    const attributes = input.output.includes('attributes');
    if (attributes && input.attributes === undefined) refuse('attributes', 'is required for output attributes');
    if (!attributes && input.attributes !== undefined) refuse('attributes', 'add attributes to output to use it');
    checkChunking(input, (message) => refuse('chunking', message));
    if (screenshot === null && input.screenshot !== undefined) {
      refuse('screenshot', 'add screenshot to output to use it');
    }
    if (input.output.includes(CHANGES_OUTPUT) && input.max_age_ms > 0) {
      refuse('max_age_ms', 'cannot be used with changes, which compares the page as it is now');
    }
    if ((screenshot !== null || pdf) && input.max_age_ms > 0) {
      refuse('max_age_ms', 'cannot be used with screenshot or pdf, which are never cached');
    }
  });

export type FetchInput = z.output<typeof FetchInput>;

const FetchOutput = nameSchema(
  'Page',
  z.object({
    url: z.string(),
    final_url: z.string(),
    status_code: z.int(),
    content_type: z.string(),
    ...PAGE_OUTPUTS,
    ...FILE_FIELDS,
    ...CHANGES_MEMBER,
    ...PASSAGES_MEMBER,
    ...MODEL_FIELDS,
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
  canQueue: true,
});

/** Admits a fetch. Throws `ServiceError`. */
export function admitFetch(input: FetchInput, facts: AdmissionFacts): Admission {
  const summary = input.output.includes('summary');
  const answer = facts.hasModel && chooseQuestion(choosePassages(input)) !== null;
  const besides = [summary, answer].filter(Boolean).length * PRICES.fetch.perModelOutput;
  facts.readTarget(input.url);
  if (summary && !facts.hasModel) throw buildNoModelError('output summary');
  assertTlsAllowed(input, facts);
  const browser = input.method === 'GET' ? needsBrowser(input, chooseFiles(input)) : 'never';
  return admitPage(input, facts, { besides, browser });
}
