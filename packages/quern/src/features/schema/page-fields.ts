import { z } from 'zod';
import { BLOCK_KINDS, DEVICES, type PageRequest, type RenderOptions } from '#access/page.ts';
import type { AdmissionFacts } from '#engine/credits/admission.ts';
import { Extract } from '#extract/grammar.ts';
import type { ReadRequest } from '#extract/reading.ts';
import { nameSchema } from '#extract/schema/names.ts';
import { wholeNumber } from '#extract/schema/whole-number.ts';
import { checkSelector } from '#extract/select/css.ts';
import { ServiceError } from '#kernel/errors.ts';
import { ChunkingInput, toChunking } from './chunking.ts';
import { RequestCookies, RequestHeaders } from './request-headers.ts';

/** The name of a session. */
export const SessionName = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/,
    'must have 1 to 64 letters, digits, dots, - and _, and start with a letter or digit',
  );

const MAX_WAIT_MS = 30_000;

/** A CSS selector. */
export const Selector = z.string().min(1).max(1000).superRefine(checkSelectorField);
const Selectors = z.array(Selector).max(50).default([]);

const Attributes = z
  .array(
    nameSchema(
      'AttributeQuery',
      z.strictObject({
        selector: Selector.describe('CSS selector of the elements'),
        attribute: z
          .string()
          .regex(/^[^\s"'<>/=]{1,200}$/, 'must be the name of an attribute, such as href')
          .describe('Name of the attribute'),
      }),
    ),
  )
  .min(1)
  .max(50);

/** Language, script and region, the part of BCP 47 that browsers support. */
const LOCALE = /^[a-z]{2,3}(?:-[a-z]{4})?(?:-(?:[a-z]{2}|\d{3}))?$/i;

/** The session parameter. */
export const SESSION_FIELD = {
  session: SessionName.optional().describe(
    'Name of a session: its cookies and local storage are sent and saved, so that logins persist; created on first use',
  ),
} as const;

/** Parameters for headers and cookies sent with the request of each page. */
export const REQUEST_FIELDS = {
  headers: RequestHeaders.default({}).describe('Request headers; dropped on a redirect to another origin'),
  cookies: RequestCookies.default([]).describe('Request cookies; dropped on a redirect to another origin'),
} as const;

/** The parameter that switches off the verification of certificates. */
export const TLS_FIELD = {
  insecure_tls: z
    .boolean()
    .default(false)
    .describe('Accept any certificate of the target; the operator must allow it with QUERN_ALLOW_INSECURE_TLS'),
} as const;

/**
 * Throws `invalid_request` for a call that accepts any certificate, unless the operator allows that. `name` is that of
 * the parameter in the call.
 */
export function assertTlsAllowed(
  { insecure_tls: insecure }: { readonly insecure_tls: boolean },
  { allowsInsecureTls }: AdmissionFacts,
  name = 'insecure_tls',
): void {
  if (!insecure || allowsInsecureTls) return;
  throw new ServiceError(
    'invalid_request',
    `${name}: this service verifies certificates; the operator can allow it with QUERN_ALLOW_INSECURE_TLS=on`,
  );
}

/** Parameters that control how a page is requested and parsed. */
export const PAGE_FIELDS = {
  only_main_content: z
    .boolean()
    .default(true)
    .describe('Remove navigation, footers and similar parts from text formats'),
  include_selectors: Selectors.describe('CSS selectors of the parts to keep; default everything'),
  exclude_selectors: Selectors.describe('CSS selectors of parts to remove'),
  extract: Extract.optional().describe('Fields to extract for output json'),
  attributes: Attributes.optional().describe('Attributes of elements to read for output attributes'),
  chunking: ChunkingInput.optional().describe('How the page is cut for output chunks'),
  frames: z.boolean().default(false).describe('Include the documents of frames, srcdoc and embedded PDFs in the page'),
  ...REQUEST_FIELDS,
  wait_for_selector: Selector.optional().describe('Wait in a browser until this CSS selector matches'),
  wait_ms: wholeNumber(0, MAX_WAIT_MS)
    .default(0)
    .describe('Time to wait in a browser before the page is captured, within timeout_ms'),
  scroll: z.boolean().default(false).describe('Scroll to the end of the page in a browser, to load lazy content'),
  block: z
    .array(z.enum(BLOCK_KINDS))
    .refine((names) => new Set(names).size === names.length, 'must not contain duplicates')
    .default([])
    .describe('Requests that a page in a browser cannot make; ads are a list of third-party domains'),
  device: z.enum(DEVICES).default('desktop').describe('Device to emulate'),
  country: z
    .string()
    .regex(/^[a-z]{2}$/i, 'must be two letters, such as de')
    .transform((text) => text.toLowerCase())
    .optional()
    .describe('Request the page from this country (ISO 3166, two letters) through a proxy'),
  locale: z
    .string()
    .regex(LOCALE, 'must be a language with a region, such as de-AT')
    .transform(normalizeLocale)
    .optional()
    .describe('Language and region to request (BCP 47), such as de-AT'),
  max_chars: wholeNumber(200).optional().describe('Most characters of each text format, cut at block boundaries'),
  offset_chars: wholeNumber(0)
    .default(0)
    .describe('Where to continue a long page: next_offset of the previous response'),
} as const;

/** The parameters of a page that replace those of the whole list. They have no defaults. */
export const OWN_PAGE_FIELDS = {
  only_main_content: PAGE_FIELDS.only_main_content.unwrap().exactOptional(),
  include_selectors: PAGE_FIELDS.include_selectors.unwrap().exactOptional(),
  exclude_selectors: PAGE_FIELDS.exclude_selectors.unwrap().exactOptional(),
  extract: PAGE_FIELDS.extract.unwrap().exactOptional(),
  attributes: PAGE_FIELDS.attributes.unwrap().exactOptional(),
  chunking: PAGE_FIELDS.chunking.unwrap().exactOptional(),
  frames: PAGE_FIELDS.frames.unwrap().exactOptional(),
  headers: PAGE_FIELDS.headers.unwrap().exactOptional(),
  cookies: PAGE_FIELDS.cookies.unwrap().exactOptional(),
  wait_for_selector: PAGE_FIELDS.wait_for_selector.unwrap().exactOptional(),
  wait_ms: PAGE_FIELDS.wait_ms.unwrap().exactOptional(),
  scroll: PAGE_FIELDS.scroll.unwrap().exactOptional(),
  block: PAGE_FIELDS.block.unwrap().exactOptional(),
  device: PAGE_FIELDS.device.unwrap().exactOptional(),
  locale: PAGE_FIELDS.locale.unwrap().exactOptional(),
  max_chars: PAGE_FIELDS.max_chars.unwrap().exactOptional(),
  offset_chars: PAGE_FIELDS.offset_chars.unwrap().exactOptional(),
} as const;

function checkSelectorField(text: string, context: z.RefinementCtx<string>): void {
  const problem = checkSelector(text);
  if (problem !== null) context.addIssue({ code: 'custom', message: problem });
}

function normalizeLocale(text: string): string {
  return Intl.getCanonicalLocales(text)[0] ?? text;
}

/** The valid parameters of a page. */
export type PageInput = z.output<z.ZodObject<typeof PAGE_FIELDS>>;

/** Converts the parameters to parser options. */
export function toReadOptions(input: PageInput): Omit<ReadRequest, 'body' | 'contentType' | 'url' | 'outputs'> {
  return {
    onlyMainContent: input.only_main_content,
    includeSelectors: input.include_selectors,
    excludeSelectors: input.exclude_selectors,
    extract: input.extract ?? null,
    ...(input.attributes === undefined ? {} : { attributes: input.attributes }),
    ...(input.chunking === undefined ? {} : { chunking: toChunking(input.chunking) }),
    maxChars: input.max_chars ?? null,
    offsetChars: input.offset_chars,
    passageChars: null,
    frames: input.frames ? [] : null,
  };
}

type RenderInput = Pick<PageInput, 'wait_for_selector' | 'wait_ms' | 'scroll' | 'device' | 'country' | 'locale'> &
  Partial<Pick<PageInput, 'block'>>;

type FileOptions = Pick<RenderOptions, 'screenshot' | 'pdf'>;

export const NO_FILES: FileOptions = { screenshot: null, pdf: false };

/** Converts the parameters to options of the page request; empty for the defaults. */
export function buildRenderRequest(input: RenderInput, files: FileOptions): Pick<PageRequest, 'browser' | 'country'> {
  const { device, country, locale = null, block = [] } = input;
  const isPlain = device === 'desktop' && locale === null && block.length === 0 && !needsBrowser(input, files);
  const browser: RenderOptions = {
    waitForSelector: input.wait_for_selector ?? null,
    waitMs: input.wait_ms,
    scroll: input.scroll,
    device,
    userAgent: null,
    locale,
    ...files,
    ...(block.length === 0 ? {} : { block: block.toSorted() }),
  };
  return { ...(country === undefined ? {} : { country }), ...(isPlain ? {} : { browser }) };
}

/** Whether the parameters need a browser. */
export function needsBrowser(input: RenderInput, { screenshot, pdf }: FileOptions): boolean {
  const waits = input.wait_for_selector !== undefined || input.wait_ms > 0 || input.scroll;
  return waits || screenshot !== null || pdf;
}
