import { z } from 'zod';
import { DEVICES, type PageRequest, type RenderOptions } from '#access/page.ts';
import { Extract } from '#extract/grammar.ts';
import type { ReadRequest } from '#extract/reading.ts';
import { wholeNumber } from '#extract/schema/whole-number.ts';
import { checkSelector } from '#extract/select/css.ts';
import { RequestCookies, RequestHeaders } from './header-fields.ts';

/** The name of a session. */
export const SessionName = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/,
    'must be 1 to 64 letters, digits, dots, - and _, and begin with a letter or digit',
  );

const MAX_WAIT_MS = 30_000;

const Selector = z.string().min(1).max(1000).superRefine(checkSelectorField);
const Selectors = z.array(Selector).max(50).default([]);

/** Language, script and region: what a browser can be set to (a part of BCP 47). */
const LOCALE = /^[a-z]{2,3}(?:-[a-z]{4})?(?:-(?:[a-z]{2}|\d{3}))?$/i;

/** The session of a call. */
export const SESSION_FIELD = {
  session: SessionName.optional().describe(
    'Name of a session: its cookies and local storage are sent and kept, so that a login lasts; made on first use',
  ),
} as const;

/** What a caller may have sent along with the request of each page. */
export const SENT_FIELDS = {
  headers: RequestHeaders.default({}).describe('Request headers; dropped on a redirect to another origin'),
  cookies: RequestCookies.default([]).describe('Request cookies; dropped on a redirect to another origin'),
} as const;

/** What a caller may say of how each page is asked for and read. */
export const PAGE_FIELDS = {
  only_main_content: z.boolean().default(true).describe('Leave navigation, footers and the like out of text formats'),
  include_selectors: Selectors.describe('CSS selectors of the only parts to keep'),
  exclude_selectors: Selectors.describe('CSS selectors of parts to leave out'),
  extract: Extract.optional().describe('What to pull out for output json'),
  frames: z
    .boolean()
    .default(false)
    .describe('Read the documents of frames, srcdoc and embedded PDFs as parts of the page, in their places'),
  ...SENT_FIELDS,
  wait_for_selector: Selector.optional().describe(
    'CSS selector that must match before the page is taken, by a browser',
  ),
  wait_ms: wholeNumber(0, MAX_WAIT_MS)
    .default(0)
    .describe('Time that a browser lets pass before it takes the page, within timeout_ms'),
  scroll: z.boolean().default(false).describe('Go to the end of the page in a browser, for what loads only then'),
  device: z.enum(DEVICES).default('desktop').describe('What the page is asked for and shown as'),
  country: z
    .string()
    .regex(/^[a-z]{2}$/i, 'must be two letters, such as de')
    .transform((text) => text.toLowerCase())
    .optional()
    .describe('Ask from this country (ISO 3166, two letters), by a proxy'),
  locale: z
    .string()
    .regex(LOCALE, 'must be a language with a region, such as de-AT')
    .transform(normalizeLocale)
    .optional()
    .describe('Language and region that the page is asked for in (BCP 47), such as de-AT'),
  max_chars: wholeNumber(200).optional().describe('Slice of each text format, cut at block boundaries'),
  offset_chars: wholeNumber(0).default(0).describe('Where the slice starts: next_offset of the answer before'),
} as const;

function checkSelectorField(text: string, context: z.RefinementCtx<string>): void {
  const problem = checkSelector(text);
  if (problem !== null) context.addIssue({ code: 'custom', message: problem });
}

function normalizeLocale(text: string): string {
  return Intl.getCanonicalLocales(text)[0] ?? text;
}

type PageInput = z.output<z.ZodObject<typeof PAGE_FIELDS>>;

/** How a page that has come is to be read. */
export function toReadOptions(input: PageInput): Omit<ReadRequest, 'body' | 'contentType' | 'url' | 'outputs'> {
  return {
    onlyMainContent: input.only_main_content,
    includeSelectors: input.include_selectors,
    excludeSelectors: input.exclude_selectors,
    extract: input.extract ?? null,
    maxChars: input.max_chars ?? null,
    offsetChars: input.offset_chars,
    passageChars: null,
    frames: input.frames ? [] : null,
  };
}

type RenderInput = Pick<PageInput, 'wait_for_selector' | 'wait_ms' | 'scroll' | 'device' | 'country' | 'locale'>;

type FileOptions = Pick<RenderOptions, 'screenshot' | 'pdf'>;

export const NO_FILES: FileOptions = { screenshot: null, pdf: false };

/** How a page is to be visited; empty where nothing is wished. */
export function toVisit(input: RenderInput, files: FileOptions): Pick<PageRequest, 'browser' | 'country'> {
  const { device, country, locale = null } = input;
  const isPlain = device === 'desktop' && locale === null && !needsBrowser(input, files);
  const browser: RenderOptions = {
    waitForSelector: input.wait_for_selector ?? null,
    waitMs: input.wait_ms,
    scroll: input.scroll,
    device,
    userAgent: null,
    locale,
    ...files,
  };
  return { ...(country === undefined ? {} : { country }), ...(isPlain ? {} : { browser }) };
}

/** Whether only a browser can do what is wished. */
export function needsBrowser(input: RenderInput, { screenshot, pdf }: FileOptions): boolean {
  const waits = input.wait_for_selector !== undefined || input.wait_ms > 0 || input.scroll;
  return waits || screenshot !== null || pdf;
}
