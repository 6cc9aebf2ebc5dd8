import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { OperatorError } from './errors.ts';

/**
 * Reads a JSON file of the operator and passes its content to `read`. Throws an `OperatorError` that names the setting, the
 * file and the fault; faults of zod schemas include their path.
 */
export function readJsonFile<T>(
  { setting, file }: { readonly setting: string; readonly file: string },
  read: (content: unknown) => T,
): T {
  try {
    return read(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    throw new OperatorError(`${setting} ${file}: ${formatError(error)}`, { cause: error });
  }
}

function formatError(error: unknown): string {
  if (error instanceof z.ZodError) return formatFaults(error);
  return error instanceof Error ? error.message : String(error);
}

/** A zod issue before it has a message. */
type Fault = z.core.$ZodRawIssue;

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
};

const FORMAT_NAMES: Readonly<Record<string, string>> = {
  url: 'a URL, such as https://example.com/',
  date: 'a date, such as 2026-11-21',
  datetime: 'a time with its zone, such as 2026-11-21T12:00:00Z',
  email: 'an e-mail address',
};

const MUST_BE = 'must be ';

/**
 * The message of a zod issue whose schema has no message of its own. It says what the value must be; the caller puts the name
 * of the parameter in front.
 */
export function formatFault(fault: Fault): string {
  switch (fault.code) {
    case 'invalid_type':
      return fault.input === undefined ? 'is missing' : MUST_BE + (TYPE_NAMES[fault.expected] ?? 'of another type');
    case 'invalid_value':
      return MUST_BE + formatChoices(fault.values.map(String));
    case 'too_big':
      return formatBound(fault, { bound: fault.maximum, word: 'at most' });
    case 'too_small':
      return formatBound(fault, { bound: fault.minimum, word: 'at least' });
    case 'invalid_format':
      return MUST_BE + (FORMAT_NAMES[fault.format] ?? 'in the documented format');
    case 'not_multiple_of':
      return `${MUST_BE}a multiple of ${fault.divisor}`;
    case 'unrecognized_keys':
      return `has unknown members: ${fault.keys.join(', ')}`;
    case 'invalid_key':
      return `the name ${fault.issues[0]?.message ?? 'is not accepted'}`;
    case 'invalid_union':
      return formatUnion(fault);
    default:
      return 'is not accepted here';
  }
}

function formatUnion({ options, errors }: Extract<Fault, { readonly code: 'invalid_union' }>): string {
  if (Array.isArray(options)) return MUST_BE + formatChoices(options.map(String));
  const messages = errors.flatMap(([first]) => (first?.path.length === 0 ? [first.message] : []));
  const forms = messages.filter((message) => message.startsWith(MUST_BE)).map((text) => text.slice(MUST_BE.length));
  if (forms.length > 0) return MUST_BE + [...new Set(forms)].join(', or ');
  return messages[0] ?? 'has none of the accepted forms';
}

/** All faults of a value with their paths, such as `backends.mine.url: must be a URL`. */
function formatFaults({ issues }: z.ZodError): string {
  return issues.map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`)).join('; ');
}

type BoundFault = Extract<Fault, { readonly code: 'too_big' | 'too_small' }>;

function formatBound(
  { origin, exact, inclusive }: BoundFault,
  { bound, word }: { readonly bound: number | bigint; readonly word: 'at least' | 'at most' },
): string {
  const isLeast = word === 'at least';
  if (origin === 'string' || origin === 'array' || origin === 'set') {
    const unit = origin === 'string' ? 'character' : 'item';
    const counted = `${String(bound)} ${unit}${Number(bound) === 1 ? '' : 's'}`;
    if (exact === true) return `must have exactly ${counted}`;
    return isLeast && Number(bound) === 1 ? 'must not be empty' : `must have ${word} ${counted}`;
  }
  // Bounds of the safe integers: their exact values do not help the user.
  if (origin === 'int') return `${MUST_BE}a ${isLeast ? 'larger' : 'smaller'} whole number`;
  if (inclusive === false) return `${MUST_BE}${isLeast ? 'more' : 'less'} than ${String(bound)}`;
  return `${MUST_BE}${word} ${String(bound)}`;
}

/** `"a"`, or `one of a, b, c`. */
function formatChoices(words: readonly string[]): string {
  return words.length === 1 ? `"${words.join()}"` : `one of ${words.join(', ')}`;
}

// Set globally, so that nested schemas and those of settings and files use it too.
z.config({ customError: formatFault });
