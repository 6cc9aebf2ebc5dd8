import { ServiceError } from '#kernel/errors.ts';
import { isJsonObject } from '#extract/values/json-object.ts';
import { readJson } from '#transports/json.ts';
import { formsOf, itemsOf, type JsonSchema, membersOf } from '#transports/schema.ts';
import type { Arguments } from './tool.ts';

/** Members that are inputs of their own. */
const INPUT_NAMES: ReadonlySet<string> = new Set(['fetch', 'input', 'target']);
/** A longer text is no list of words. */
const MAX_WORDS_LENGTH = 10_000;

/**
 * Arguments as models write them, as the input of an operation: a text for a list of one, JSON in a text, numbers and
 * booleans in quotes. What cannot be meant otherwise is left to validation. JSON in a text has the bounds of a body; throws
 * `invalid_request` beyond them.
 */
export function toLenient(given: Arguments, schema: JsonSchema, path = ''): Arguments {
  const members = new Map(membersOf(schema));
  return Object.fromEntries(
    Object.entries(given)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => {
        const member = members.get(name);
        const forms = member === undefined ? [] : formsOf(member, schema);
        const fitting = toFitting(value, forms, path + name);
        if (!INPUT_NAMES.has(name) || !isJsonObject(fitting)) return [name, fitting];
        return [name, toLenient(fitting, forms.find(({ type }) => type === 'object') ?? {}, `${path}${name}.`)];
      }),
  );
}

function toFitting(value: unknown, forms: readonly JsonSchema[], where: string): unknown {
  const types = new Set(forms.map(({ type }) => type));
  if (typeof value !== 'string' || types.has('string') || forms.length === 0) {
    const isOne = typeof value === 'string' || isJsonObject(value);
    return isOne && types.has('array') && !types.has('string') && !types.has('object') ? [value] : value;
  }
  const parsed = parse(value, where);
  if (types.has('array')) {
    if (Array.isArray(parsed)) return parsed;
    const isWords = isListOfWords(forms) && value.length <= MAX_WORDS_LENGTH;
    return isWords ? value.split(',').map((word) => word.trim()) : [value];
  }
  const isWanted =
    (types.has('object') && isJsonObject(parsed)) ||
    (types.has('boolean') && typeof parsed === 'boolean') ||
    ((types.has('integer') || types.has('number')) && typeof parsed === 'number');
  return isWanted ? parsed : value;
}

/** Whether a list holds words of an enumeration, which have no commas. */
function isListOfWords(forms: readonly JsonSchema[]): boolean {
  return forms.some((form) => Array.isArray(itemsOf(form)['enum']));
}

/** How JSON begins; any other text is not searched for values. */
const JSON_START = /^\s*(?:[[{"\-\d]|true|false|null)/;

function parse(text: string, where: string): unknown {
  if (!JSON_START.test(text)) return text;
  try {
    return readJson(text, where);
  } catch (error) {
    if (error instanceof ServiceError && error.cause instanceof SyntaxError) return text;
    throw error;
  }
}
