import type { Position } from '#engine/results/result-reader.ts';
import { OUTPUTS } from '#extract/reading.ts';
import { isJsonObject } from '#kernel/json.ts';
import type { JsonObject } from '#kernel/json.ts';

/** Texts beyond this many characters are answered by their size. */
const LONGEST_SHOWN = 300;

const TEXTS: ReadonlySet<string> = new Set(OUTPUTS);

/** An element of a result without its bulk: short members, the title of a page, sizes of texts, and its place. */
export function outlineElement(element: unknown, position: Position | undefined): JsonObject {
  const place = position === undefined ? '' : `${position.seq}.${position.at}`;
  if (!isJsonObject(element)) return { place };
  const chars: Record<string, number> = {};
  const kept: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(element)) {
    if (typeof value === 'string' && (TEXTS.has(name) || value.length > LONGEST_SHOWN)) chars[name] = value.length;
    else if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') kept[name] = value;
    else if (name === 'error') kept[name] = value;
  }
  const { metadata } = element;
  const title = isJsonObject(metadata) ? { title: metadata['title'] } : {};
  return { place, ...title, ...kept, ...(Object.keys(chars).length === 0 ? {} : { chars }) };
}
