import { isJsonObject, type JsonObject } from '#extract/values/json-object.ts';
import { getMember, setMember } from '#extract/values/json.ts';

const MAX_DEPTH = 512;
const MAX_VALUES = 400_000;
const MAX_FOUND = 10_000;

/**
 * Finds all nested objects that a predicate accepts, in document order, outer before inner: at most 10,000, in the
 * first 400,000 values, 512 levels deep.
 */
export function findObjects(root: unknown, accepts: (object: JsonObject) => boolean): readonly JsonObject[] {
  const found: JsonObject[] = [];
  const waiting: { readonly value: unknown; readonly depth: number }[] = [{ value: root, depth: 0 }];
  let left = MAX_VALUES;
  for (let next = waiting.pop(); next !== undefined && left > 0; next = waiting.pop()) {
    const { value, depth } = next;
    left -= 1;
    if (isJsonObject(value) && accepts(value) && found.push(value) >= MAX_FOUND) return found;
    if (depth >= MAX_DEPTH) continue;
    const inner = Array.isArray(value) ? value : isJsonObject(value) ? Object.values(value) : [];
    for (let at = Math.min(inner.length, left) - 1; at >= 0; at--) {
      const child: unknown = inner[at];
      if (typeof child === 'object' && child !== null) waiting.push({ value: child, depth: depth + 1 });
    }
  }
  return found;
}

/** Finds all nested objects that have all of the members, whatever their values. */
export function findObjectsWith(root: unknown, ...names: readonly string[]): readonly JsonObject[] {
  return findObjects(root, (object) => names.every((name) => Object.hasOwn(object, name)));
}

/** Merges fragments of one object: for each member the first value that is not null. */
export function mergeFragments(fragments: readonly JsonObject[]): JsonObject {
  const whole: Record<string, unknown> = {};
  for (const fragment of fragments) {
    for (const [name, value] of Object.entries(fragment)) {
      const known = getMember(whole, name);
      if (known === undefined || known === null) setMember(whole, name, value);
    }
  }
  return whole;
}
