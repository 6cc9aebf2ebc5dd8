import { ServiceError } from '#kernel/errors.ts';

/** Maximum nesting of arrays and objects in one body. */
const MAX_DEPTH = 64;
/** Maximum number of values in one body; bounds the memory for parsing. */
const MAX_VALUES = 50_000;

const LONE_SURROGATE = 'contains a lone surrogate, which is not a character';

type Container = { readonly value: object; readonly path: string };

/**
 * Parses JSON of a caller. Rejects more than 64 levels or 50,000 values, duplicate members, empty member names, names of
 * `Object.prototype`, lone surrogates, and numbers that are infinite or negative zero. Throws `invalid_request`; `where`
 * names the text in messages, such as `body`.
 */
export function readJson(text: string, where: string): unknown {
  const { depth, values, members } = countJsonTokens(text);
  if (depth > MAX_DEPTH) throwInvalid(where, `nested deeper than ${MAX_DEPTH} levels`);
  if (values > MAX_VALUES) throwInvalid(where, `more than ${MAX_VALUES} values`);
  const value = parseJson(text, where);
  if (assertValues(value, where) !== members) throwInvalid(where, 'an object has a duplicate member');
  return value;
}

/**
 * Counts levels, values and members without building objects, and stops beyond the limits. For text that is not JSON, the
 * counts have no meaning.
 */
function countJsonTokens(text: string): { readonly depth: number; readonly values: number; readonly members: number } {
  let depth = 0;
  let deepest = 0;
  let values = 1;
  let members = 0;
  for (let at = 0; at < text.length && deepest <= MAX_DEPTH && values <= MAX_VALUES; at += 1) {
    switch (text[at]) {
      case '"':
        at = findStringEnd(text, at);
        break;
      case '{':
      case '[':
        values += 1;
        depth += 1;
        deepest = Math.max(deepest, depth);
        break;
      case '}':
      case ']':
        depth -= 1;
        break;
      case ',':
        values += 1;
        break;
      case ':':
        members += 1;
        break;
    }
  }
  return { depth: deepest, values, members };
}

function findStringEnd(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end;
}

function isEscaped(text: string, at: number): boolean {
  let before = at - 1;
  while (text[before] === '\\') before -= 1;
  return (at - before) % 2 === 0;
}

function parseJson(text: string, where: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const position = /at position (\d+)/.exec(String(cause))?.[1];
    const place = position === undefined ? '' : ` (character ${position})`;
    throw new ServiceError('invalid_request', `${where}: not valid JSON${place}`, { cause });
  }
}

/** Checks all names, strings and numbers without recursion, and returns the number of members. */
function assertValues(root: unknown, where: string): number {
  let members = 0;
  const open: Container[] = [];
  function check(value: unknown, path: string): void {
    if (typeof value === 'object' && value !== null) open.push({ value, path });
    if (typeof value === 'string' && !value.isWellFormed()) throwInvalid(path, LONE_SURROGATE);
    if (typeof value !== 'number') return;
    if (!Number.isFinite(value)) throwInvalid(path, 'the number is out of range');
    if (Object.is(value, -0)) throwInvalid(path, 'negative zero is not accepted');
  }
  check(root, where);
  for (let container = open.pop(); container !== undefined; container = open.pop()) {
    const prefix = container.path === where ? '' : `${container.path}.`;
    for (const [name, value] of Object.entries(container.value)) {
      if (!Array.isArray(container.value)) {
        members += 1;
        assertMemberName(name, container.path);
      }
      check(value, prefix + (name.length <= 100 ? name : `${name.slice(0, 100)}…`));
    }
  }
  return members;
}

/** Throws `invalid_request` for an empty member name or the name of an inherited member. */
export function assertMemberName(name: string, where: string): void {
  if (name === '') throwInvalid(where, 'a member has an empty name');
  if (!name.isWellFormed()) throwInvalid(where, `the name of a member ${LONE_SURROGATE}`);
  if (Object.hasOwn(Object.prototype, name)) throwInvalid(where, `${name} cannot be the name of a member`);
}

function throwInvalid(where: string, what: string): never {
  throw new ServiceError('invalid_request', `${where}: ${what}`);
}
