import { isJsonObject, type JsonObject } from '#extract/values/json-object.ts';
import { memberOf, setMember } from '#extract/values/json.ts';
import { isValid, listSchemas } from './validate.ts';

/** An object with what an answer added to it. */
export type CompletedObject = {
  readonly json: Readonly<Record<string, unknown>>;
  /** Dotted paths of members that are still null. */
  readonly missing: readonly string[];
  /** Of these the required ones, and those that no schema allows. */
  readonly unmet: readonly string[];
  /** Dotted paths of the members that came from the answer. */
  readonly filled: readonly string[];
};

type FillReport = { readonly missing: string[]; readonly unmet: string[]; readonly filled: string[] };
type ValuePair = { readonly known: unknown; readonly answer: unknown };

/**
 * Puts into the gaps of `known` what `answer` has for them, as far as it meets the schema. What is known stays: the page's
 * own word goes before that of a model. Members that no schema names are dropped.
 */
export function fillSchema(schema: JsonObject, known: JsonObject, answer: JsonObject): CompletedObject {
  const walk: FillReport = { missing: [], unmet: [], filled: [] };
  const json = fillObject(schema, { known, answer }, '', walk);
  if (walk.unmet.length === 0 && walk.missing.length === 0 && !isValid(schema, json)) {
    walk.unmet.push('the object as a whole');
  }
  return { json, ...walk };
}

/** A sentence that names the required members of a schema that were not found. */
export function describeUnmet(unmet: readonly string[]): string {
  return `the page lacks required members of the schema: ${unmet.join(', ')}`;
}

function fillObject(
  schema: JsonObject,
  { known, answer }: ValuePair,
  path: string,
  walk: FillReport,
): Record<string, unknown> {
  const json: Record<string, unknown> = {};
  const properties = memberOf(schema, 'properties');
  const required = memberOf(schema, 'required');
  const names = new Set(Array.isArray(required) ? required : []);
  for (const [name, inner] of Object.entries(isJsonObject(properties) ? properties : {})) {
    if (!isJsonObject(inner)) continue;
    const at = path === '' ? name : `${path}.${name}`;
    const value = fillMember(inner, { known: memberOf(known, name), answer: memberOf(answer, name) }, at, walk);
    if (value === null) walk.missing.push(at);
    if (value === null && names.has(name) && !isValid(inner, null)) walk.unmet.push(at);
    setMember(json, name, value);
  }
  return json;
}

/** The known value, completed where it is an object or a list of objects; else the answer, if it fits. */
function fillMember(
  schema: JsonObject,
  { known = null, answer = null }: ValuePair,
  path: string,
  walk: FillReport,
): unknown {
  const shape = findObjectSchema(schema);
  if (shape !== null && isJsonObject(known)) return fillObject(shape, { known, answer }, path, walk);
  const row = findObjectSchema(memberOf(schema, 'items'));
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

/** A value without the members that its schema does not name, where the schema names any. */
function removeUnknownMembers(schema: JsonObject, value: unknown): unknown {
  if (Array.isArray(value)) {
    const items = memberOf(schema, 'items');
    return isJsonObject(items) ? value.map((one) => removeUnknownMembers(items, one)) : value;
  }
  const shape = findObjectSchema(schema);
  if (shape === null || !isJsonObject(value)) return value;
  const kept: Record<string, unknown> = {};
  const properties = memberOf(shape, 'properties');
  for (const [name, inner] of Object.entries(isJsonObject(properties) ? properties : {})) {
    if (Object.hasOwn(value, name) && isJsonObject(inner))
      setMember(kept, name, removeUnknownMembers(inner, value[name]));
  }
  return kept;
}

/** The object that a schema describes, by itself or as one of its alternatives; null when it describes none. */
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
