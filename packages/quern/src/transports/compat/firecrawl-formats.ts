import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { ServiceError } from '#kernel/errors.ts';
import type { JsonObject } from '#extract/values/json-object.ts';
import { optional } from './body.ts';
import { ChangesFormat, toChangesInput } from './firecrawl-changes.ts';

/** A format with its options. v1 writes most formats as text. */
const FormatObject = z.looseObject({ type: z.string() });

export const Formats = z.array(z.union([z.string(), FormatObject])).max(30);

type Format = z.output<typeof FormatObject>;

/** What Quern is asked for to serve formats: outputs with their parameters, and formats that are made from the answer. */
export type FormatChoice = {
  readonly outputs: ReadonlySet<string>;
  /** Parameters of fetch that belong to the outputs. */
  readonly parameters: JsonObject;
  readonly warnings: readonly string[];
};

/** Quern's output for each format that is one. */
const OUTPUTS: Readonly<Record<string, string>> = {
  markdown: 'markdown',
  html: 'html',
  rawHtml: 'raw_html',
  links: 'links',
  images: 'images',
  summary: 'summary',
  attributes: 'attributes',
  json: 'json',
  extract: 'json',
  screenshot: 'screenshot',
  changeTracking: 'changes',
  question: 'passages',
  highlights: 'passages',
  query: 'passages',
};

const JsonFormat = z.looseObject({
  schema: optional(z.record(z.string(), z.unknown())),
  prompt: optional(z.string()),
});
const ScreenshotFormat = z.looseObject({
  fullPage: optional(z.boolean()),
  quality: optional(z.number()),
  viewport: optional(z.object({ width: z.number(), height: z.number() })),
});
const AttributesFormat = z.looseObject({
  selectors: z.array(z.object({ selector: z.string(), attribute: z.string() })).min(1),
});

const QuestionFormat = z.looseObject({ question: z.string().min(1) });
const HighlightsFormat = z.looseObject({ query: z.string().min(1) });
const QueryFormat = z.looseObject({ prompt: z.string().min(1), mode: z.enum(['freeform', 'directQuote']).nullish() });

/**
 * Converts formats to outputs. Throws `invalid_request` for an unknown format, and for one that Quern does not make: a
 * made-up or missing value would go unnoticed.
 */
export function chooseOutputs(formats: z.output<typeof Formats>): FormatChoice {
  const outputs = new Set<string>();
  const parameters: Record<string, unknown> = {};
  const warnings: string[] = [];
  const all = formats.map(toFormat);
  for (const format of all) {
    const output = OUTPUTS[format.type];
    if (output === undefined) throw refuseFormat(format.type);
    outputs.add(output);
    if (output === 'changes') parameters['changes'] = toChangesInput(parseFormat(ChangesFormat, format));
    if (output === 'json' || needsOwnSchema(format, all)) {
      outputs.add('json');
      addExtract(parameters, readJsonFormat(format, warnings));
    }
    if (output === 'screenshot') parameters['screenshot'] = toScreenshot(format);
    if (output === 'attributes') parameters['attributes'] = parseFormat(AttributesFormat, format).selectors;
  }
  const queries = all.filter(({ type }) => OUTPUTS[type] === 'passages').map(readQuery);
  const [query, ...others] = new Set(queries.map((one) => one.query));
  if (others.length > 0)
    throw new ServiceError('invalid_request', 'formats: question, highlights and query must ask the same');
  if (query !== undefined) parameters['passages'] = { query, answer: queries.some(({ answer }) => answer) };
  return { outputs, parameters, warnings };
}

function toFormat(format: string | Format): Format {
  if (typeof format !== 'string') return format;
  return format === 'screenshot@fullPage' ? { type: 'screenshot', fullPage: true } : { type: format };
}

/** Whether a format compares the fields of a schema of its own, and not those of format `json`. */
function needsOwnSchema(format: Format, all: readonly Format[]): boolean {
  const comparesFields = format.type === 'changeTracking' && parseFormat(ChangesFormat, format).modes?.includes('json');
  return comparesFields === true && (Boolean(format['schema']) || !all.some(({ type }) => OUTPUTS[type] === 'json'));
}

/** A page is read with one schema. */
function addExtract(parameters: Record<string, unknown>, extract: JsonObject): void {
  parameters['extract'] ??= extract;
  if (!isDeepStrictEqual(parameters['extract'], extract))
    throw new ServiceError('invalid_request', 'formats: json and changeTracking must have the same schema');
}

/** Reads what passages are looked for, and whether a model answers it. */
function readQuery(format: Format): { readonly query: string; readonly answer: boolean } {
  if (format.type === 'question') return { query: parseFormat(QuestionFormat, format).question, answer: true };
  if (format.type === 'highlights') return { query: parseFormat(HighlightsFormat, format).query, answer: false };
  const { prompt, mode } = parseFormat(QueryFormat, format);
  return { query: prompt, answer: mode !== 'directQuote' };
}

function refuseFormat(type: string): ServiceError {
  const names = Object.keys(OUTPUTS).filter((name) => name !== 'extract');
  return new ServiceError('invalid_request', `formats: ${type.slice(0, 50)} is not served; use ${names.join(', ')}`);
}

function readJsonFormat(format: Format, warnings: string[]): JsonObject {
  const { schema, prompt } = parseFormat(JsonFormat, format);
  if (schema === undefined)
    throw new ServiceError('invalid_request', `formats: ${format.type} needs a schema; a prompt alone is not enough`);
  if (prompt !== undefined) warnings.push(`the prompt of ${format.type} is not used: the schema says what to extract`);
  return { schema };
}

function toScreenshot(format: Format): JsonObject {
  const { fullPage, quality, viewport } = parseFormat(ScreenshotFormat, format);
  return {
    full_page: fullPage,
    // Only JPEG and WebP have a quality.
    ...(quality === undefined ? {} : { format: 'jpeg', quality: Math.round(quality) }),
    viewport,
  };
}

function parseFormat<T extends z.ZodType>(schema: T, format: Format): z.output<T> {
  const result = schema.safeParse(format);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const path = ['formats', format.type, ...(issue?.path ?? [])].join('.');
  throw new ServiceError('invalid_request', `${path}: ${issue?.message ?? 'is invalid'}`);
}
