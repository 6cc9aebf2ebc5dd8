import { isJsonObject } from './json-object.ts';

/**
 * Merges two values of the same shape. The first that is not null counts; lists are joined without equal rows, and objects
 * merged by member.
 */
export function mergeJson(first: unknown, second: unknown): unknown {
  if (first === null || first === undefined) return second;
  if (Array.isArray(first) && Array.isArray(second)) {
    const rows = [...first, ...second].map((row: unknown) => [JSON.stringify(row), row] as const);
    return [...new Map(rows).values()];
  }
  if (!isJsonObject(first) || !isJsonObject(second)) return first;
  const names = new Set([...Object.keys(first), ...Object.keys(second)]);
  return Object.fromEntries([...names].map((name) => [name, mergeJson(first[name], second[name])]));
}
