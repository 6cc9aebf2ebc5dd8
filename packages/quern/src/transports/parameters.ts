import type { z } from 'zod';
import { ServiceError } from '#kernel/errors.ts';
import { assertMemberName, readJson } from './json.ts';
import { listForms, getItems, type JsonSchema, listMembers, toJsonSchema } from './schema.ts';

const MAX_QUERY_CHARS = 128 * 1024;
const INTEGER_PATTERN = /^(0|-?[1-9]\d{0,15})$/;
const NUMBER_PATTERN = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d{1,3})?$/;

/** The input schema of an operation, for parsing text values. */
export type Parameters = { readonly root: JsonSchema; readonly members: ReadonlyMap<string, JsonSchema> };

/** Returns the parameters of an input schema. */
export function buildParameters(input: z.ZodType): Parameters {
  const root = toJsonSchema(input, 'input');
  return { root, members: new Map(listMembers(root)) };
}

/**
 * Parses name and text pairs into an input object, which is not validated yet. Text becomes a number, boolean, array or
 * object only if the schema allows that type and the text is valid; else it stays text, and validation reports it. Lists
 * are repeated pairs, comma lists if the items are numbers or enum values, or JSON if the items may be objects. Throws
 * `invalid_request` for repeated scalars, empty values, names with brackets, and NUL.
 */
export function readParameters(
  { root, members }: Parameters,
  pairs: readonly (readonly [string, string])[],
): Readonly<Record<string, unknown>> {
  const input = new Map<string, unknown>();
  for (const [name, text] of pairs) {
    assertPair(name, text);
    const forms = listForms(members.get(name) ?? {}, root);
    const list = forms.find((form) => form['type'] === 'array');
    const earlier = input.get(name);
    if (list !== undefined) {
      const items = listForms(getItems(list), root);
      input.set(name, [...(Array.isArray(earlier) ? earlier : []), ...parseList(name, text, items)]);
      continue;
    }
    if (input.has(name)) throw new ServiceError('invalid_request', `${name}: given more than once`);
    input.set(name, parseText(name, text, forms));
  }
  return Object.fromEntries(input);
}

function assertPair(name: string, text: string): void {
  assertMemberName(name, 'parameters');
  const shown = name.slice(0, 100);
  if (name.includes('[')) {
    throw new ServiceError('invalid_request', `${shown}: brackets are not supported; repeat the name for a list`);
  }
  if (name.includes('\0') || text.includes('\0')) throw new ServiceError('invalid_request', `${shown}: NUL in text`);
  if (text === '') throw new ServiceError('invalid_request', `${shown}: is empty; give it a value or omit it`);
}

/** Parses one value of a list: some of its items. */
function parseList(name: string, text: string, items: readonly JsonSchema[]): readonly unknown[] {
  if (allowsObject(items) && text.startsWith('[')) return [readJson(text, name)].flat();
  const parts = isCommaList(items) ? text.split(',') : [text];
  return parts.map((part) => parseText(name, part, items));
}

/** Whether the items of a list can be written with commas between them. */
export function isCommaList(items: readonly JsonSchema[]): boolean {
  return items.every(({ enum: words, type }) => Array.isArray(words) || type === 'integer' || type === 'number');
}

/** Whether one of these alternatives is an object, which is written as JSON. */
export function allowsObject(forms: readonly JsonSchema[]): boolean {
  return forms.some(({ type }) => type === 'object');
}

/** Whether one of these alternatives is any text. */
export function allowsText(forms: readonly JsonSchema[]): boolean {
  return forms.some((form) => form['type'] === 'string' && !isEnumOrConst(form));
}

/** Parses one value. If a string is allowed, any text but an object stays a string: `5` for "string or integer" is "5". */
function parseText(name: string, text: string, forms: readonly JsonSchema[]): unknown {
  const types = new Set(forms.flatMap(listTypes));
  if (allowsObject(forms) && text.startsWith('{')) return readJson(text, name);
  if (allowsText(forms)) return text;
  if (types.has('boolean') && (text === 'true' || text === 'false')) return text === 'true';
  if (types.has('integer') && INTEGER_PATTERN.test(text) && Number.isSafeInteger(Number(text))) return Number(text);
  if (types.has('number') && text.length <= 64 && NUMBER_PATTERN.test(text)) return parseNumber(text);
  return text;
}

function parseNumber(text: string): unknown {
  const value = Number(text);
  return Number.isFinite(value) && !Object.is(value, -0) ? value : text;
}

/** Returns the types of an alternative, or those of its enum values if it has no `type`. */
function listTypes(form: JsonSchema): readonly unknown[] {
  if (form['type'] !== undefined) return [form['type']];
  const listed = Array.isArray(form['enum']) ? form['enum'] : [form['const']];
  return listed.map((value) => typeof value);
}

function isEnumOrConst(form: JsonSchema): boolean {
  return form['enum'] !== undefined || form['const'] !== undefined;
}

/**
 * Parses a query string strictly: `+` is a space, percent escapes must be UTF-8, other characters ASCII. Throws
 * `invalid_request` for anything else, and beyond 128 KiB.
 */
export function parseQuery(query: string): readonly (readonly [string, string])[] {
  if (query.length > MAX_QUERY_CHARS) {
    throw new ServiceError('invalid_request', `the query is longer than ${MAX_QUERY_CHARS} characters`);
  }
  if (query === '') return [];
  return query.split('&').map((pair) => {
    const equals = pair.indexOf('=');
    if (equals === -1) return [decodeComponent(pair), ''];
    return [decodeComponent(pair.slice(0, equals)), decodeComponent(pair.slice(equals + 1))];
  });
}

function decodeComponent(text: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  if (/[^\x21-\x7e]/.test(text)) {
    throw new ServiceError('invalid_request', 'the query has characters that are not percent-encoded');
  }
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch (cause) {
    throw new ServiceError('invalid_request', 'the query has a percent escape that is not UTF-8', { cause });
  }
}

/** Rethrows an error of `jobs.submit` that names each parameter as in a call without a job: `url`, not `input.url`. */
export function throwWithoutInputPath(error: unknown): never {
  if (!(error instanceof ServiceError) || !error.message.startsWith('input.')) throw error;
  const message = error.message.replaceAll(/(^|; )input\./g, '$1');
  const { code, retryable, retryAfterSeconds } = error;
  const wait = retryAfterSeconds === null ? {} : { retryAfterSeconds };
  throw new ServiceError(code, message, { cause: error, retryable, ...wait });
}
