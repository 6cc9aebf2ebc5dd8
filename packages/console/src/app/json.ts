/** The member of a JSON value behind a path of names; undefined where anything on the way is missing. */
export function valueAt(value: unknown, ...path: readonly (string | number)[]): unknown {
  let found: unknown = value;
  for (const name of path) {
    if (typeof found !== 'object' || found === null) return undefined;
    found = Object.hasOwn(found, name) ? Reflect.get(found, name) : undefined;
  }
  return found;
}

/** A text of an answer, empty where there is none. */
export function textAt(value: unknown, ...path: readonly (string | number)[]): string {
  const found = valueAt(value, ...path);
  return typeof found === 'string' ? found : '';
}

/** A number of an answer, null where there is none. */
export function numberAt(value: unknown, ...path: readonly (string | number)[]): number | null {
  const found = valueAt(value, ...path);
  return typeof found === 'number' ? found : null;
}

/** A list of an answer, empty where there is none. */
export function listAt(value: unknown, ...path: readonly (string | number)[]): readonly unknown[] {
  const found = valueAt(value, ...path);
  return Array.isArray(found) ? found : [];
}

/** Whether a member of an answer is true. */
export function isTrueAt(value: unknown, ...path: readonly (string | number)[]): boolean {
  return valueAt(value, ...path) === true;
}

/** Whether a value is an object with members. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An object of an answer, empty where there is none. */
export function recordAt(value: unknown, ...path: readonly (string | number)[]): Readonly<Record<string, unknown>> {
  const found = valueAt(value, ...path);
  return isRecord(found) ? found : {};
}

/** A JSON text as its value; undefined where it is none. */
export function jsonIn(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}
