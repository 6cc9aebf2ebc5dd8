import { isJsonObject, type JsonObject } from '#extract/values/json-object.ts';
import { getMember } from '#extract/values/json.ts';

/** Whether the record has no value at one of the dotted paths. */
export function hasMissingValues(record: JsonObject, paths: readonly string[]): boolean {
  return paths.some((path) => !hasValueAt(record, path));
}

/** Whether there is a value other than null at a dotted path. In a list, one element with a value is enough. */
export function hasValueAt(value: unknown, path: string): boolean {
  if (Array.isArray(value)) return value.some((one) => hasValueAt(one, path));
  if (path === '') return value !== null && value !== undefined;
  const [name = '', ...rest] = path.split('.');
  return hasValueAt(getMember(value, name), rest.join('.'));
}

/** Replaces the null fields of a record with the values of another record, also in nested objects. Lists are not merged. */
export function fillNulls(record: JsonObject, other: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => {
      const more = getMember(other, name);
      if (value === null) return [name, more ?? null];
      return [name, isJsonObject(value) && isJsonObject(more) ? fillNulls(value, more) : value];
    }),
  );
}
