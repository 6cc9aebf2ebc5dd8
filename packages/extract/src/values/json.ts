import { isJsonObject } from '#extract/values/json-object.ts';

/** The own member of an object; undefined when there is none or the value is no object. */
export function memberOf(value: unknown, name: string): unknown {
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** Sets an own member whatever its name, so that `__proto__` stays data. */
export function setMember(target: Record<string, unknown>, name: string, value: unknown): void {
  // To define each member takes several times as long as to assign it.
  if (name !== '__proto__') target[name] = value;
  else Object.defineProperty(target, name, { value, writable: true, enumerable: true, configurable: true });
}

/** A value as a list: of an array its elements, of nothing none. */
export function toList(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

/**
 * The value of a JSON text, or of JSON values one a line (as an array); undefined when it is neither.
 * A byte order mark is skipped; numbers beyond a double are Infinity and read as absent later.
 */
export function parseJson(text: string): unknown {
  const plain = text.startsWith('\uFEFF') ? text.slice(1) : text;
  const whole = tryParse(plain);
  if (whole !== undefined) return whole;
  const lines = plain.split('\n').filter((line) => line.trim() !== '');
  if (lines.length < 2) return undefined;
  const values: unknown[] = [];
  for (const line of lines) {
    const value = tryParse(line);
    if (value === undefined) return undefined;
    values.push(value);
  }
  return values;
}

/** The value of a JSON text without the NUL that its strings may spell; undefined when it is none. */
export function tryParse(text: string): unknown {
  try {
    return JSON.parse(text.includes(NUL) ? text.replaceAll(BACKSLASH_OR_NUL, '$1') : text);
  } catch {
    return undefined;
  }
}

/** How JSON spells NUL; behind a backslash of its own it is plain text. */
const NUL = String.raw`\u0000`;
const BACKSLASH_OR_NUL = /(\\\\)|\\u0000/g;
