import { isJsonObject, type JsonObject } from '#extract/values/json-object.ts';
import { getMember, setMember } from '#extract/values/json.ts';
import type { TypedValue, ValueType } from '#extract/values/typed-values.ts';
import { isPriceName, readPriceAt } from '#extract/view/price-texts.ts';
import { isValid, listSchemas } from './json-schema.ts';
import { type Lookup, type LookupScope, type RawValue, toTypedValue } from './lookup.ts';

/** An object completed with the answer of a language model. */
export type CompletedObject = {
  readonly json: Readonly<Record<string, unknown>>;
  /** Dotted paths of members that are still null. */
  readonly missing: readonly string[];
  /** The missing members that are required, and those that the schema does not allow to be null. */
  readonly unmet: readonly string[];
  /** Dotted paths of the members taken from the answer. */
  readonly filled: readonly string[];
};

type FillReport = { readonly missing: string[]; readonly unmet: string[]; readonly filled: string[] };
type ValuePair = { readonly known: unknown; readonly answer: unknown };

/**
 * Fills the gaps of `known` from `answer`, as far as the schema allows. Known values stay: the page takes precedence
 * over a model. Members that the schema does not name are dropped.
 */
export function fillSchema(schema: JsonObject, known: JsonObject, answer: JsonObject): CompletedObject {
  const walk: FillReport = { missing: [], unmet: [], filled: [] };
  const json = fillObject(schema, { known, answer }, '', walk);
  if (walk.unmet.length === 0 && walk.missing.length === 0 && !isValid(schema, json)) {
    walk.unmet.push('the object as a whole');
  }
  return { json, ...walk };
}

/** A sentence that lists the required members that were not found. */
export function formatUnmet(unmet: readonly string[]): string {
  return `the page has no value for required members of the schema: ${unmet.join(', ')}`;
}

function fillObject(
  schema: JsonObject,
  { known, answer }: ValuePair,
  path: string,
  walk: FillReport,
): Record<string, unknown> {
  const json: Record<string, unknown> = {};
  const properties = getMember(schema, 'properties');
  const required = getMember(schema, 'required');
  const names = new Set(Array.isArray(required) ? required : []);
  for (const [name, inner] of Object.entries(isJsonObject(properties) ? properties : {})) {
    if (!isJsonObject(inner)) continue;
    const at = path === '' ? name : `${path}.${name}`;
    const value = fillMember(inner, { known: getMember(known, name), answer: getMember(answer, name) }, at, walk);
    if (value === null) walk.missing.push(at);
    if (value === null && names.has(name) && !isValid(inner, null)) walk.unmet.push(at);
    setMember(json, name, value);
  }
  return json;
}

/** The known value, completed if it is an object or a list of objects; else the answer, if it is valid. */
function fillMember(
  schema: JsonObject,
  { known = null, answer = null }: ValuePair,
  path: string,
  walk: FillReport,
): unknown {
  const shape = findObjectSchema(schema);
  if (shape !== null && isJsonObject(known)) return fillObject(shape, { known, answer }, path, walk);
  const row = findObjectSchema(getMember(schema, 'items'));
  if (Array.isArray(known) && known.length > 0) {
    const rows: readonly unknown[] = Array.isArray(answer) && answer.length === known.length ? answer : [];
    return row === null ? known : known.map((one, at) => fillRow(row, { known: one, answer: rows[at] }, path, walk));
  }
  if (known !== null && !Array.isArray(known)) return known;
  const trimmed = removeUnknownMembers(schema, answer);
  if (trimmed === null || !isValid(schema, trimmed)) return Array.isArray(known) ? known : null;
  walk.filled.push(path);
  return trimmed;
}

function fillRow(row: JsonObject, pair: ValuePair, path: string, walk: FillReport): unknown {
  return isJsonObject(pair.known) ? fillObject(row, pair, `${path}[]`, walk) : pair.known;
}

/** Removes the members that the schema does not name, unless it names none. */
function removeUnknownMembers(schema: JsonObject, value: unknown): unknown {
  if (Array.isArray(value)) {
    const items = getMember(schema, 'items');
    return isJsonObject(items) ? value.map((one) => removeUnknownMembers(items, one)) : value;
  }
  const shape = findObjectSchema(schema);
  if (shape === null || !isJsonObject(value)) return value;
  const kept: Record<string, unknown> = {};
  const properties = getMember(shape, 'properties');
  for (const [name, inner] of Object.entries(isJsonObject(properties) ? properties : {})) {
    if (Object.hasOwn(value, name) && isJsonObject(inner))
      setMember(kept, name, removeUnknownMembers(inner, value[name]));
  }
  return kept;
}

/** The object schema of a schema, directly or as one of its alternatives; null if there is none. */
function findObjectSchema(schema: unknown): JsonObject | null {
  if (!isJsonObject(schema)) return null;
  if (isJsonObject(schema['properties'])) return schema;
  for (const keyword of ['anyOf', 'oneOf', 'allOf']) {
    const found = listSchemas(schema, keyword)
      .map(findObjectSchema)
      .find((inner) => inner !== null);
    if (found !== undefined) return found;
  }
  return null;
}

type FilledObject = {
  readonly json: Readonly<Record<string, unknown>>;
  readonly missing: readonly string[];
  readonly unmet: readonly string[];
};

type FillState = { readonly lookup: Lookup; readonly missing: string[]; readonly unmet: string[] };

/**
 * Fills an object schema from the page by the names of its properties. Values that are not found or invalid are null
 * and listed in `missing`, and in `unmet` if they are required.
 */
