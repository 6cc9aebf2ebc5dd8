import { isJsonObject } from '#extract/values/json-object.ts';
import type { ParsedPage } from '#extract/dom/parsed-page.ts';
import { variablesOf } from '#extract/dom/scripts.ts';
import { at } from '#extract/values/raw.ts';

/** The values that a page of Google's store hands to its scripts, in their order. Their keys differ from page to page. */
export function playData(page: ParsedPage): readonly unknown[] {
  return variablesOf(page, 'AF_initDataCallback(')
    .map((call) => at(call, 'data'))
    .filter((data) => data !== undefined);
}

/**
 * A field of a message by its place. Fields far behind the others stand in an object at the end, by their numbers, which
 * are one more than their places.
 */
export function fieldOf(message: unknown, place: number, ...path: readonly number[]): unknown {
  if (!Array.isArray(message)) return undefined;
  const last: unknown = message.at(-1);
  const near: unknown = place < message.length ? message[place] : undefined;
  const isTail = isJsonObject(last) && (near === last || near === undefined || near === null);
  const value = isTail ? at(last, String(place + 1)) : near;
  return path.length === 0 ? (value ?? undefined) : at(value, ...path);
}

const MOST_VALUES = 400_000;
const DEEPEST = 64;

/** The lists anywhere inside a value that a test accepts, in its order; what is inside of an accepted one is not looked at. */
export function listsIn(
  root: unknown,
  accepts: (list: readonly unknown[]) => boolean,
): readonly (readonly unknown[])[] {
  const found: (readonly unknown[])[] = [];
  const waiting: { readonly value: unknown; readonly depth: number }[] = [{ value: root, depth: 0 }];
  for (let left = MOST_VALUES; left > 0; left--) {
    const next = waiting.pop();
    if (next === undefined) break;
    const { value, depth } = next;
    if (Array.isArray(value) && accepts(value)) {
      found.push(value);
      continue;
    }
    if (depth >= DEEPEST) continue;
    const inner: readonly unknown[] = Array.isArray(value) ? value : isJsonObject(value) ? Object.values(value) : [];
    for (let index = inner.length - 1; index >= 0; index--) {
      const child = inner[index];
      if (typeof child === 'object' && child !== null) waiting.push({ value: child, depth: depth + 1 });
    }
  }
  return found;
}
