import { isJsonObject } from '#kernel/json.ts';
import type { JsonObject } from '#kernel/json.ts';
import type { ParsedPage } from '#extract/dom/parsed-page.ts';
import { jsonScript, objectsWith } from '#extract/dom/scripts.ts';
import { at, line } from '#extract/values/raw.ts';

/** The things of a kind that a page of the site was drawn from, by their numbers; empty for a page without its data. */
export function drawnState(page: ParsedPage, kind: 'pins' | 'users'): Readonly<Record<string, unknown>> {
  const data = jsonScript(page, { id: '__PWS_INITIAL_PROPS__' }) ?? jsonScript(page, { id: '__PWS_DATA__' });
  const state = at(data, 'initialReduxState', kind) ?? at(data, 'props', 'initialReduxState', kind);
  return isJsonObject(state) ? state : {};
}

/** Answers for a pin that a page carries in its newer form, in the names of the older one. */
export function relayedPins(page: ParsedPage): readonly JsonObject[] {
  return objectsWith(page, 'v3GetPinQueryv2').flatMap((answer): readonly JsonObject[] => {
    const query = answer['v3GetPinQueryv2'];
    const pin = at(query, 'data');
    if (line(at(query, '__typename')) === 'PinNotFound') return [{ __typename: 'PinNotFound' }];
    const plain = underscored(pin, 0);
    if (!isJsonObject(plain)) return [];
    return [{ ...plain, id: plain['entity_id'], images: picturesOf(plain) }];
  });
}

const DEEPEST = 12;

/** The same value with the names of its members in lower case and underscores. */
function underscored(value: unknown, depth: number): unknown {
  if (depth > DEEPEST) return null;
  if (Array.isArray(value)) return value.map((one) => underscored(one, depth + 1));
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).map(([name, one]) => {
    const plain = /^[a-z]+[A-Z]/.test(name) ? name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) : name;
    return [plain, underscored(one, depth + 1)] as const;
  });
  const own = Object.fromEntries(members);
  return 'entity_id' in own ? { ...own, id: own['entity_id'] } : own;
}

/** `images_orig` and its like as one member. */
function picturesOf(pin: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(pin)
      .filter(([name]) => /^images_\w+$/.test(name))
      .map(([name, picture]) => [name.slice('images_'.length), picture]),
  );
}
