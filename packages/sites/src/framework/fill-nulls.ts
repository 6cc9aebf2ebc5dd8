import { isJsonObject, type JsonObject } from '#extract/values/json-object.ts';
import { memberOf } from '#extract/values/json.ts';

/** Whether one of the dotted paths leads to nothing. */
export function hasGaps(record: JsonObject, paths: readonly string[]): boolean {
  return paths.some((path) => !hasSome(record, path));
}

/** Whether there is something at a dotted path; past a list, in one of its elements. */
export function hasSome(value: unknown, path: string): boolean {
  if (Array.isArray(value)) return value.some((one) => hasSome(one, path));
  if (path === '') return value !== null && value !== undefined;
  const [name = '', ...rest] = path.split('.');
  return hasSome(memberOf(value, name), rest.join('.'));
}

/** One record with another's values in the place of its nulls, member by member; lists are taken whole. */
export function fillNulls(record: JsonObject, other: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => {
      const more = memberOf(other, name);
      if (value === null) return [name, more ?? null];
      return [name, isJsonObject(value) && isJsonObject(more) ? fillNulls(value, more) : value];
    }),
  );
}
