import { isJsonObject } from '#extract/values/json-object.ts';
import type { JsonObject } from '#extract/values/json-object.ts';
import type { ParsedPage } from '#extract/dom/parsed-page.ts';
import { jsonScript, objectsWith } from '#extract/dom/scripts.ts';
import { findObjects, findWith } from '#extract/json/search.ts';
import { at, line } from '#extract/values/raw.ts';

/** What a page of the site was drawn from; undefined for a page without its data. */
function stateIn(page: ParsedPage): unknown {
  const data = jsonScript(page, { id: '__PWS_INITIAL_PROPS__' }) ?? jsonScript(page, { id: '__PWS_DATA__' });
  return at(data, 'initialReduxState') ?? at(data, 'props', 'initialReduxState');
}

/** The pin of a number: where the page keeps its pins, else among the answers of the interface that it keeps. */
export function drawnPin(page: ParsedPage, id: string): unknown {
  const state = stateIn(page);
  const isIt = (one: JsonObject): boolean => line(one['id']) === id && isJsonObject(one['images']);
  return at(state, 'pins', id) ?? findObjects(at(state, 'resources'), isIt)[0];
}

/** The accounts that the page keeps, and those in the answers of the interface. */
export function drawnAccounts(page: ParsedPage): readonly unknown[] {
  const state = stateIn(page);
  return [...Object.values(Object(at(state, 'users'))), ...findWith(at(state, 'resources'), 'username', 'pin_count')];
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
