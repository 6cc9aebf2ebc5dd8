import { ServiceError } from '#kernel/errors.ts';

/** Levels of arrays and objects that one body may have. */
const MAX_DEPTH = 64;
/** Values that one body may have; bounds the memory that parsing takes. */
const MAX_VALUES = 50_000;

const HALF = 'has half of a surrogate pair, which is no character';

type Container = { readonly value: object; readonly path: string };

/**
 * Reads JSON text of a caller: at most 64 levels and 50,000 values, no member written twice, no empty member name, no
 * name that every JavaScript object inherits, no half of a surrogate pair, and no number that would not come out as it went in. Throws
 * `invalid_request`; `where` is what its messages call the text, such as `body`.
 */
export function readJson(text: string, where: string): unknown {
  const { depth, values, members } = measure(text);
  if (depth > MAX_DEPTH) refuse(where, `nested deeper than ${MAX_DEPTH} levels`);
  if (values > MAX_VALUES) refuse(where, `more than ${MAX_VALUES} values`);
  const value = parse(text, where);
  if (checkValues(value, where) !== members) refuse(where, 'a member is written twice in one object');
  return value;
}

/**
 * Counts nesting, values and `name:` pairs without building anything, and stops beyond the bounds; text that is not JSON
 * only gives odd counts.
 */
function measure(text: string): { readonly depth: number; readonly values: number; readonly members: number } {
  let depth = 0;
  let deepest = 0;
  let values = 1;
  let members = 0;
  for (let at = 0; at < text.length && deepest <= MAX_DEPTH && values <= MAX_VALUES; at += 1) {
    switch (text[at]) {
      case '"':
        at = endOfString(text, at);
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

function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end;
}

function isEscaped(text: string, at: number): boolean {
  let before = at - 1;
  while (text[before] === '\\') before -= 1;
  return (at - before) % 2 === 0;
}

function parse(text: string, where: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const position = /at position (\d+)/.exec(String(cause))?.[1];
    const place = position === undefined ? '' : ` (character ${position})`;
    throw new ServiceError('invalid_request', `${where}: not valid JSON${place}`, { cause });
  }
}

/** Checks every name and number with a list instead of recursion; answers how many members there are. */
function checkValues(root: unknown, where: string): number {
  let members = 0;
  const open: Container[] = [];
  function check(value: unknown, path: string): void {
    if (typeof value === 'object' && value !== null) open.push({ value, path });
    if (typeof value === 'string' && !value.isWellFormed()) refuse(path, HALF);
    if (typeof value !== 'number') return;
    if (!Number.isFinite(value)) refuse(path, 'the number is out of range');
    if (Object.is(value, -0)) refuse(path, 'negative zero is not accepted');
  }
  check(root, where);
  for (let container = open.pop(); container !== undefined; container = open.pop()) {
    const prefix = container.path === where ? '' : `${container.path}.`;
    for (const [name, value] of Object.entries(container.value)) {
      if (!Array.isArray(container.value)) {
        members += 1;
        checkMemberName(name, container.path);
      }
      check(value, prefix + (name.length <= 100 ? name : `${name.slice(0, 100)}…`));
    }
  }
  return members;
}

/** Refuses a member name that is empty or that code could mistake for an inherited one. */
export function checkMemberName(name: string, where: string): void {
  if (name === '') refuse(where, 'a member has an empty name');
  if (!name.isWellFormed()) refuse(where, `the name of a member ${HALF}`);
  if (Object.hasOwn(Object.prototype, name)) refuse(where, `${name} cannot be the name of a member`);
}

function refuse(where: string, what: string): never {
  throw new ServiceError('invalid_request', `${where}: ${what}`);
}
