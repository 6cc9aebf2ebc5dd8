/** Returns the member of a JSON value at a path of names; undefined if any part of the path is missing. */
export function getValue(value: unknown, ...path: readonly (string | number)[]): unknown {
  let found: unknown = value;
  for (const name of path) {
    if (typeof found !== 'object' || found === null) return undefined;
    found = Object.hasOwn(found, name) ? Reflect.get(found, name) : undefined;
  }
  return found;
}

/** Returns the string at a path; empty if there is none. */
export function getText(value: unknown, ...path: readonly (string | number)[]): string {
  const found = getValue(value, ...path);
  return typeof found === 'string' ? found : '';
}

/** Returns the number at a path; null if there is none. */
export function getNumber(value: unknown, ...path: readonly (string | number)[]): number | null {
  const found = getValue(value, ...path);
  return typeof found === 'number' ? found : null;
}

/** Returns the array at a path; empty if there is none. */
export function getList(value: unknown, ...path: readonly (string | number)[]): readonly unknown[] {
  const found = getValue(value, ...path);
  return Array.isArray(found) ? found : [];
}

/** Whether the member at a path is `true`. */
export function isTrue(value: unknown, ...path: readonly (string | number)[]): boolean {
  return getValue(value, ...path) === true;
}

/** Whether a value is an object and no array. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the object at a path; empty if there is none. */
export function getRecord(value: unknown, ...path: readonly (string | number)[]): Readonly<Record<string, unknown>> {
  const found = getValue(value, ...path);
  return isRecord(found) ? found : {};
}

/** Parses JSON; undefined if the text is not valid JSON. */
export function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}
