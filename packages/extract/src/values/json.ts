import { isJsonObject } from '#extract/values/json-object.ts';

/** The own member of an object; undefined if it is absent or the value is no object. */
export function getMember(value: unknown, name: string): unknown {
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** Sets an own member of any name; `__proto__` is set as data and does not change the prototype. */
export function setMember(target: Record<string, unknown>, name: string, value: unknown): void {
  // Defining a property is several times slower than assigning it.
  if (name !== '__proto__') target[name] = value;
  else Object.defineProperty(target, name, { value, writable: true, enumerable: true, configurable: true });
}

/** A value as a list: an array as it is, null or undefined as an empty list, anything else as its only element. */
export function toList(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

/**
 * Parses a JSON text, or one JSON value per line (as an array); undefined if it is neither. Skips a byte order mark.
 * Numbers too large for a double become Infinity, which later steps treat as absent.
 */
export function parseJson(text: string): unknown {
  const plain = text.startsWith('\uFEFF') ? text.slice(1) : text;
  const whole = parseJsonValue(plain);
  if (whole !== undefined) return whole;
  const lines = plain.split('\n').filter((line) => line.trim() !== '');
  if (lines.length < 2) return undefined;
  const values: unknown[] = [];
  for (const line of lines) {
    const value = parseJsonValue(line);
    if (value === undefined) return undefined;
    values.push(value);
  }
  return values;
}

/** Parses a JSON text, dropping escaped NUL characters from its strings; undefined if it is not JSON. */
export function parseJsonValue(text: string): unknown {
  try {
    return JSON.parse(text.includes(NUL) ? text.replaceAll(BACKSLASH_OR_NUL, '$1') : text);
  } catch {
    return undefined;
  }
}

/** The JSON escape of NUL. After another backslash it is literal text. */
const NUL = String.raw`\u0000`;
const BACKSLASH_OR_NUL = /(\\\\)|\\u0000/g;
