import type { z } from 'zod';
import { ServiceError } from '#kernel/errors.ts';
import { checkMemberName, readJson } from './json.ts';
import { formsOf, itemsOf, type JsonSchema, membersOf, toJsonSchema } from './schema.ts';

const MAX_QUERY_CHARS = 128 * 1024;
const INTEGER = /^(0|-?[1-9]\d{0,15})$/;
const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d{1,3})?$/;

/** The schema of an operation's input, by which text is read. */
export type Parameters = { readonly root: JsonSchema; readonly members: ReadonlyMap<string, JsonSchema> };

/** The parameters of an input schema. */
export function toParameters(input: z.ZodType): Parameters {
  const root = toJsonSchema(input, 'input');
  return { root, members: new Map(membersOf(root)) };
}

/**
 * The raw input object that text pairs stand for, still to be validated. Text becomes a number, boolean, array or
 * object only where the schema has that type and the text is exactly one; anything else stays text, so that validation
 * names the member. Lists are repeated pairs, or comma lists where the items are numbers or words of a fixed list. Throws
 * `invalid_request` for a scalar given twice, an empty value, bracketed names and NUL.
 */
export function readParameters(
  { root, members }: Parameters,
  pairs: readonly (readonly [string, string])[],
): Readonly<Record<string, unknown>> {
  const input = new Map<string, unknown>();
  for (const [name, text] of pairs) {
    checkPair(name, text);
    const forms = formsOf(members.get(name) ?? {}, root);
    const list = forms.find((form) => form['type'] === 'array');
    const earlier = input.get(name);
    if (list !== undefined) {
      const items = formsOf(itemsOf(list), root);
      const read = splitList(text, items).map((part) => readText(name, part, items));
      input.set(name, [...(Array.isArray(earlier) ? earlier : []), ...read]);
      continue;
    }
    if (input.has(name)) throw new ServiceError('invalid_request', `${name}: given more than once`);
    input.set(name, readText(name, text, forms));
  }
  return Object.fromEntries(input);
}

function checkPair(name: string, text: string): void {
  checkMemberName(name, 'parameters');
  const shown = name.slice(0, 100);
  if (name.includes('[')) {
    throw new ServiceError('invalid_request', `${shown}: brackets are not read; repeat the name for a list`);
  }
  if (name.includes('\0') || text.includes('\0')) throw new ServiceError('invalid_request', `${shown}: NUL in text`);
  if (text === '') throw new ServiceError('invalid_request', `${shown}: is empty; give it a value, or leave it out`);
}

function splitList(text: string, items: readonly JsonSchema[]): readonly string[] {
  const splits = items.every(
    ({ enum: words, type }) => Array.isArray(words) || type === 'integer' || type === 'number',
  );
  return splits ? text.split(',') : [text];
}

/** Reads one value. Where a string is allowed, text other than an object stays a string: `5` for "string or integer" is "5". */
function readText(name: string, text: string, forms: readonly JsonSchema[]): unknown {
  const types = new Set(forms.flatMap(typesOf));
  if (types.has('object') && text.startsWith('{')) return readJson(text, name);
  if (forms.some((form) => form['type'] === 'string' && !isFixed(form))) return text;
  if (types.has('boolean') && (text === 'true' || text === 'false')) return text === 'true';
  if (types.has('integer') && INTEGER.test(text) && Number.isSafeInteger(Number(text))) return Number(text);
  if (types.has('number') && text.length <= 64 && NUMBER.test(text)) return readNumber(text);
  return text;
}

function readNumber(text: string): unknown {
  const value = Number(text);
  return Number.isFinite(value) && !Object.is(value, -0) ? value : text;
}

/** The types of a form, or those of its enumerated values if it has no `type`. */
function typesOf(form: JsonSchema): readonly unknown[] {
  if (form['type'] !== undefined) return [form['type']];
  const listed = Array.isArray(form['enum']) ? form['enum'] : [form['const']];
  return listed.map((value) => typeof value);
}

function isFixed(form: JsonSchema): boolean {
  return form['enum'] !== undefined || form['const'] !== undefined;
}

/**
 * The pairs of a query string, strictly: `+` is a space (as HTML forms write it), percent escapes are UTF-8, other
 * characters ASCII. Throws `invalid_request` for anything else and beyond 128 KiB.
 */
export function splitQuery(query: string): readonly (readonly [string, string])[] {
  if (query.length > MAX_QUERY_CHARS) {
    throw new ServiceError('invalid_request', `the query is longer than ${MAX_QUERY_CHARS} characters`);
  }
  if (query === '') return [];
  return query.split('&').map((pair) => {
    const equals = pair.indexOf('=');
    if (equals === -1) return [decode(pair), ''];
    return [decode(pair.slice(0, equals)), decode(pair.slice(equals + 1))];
  });
}

function decode(text: string): string {
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
