import { z } from 'zod';
import { MAX_CACHE_AGE_MS } from '#engine/visits/page-cache.ts';
import { isJsonObject, type JsonObject } from '#extract/values/json-object.ts';
import { dropUnset, optional } from './body.ts';
import { Action } from './firecrawl-actions.ts';
import { Formats, chooseOutputs } from './firecrawl-formats.ts';

/** The options of a scrape that Quern honours. v1 has some of them under other names. */
export const PageOptions = z.looseObject({
  formats: optional(Formats),
  onlyMainContent: optional(z.boolean()),
  includeTags: optional(z.array(z.string())),
  excludeTags: optional(z.array(z.string())),
  headers: optional(z.record(z.string(), z.string())),
  waitFor: optional(z.number().int().min(0)),
  timeout: optional(z.number().int().min(1)),
  mobile: optional(z.boolean()),
  skipTlsVerification: optional(z.boolean()),
  blockAds: optional(z.boolean()),
  proxy: optional(z.enum(['basic', 'auto', 'stealth', 'enhanced'])),
  location: optional(z.looseObject({ country: z.string().nullish(), languages: z.array(z.string()).nullish() })),
  maxAge: optional(z.number().int().min(0)),
  actions: optional(z.array(Action)),
  jsonOptions: optional(z.looseObject({})),
  extract: optional(z.looseObject({})),
  changeTrackingOptions: optional(z.looseObject({})),
});

export type PageOptions = z.output<typeof PageOptions>;

/** Members that change nothing here, because Quern does always or never what they ask for. */
const NEEDLESS: ReadonlySet<string> = new Set([
  'url',
  'origin',
  'integration',
  'storeInCache',
  'zeroDataRetention',
  'fastMode',
  'removeBase64Images',
  'parsePDF',
  'parsers',
  'useMock',
  'timeoutMs',
  ...Object.keys(PageOptions.shape),
]);

/** Lists the members of a body that no one reads, as a sentence for `warning`; empty if there are none. */
export function listIgnored(body: JsonObject, known: readonly string[] = []): readonly string[] {
  const names = Object.keys(body).filter((name) => !NEEDLESS.has(name) && !known.includes(name));
  return names.length === 0 ? [] : [`ignored: ${names.map((name) => name.slice(0, 50)).join(', ')}`];
}

/** The outputs that a page is read for, and how it is requested and read. */
export type PageInput = {
  readonly output: readonly string[];
  /** Those outputs that the caller asked for; the others serve the metadata of documents. */
  readonly requested: readonly string[];
  /** Parameters that fetch and crawl share (`PAGE_FIELDS`). */
  readonly page: JsonObject;
  /** The options of a screenshot, which a crawl has beside its outputs. */
  readonly files: JsonObject;
  readonly proxy: string | undefined;
  readonly warnings: readonly string[];
};

/** The meta elements of a page whose content a document shows beside the title. */
const META_ATTRIBUTES = [
  { selector: 'meta[name="keywords" i]', attribute: 'content' },
  { selector: 'meta[name="robots" i]', attribute: 'content' },
] as const;

/** Converts the options of a scrape to parameters of Quern. Throws `invalid_request`. */
export function toPageInput(options: PageOptions): PageInput {
  const { outputs, parameters, warnings } = chooseOutputs(listFormats(options));
  const { extract, attributes, screenshot, changes, passages } = parameters;
  const { location, proxy } = options;
  const wanted = Array.isArray(attributes) ? attributes : [];
  return {
    output: [...new Set([...outputs, 'attributes', 'structured_data'])],
    requested: [...outputs],
    page: dropUnset({
      only_main_content: options.onlyMainContent ?? true,
      include_selectors: options.includeTags,
      exclude_selectors: options.excludeTags,
      headers: options.headers,
      wait_ms: options.waitFor || undefined,
      device: options.mobile === true ? 'mobile' : undefined,
      insecure_tls: options.skipTlsVerification === true ? true : undefined,
      block: options.blockAds === true ? ['ads'] : undefined,
      country: location?.country || undefined,
      locale: location?.languages?.[0],
      extract,
      changes,
      passages,
      attributes: [...wanted, ...META_ATTRIBUTES],
    }),
    files: dropUnset({ screenshot }),
    proxy: proxy === 'enhanced' ? 'stealth' : proxy,
    warnings,
  };
}

/** Lists the outputs that the caller of a job asked for, from its input: without those that serve the metadata. */
export function listRequested({ output, fetch, ...input }: JsonObject): readonly string[] {
  const { attributes } = isJsonObject(fetch) ? fetch : input;
  const hasOwn = Array.isArray(attributes) && attributes.length > META_ATTRIBUTES.length;
  const names = Array.isArray(output) ? output.map(String) : [];
  return names.filter((name) => name !== 'structured_data' && (hasOwn || name !== 'attributes'));
}

/** Lists the outputs in a page of a job that its caller asked for. */
export function listOutputs({ attributes, ...page }: JsonObject): readonly string[] {
  return listRequested({ output: Object.keys({ ...page, attributes }), attributes });
}

/** The formats, where v1 gives the options of `json`, `extract` and `changeTracking` beside them. */
function listFormats({ formats, jsonOptions, extract, changeTrackingOptions }: PageOptions): z.output<typeof Formats> {
  const json = isJsonObject(jsonOptions) ? jsonOptions : isJsonObject(extract) ? extract : null;
  return (formats ?? ['markdown']).map((format) => {
    if (format === 'changeTracking') return { ...changeTrackingOptions, type: format };
    return json !== null && (format === 'json' || format === 'extract') ? { ...json, type: 'json' } : format;
  });
}

/** The cache age of a single fetch, ms. Pages with files, and pages that are compared, are never cached. */
export function toMaxAgeMs({ maxAge }: PageOptions, { files, page }: PageInput): number {
  return Object.keys(files).length > 0 || page['changes'] !== undefined ? 0 : Math.min(maxAge ?? 0, MAX_CACHE_AGE_MS);
}