export function extractSchema(schema: JsonObject, lookup: Lookup): FilledObject {
  const walk: FillState = { lookup, missing: [], unmet: [] };
  const json = readObject(schema, { kind: 'page' }, '', walk);
  if (walk.unmet.length === 0 && walk.missing.length === 0 && !isValid(schema, json))
    walk.unmet.push('the object as a whole');
  return { json, missing: walk.missing, unmet: walk.unmet };
}

function readObject(schema: JsonObject, scope: LookupScope, path: string, walk: FillState): Record<string, unknown> {
  const json: Record<string, unknown> = {};
  const properties = getMember(schema, 'properties');
  const required = getMember(schema, 'required');
  const names = new Set(Array.isArray(required) ? required : []);
  for (const [name, written] of Object.entries(isJsonObject(properties) ? properties : {})) {
    if (!isJsonObject(written)) continue;
    const at = path === '' ? name : `${path}.${name}`;
    const value = readProperty(name, written, scope, at, walk);
    const kept = value !== null && isAcceptable(written, value) ? value : null;
    if (kept === null) walk.missing.push(at);
    if (kept === null && names.has(name) && !isValid(written, null)) walk.unmet.push(at);
    setMember(json, name, kept);
  }
  for (const name of names)
    if (typeof name === 'string' && !Object.hasOwn(json, name)) walk.unmet.push(path === '' ? name : `${path}.${name}`);
  return json;
}

/** Objects are validated member by member while they are filled; here only plain values and lists of them are. */
function isAcceptable(schema: JsonObject, value: unknown): boolean {
  if (isJsonObject(value)) return true;
  if (Array.isArray(value) && value.some(isJsonObject)) return true;
  return isValid(schema, value);
}

function readProperty(name: string, written: JsonObject, scope: LookupScope, path: string, walk: FillState): unknown {
  const schema = chooseBranch(written);
  if (Object.hasOwn(schema, 'const')) return schema['const'];
  const type = getSchemaType(schema);
  const description = getMember(schema, 'description') ?? getMember(written, 'description');
  const isNumber = type === 'number' || type === 'integer';
  const found = walk.lookup.findNamed(name, typeof description === 'string' ? description : '', scope, { isNumber });
  if (type === 'object') {
    const inner = found.find((raw) => isJsonObject(raw.value))?.value;
    const before = { missing: walk.missing.length, unmet: walk.unmet.length };
    const object = readObject(
      schema,
      inner === undefined ? scope : { kind: 'json', value: getItemMembers(inner) },
      path,
      walk,
    );
    if (inner !== undefined || Object.values(object).some((value) => value !== null)) return object;
    // An object without any known member counts as one missing member.
    walk.missing.length = before.missing;
    walk.unmet.length = before.unmet;
    return null;
  }
  const items = getMember(schema, 'items');
  if (type === 'array' && isJsonObject(items))
    return readItems(
      chooseBranch(items),
      found.map((raw) => raw.value),
      path,
      walk,
    );
  const typed =
    type === 'array'
      ? found.map((raw) => raw.value)
      : found.flatMap((raw) => readTyped(name, getValueType(schema, type), raw, walk) ?? []);
  if (type === 'array') return typed.length === 0 ? null : typed;
  return typed[0] ?? null;
}

/** A number named as a price is parsed as a price. */
function readTyped(name: string, type: ValueType, raw: RawValue, walk: FillState): TypedValue | null {
  const { content } = walk.lookup.material;
  const tree = 'tree' in content ? content.tree : null;
  if (type !== 'number' || raw.node === undefined || tree === null || !isPriceName(name))
    return toTypedValue(type, raw, getValueContext(walk), tree);
  return readPriceAt(tree, raw.node, getValueContext(walk))?.amount ?? null;
}

function readItems(items: JsonObject, values: readonly unknown[], path: string, walk: FillState): unknown {
  if (values.length === 0) return null;
  const type = getSchemaType(items);
  if (type === 'object') {
    return values
      .filter(isJsonObject)
      .map((value) => readObject(items, { kind: 'json', value: getItemMembers(value) }, `${path}[]`, walk));
  }
  const typed = values.flatMap(
    (value) => toTypedValue(getValueType(items, type), { value, isMachineValue: true }, getValueContext(walk)) ?? [],
  );
  return typed.length === 0 ? null : typed;
}

function getValueContext({ lookup }: FillState) {
  const { url, metadata } = lookup.material;
  return { locale: metadata?.language ?? null, currency: null, baseUrl: url, charset: metadata?.charset ?? null };
}

/** A microdata item has its members under `properties`. */
function getItemMembers(value: unknown): unknown {
  const properties = getMember(value, 'properties');
  return isJsonObject(properties) && Array.isArray(getMember(value, 'type')) ? properties : value;
}

/** The first alternative that is not null: schemas usually mark optional members this way. */
function chooseBranch(schema: JsonObject): JsonObject {
  for (const keyword of ['anyOf', 'oneOf', 'allOf']) {
    const branch = listSchemas(schema, keyword).find((inner) => getMember(inner, 'type') !== 'null');
    if (branch !== undefined) return { ...schema, ...chooseBranch(branch) };
  }
  return schema;
}

function getSchemaType(schema: JsonObject): string {
  const type = getMember(schema, 'type');
  const named = Array.isArray(type) ? type.find((one) => one !== 'null') : type;
  if (typeof named === 'string') return named;
  return getMember(schema, 'properties') === undefined ? 'string' : 'object';
}

function getValueType(schema: JsonObject, type: string): ValueType {
  if (type === 'integer' || type === 'number' || type === 'boolean') return type;
  const format = getMember(schema, 'format');
  if (format === 'date') return 'date';
  if (format === 'date-time') return 'datetime';
  return format === 'uri' || format === 'url' ? 'url' : 'string';
}
