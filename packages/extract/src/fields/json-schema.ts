import { checkPattern, compilePattern } from '#extract/select/patterns.ts';
import { parseDate } from '#extract/values/dates.ts';
import { isJsonObject, type JsonObject } from '#extract/values/json-object.ts';
import { getMember } from '#extract/values/json.ts';

const MAX_DEPTH = 16;
const MAX_PROPERTIES = 200;
/** The most schemas after references are expanded, which would otherwise grow without bound. */
const MAX_SCHEMAS = 1000;
const MAX_LIST_VALUES = 1000;

const JSON_TYPES = ['string', 'integer', 'number', 'boolean', 'null', 'array', 'object'] as const;

type PlainKind = 'types' | 'count' | 'number' | 'boolean' | 'names' | 'values' | 'any' | 'text';
type KeywordKind = 'schema' | 'schemas' | 'properties' | 'pattern' | 'closed' | PlainKind;

/** All supported keywords and the kind of their value. Others are rejected, because they would be ignored silently. */
const KEYWORDS: ReadonlyMap<string, KeywordKind> = new Map(
  Object.entries({
    type: 'types',
    properties: 'properties',
    required: 'names',
    additionalProperties: 'closed',
    items: 'schema',
    enum: 'values',
    const: 'any',
    anyOf: 'schemas',
    oneOf: 'schemas',
    allOf: 'schemas',
    pattern: 'pattern',
    format: 'text',
    minLength: 'count',
    maxLength: 'count',
    minItems: 'count',
    maxItems: 'count',
    minProperties: 'count',
    maxProperties: 'count',
    uniqueItems: 'boolean',
    minimum: 'number',
    maximum: 'number',
    exclusiveMinimum: 'number',
    exclusiveMaximum: 'number',
    multipleOf: 'number',
    title: 'text',
    description: 'text',
    $comment: 'text',
    $schema: 'text',
    $id: 'text',
    default: 'any',
    examples: 'any',
    deprecated: 'boolean',
    readOnly: 'boolean',
    writeOnly: 'boolean',
  } as const),
);

/** A problem in a JSON Schema and its path, for the message of a 400 response. */
export class SchemaError extends Error {
  readonly path: readonly string[];

  constructor(path: readonly string[], message: string) {
    super(message);
    this.name = 'SchemaProblem';
    this.path = path;
  }
}

type SchemaWalk = { readonly root: JsonObject; schemas: number; properties: number };
type SchemaPlace = { readonly path: readonly string[]; readonly depth: number; readonly references: readonly string[] };

/**
 * Checks a JSON Schema (draft 2020-12, the keywords of {@link KEYWORDS}) and expands its local references. Throws a
 * SchemaError for remote or circular references, more than 16 levels, more than 200 properties, patterns outside RE2
 * syntax, unknown keywords, and a root that is not an object schema.
 */
export function parseJsonSchema(schema: JsonObject): JsonObject {
  const walk: SchemaWalk = { root: schema, schemas: 0, properties: 0 };
  const read = readSchema(schema, { path: [], depth: 1, references: [] }, walk);
  if (read['type'] !== 'object' || !isJsonObject(read['properties'])) {
    throw new SchemaError(['type'], 'the root of a schema must be of type object and have properties');
  }
  return read;
}

function readSchema(value: unknown, place: SchemaPlace, walk: SchemaWalk): JsonObject {
  if (!isJsonObject(value)) throw new SchemaError(place.path, 'a schema must be an object');
  if (place.depth > MAX_DEPTH) throw new SchemaError(place.path, `a schema must have at most ${MAX_DEPTH} levels`);
  walk.schemas += 1;
  if (walk.schemas > MAX_SCHEMAS)
    throw new SchemaError(place.path, `a schema must contain at most ${MAX_SCHEMAS} schemas`);
  const reference = getMember(value, '$ref');
  if (reference !== undefined) return readReference(value, reference, place, walk);
  const read: Record<string, unknown> = {};
  for (const [keyword, member] of Object.entries(value)) {
    if (keyword === '$defs' || keyword === 'definitions') continue;
    const kind = KEYWORDS.get(keyword);
    const path = [...place.path, keyword.slice(0, 100)];
    if (kind === undefined) throw new SchemaError(path, 'this keyword is not supported');
    read[keyword] = readKeyword(kind, member, { ...place, path }, walk);
  }
  return read;
}

/** The target of a local reference, overridden by the keywords next to the reference, such as a description. */
function readReference(value: JsonObject, reference: unknown, place: SchemaPlace, walk: SchemaWalk): JsonObject {
  const path = [...place.path, '$ref'];
  if (typeof reference !== 'string' || !/^#(?:\/|$)/.test(reference)) {
    throw new SchemaError(path, 'only references within the schema (#/…) are supported');
  }
  if (reference === '#' || place.references.includes(reference)) {
    throw new SchemaError(path, 'the reference is circular');
  }
  const target = resolvePointer(walk.root, reference.slice(2));
  if (target === undefined) throw new SchemaError(path, `${reference.slice(0, 100)} does not exist in the schema`);
  const referred = readSchema(target, { ...place, references: [...place.references, reference] }, walk);
  const { $ref: _, ...beside } = value;
  return { ...referred, ...readSchema(beside, place, walk) };
}

/** Resolves a JSON pointer in URI fragment form (RFC 6901). */
function resolvePointer(root: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(0, 64)
    .reduce<unknown>((at, token) => {
      const name = decodeToken(token);
      return Array.isArray(at) ? at[Number(name)] : getMember(at, name);
    }, root);
}

function decodeToken(token: string): string {
  try {
    return decodeURIComponent(token).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return token;
  }
}

function readKeyword(kind: KeywordKind, value: unknown, place: SchemaPlace, walk: SchemaWalk): unknown {
  const inner = { ...place, depth: place.depth + 1 };
  if (kind === 'schema') return readSchema(value, inner, walk);
  if (kind === 'schemas') return readSchemas(value, place, walk);
  if (kind === 'properties') return readProperties(value, inner, walk);
  if (kind === 'closed') return typeof value === 'boolean' ? value : readSchema(value, inner, walk);
  if (kind === 'pattern') return readPattern(value, place);
  const [isRight, expected] = PLAIN_KINDS[kind];
  if (!isRight(value)) throw new SchemaError(place.path, `expected ${expected}`);
  return value;
}

const PLAIN_KINDS: Readonly<Record<PlainKind, readonly [(value: unknown) => boolean, string]>> = {
  types: [isTypeOrTypes, `one of ${JSON_TYPES.join(', ')}, or a list of them`],
  count: [(value) => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0, 'a whole number'],
  number: [(value) => typeof value === 'number' && Number.isFinite(value), 'a number'],
  boolean: [(value) => typeof value === 'boolean', 'true or false'],
  names: [(value) => isShortList(value) && value.every((name) => typeof name === 'string'), 'a list of names'],
  values: [(value) => isShortList(value) && value.length > 0, `a list of 1 to ${MAX_LIST_VALUES} values`],
  text: [(value) => typeof value === 'string', 'a string'],
  any: [() => true, 'a value'],
};

function isShortList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length <= MAX_LIST_VALUES;
}

function isTypeOrTypes(value: unknown): boolean {
  if (!Array.isArray(value)) return isJsonType(value);
  return value.length > 0 && value.length <= JSON_TYPES.length && value.every(isJsonType);
}

function isJsonType(value: unknown): boolean {
  return JSON_TYPES.some((type) => type === value);
}

function readSchemas(value: unknown, place: SchemaPlace, walk: SchemaWalk): readonly JsonObject[] {
  if (!Array.isArray(value) || value.length === 0 || value.length > 20) {
    throw new SchemaError(place.path, 'expected a list of 1 to 20 schemas');
  }
  return value.map((schema, index) =>
    readSchema(schema, { ...place, path: [...place.path, String(index)], depth: place.depth + 1 }, walk),
  );
}

function readProperties(value: unknown, place: SchemaPlace, walk: SchemaWalk): JsonObject {
  if (!isJsonObject(value)) throw new SchemaError(place.path, 'expected an object of schemas');
  const read: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(value)) {
    const path = [...place.path, name.slice(0, 100)];
    walk.properties += 1;
    if (walk.properties > MAX_PROPERTIES)
      throw new SchemaError(path, `a schema must have at most ${MAX_PROPERTIES} properties`);
    const problem = checkMemberName(name);
    if (problem !== null) throw new SchemaError(path, problem);
    read[name] = readSchema(schema, { ...place, path }, walk);
  }
  return read;
}

/** The problem of a field or property name; null if it is valid. */
export function checkMemberName(name: string): string | null {
  if (name === '' || name.length > 100) return 'a name must have 1 to 100 characters';
  if (name === 'prototype' || name in Object.prototype) return 'this name is reserved';
  return /\p{Cc}/u.test(name) ? 'a name must not contain control characters' : null;
}

function readPattern(value: unknown, place: SchemaPlace): string {
  if (typeof value !== 'string') throw new SchemaError(place.path, 'expected a string');
  const problem = checkPattern(value);
  if (problem !== null) throw new SchemaError(place.path, problem);
  return value;
}

/**
 * Whether a value is valid under a schema that `parseJsonSchema` has accepted. Interprets the schema instead of
 * compiling it to code, because it comes from an untrusted caller.
 */
export function isValid(schema: JsonObject, value: unknown): boolean {
  return (
    isOfType(getMember(schema, 'type'), value) &&
    isInEnum(schema, value) &&
    meetsCombinations(schema, value) &&
    (typeof value !== 'string' || isValidString(schema, value)) &&
    (typeof value !== 'number' || isValidNumber(schema, value)) &&
    (!Array.isArray(value) || isValidArray(schema, value)) &&
    (!isJsonObject(value) || isValidObject(schema, value))
  );
}

/** The schemas in a keyword's list. */
export function listSchemas(schema: JsonObject, keyword: string): readonly JsonObject[] {
  const schemas = getMember(schema, keyword);
  return Array.isArray(schemas) ? schemas.filter(isJsonObject) : [];
}

function isOfType(type: unknown, value: unknown): boolean {
  if (type === undefined) return true;
  if (Array.isArray(type)) return type.some((one) => isOfType(one, value));
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isJsonObject(value);
  if (type === 'integer') return Number.isInteger(value);
  return typeof value === type;
}

function isInEnum(schema: JsonObject, value: unknown): boolean {
  const listed = getMember(schema, 'enum');
  if (Array.isArray(listed) && !listed.some((one) => isEqual(one, value))) return false;
  return !Object.hasOwn(schema, 'const') || isEqual(schema['const'], value);
}

function isEqual(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

function meetsCombinations(schema: JsonObject, value: unknown): boolean {
  const any = listSchemas(schema, 'anyOf');
  const alternatives = listSchemas(schema, 'oneOf');
  return (
    listSchemas(schema, 'allOf').every((inner) => isValid(inner, value)) &&
    (any.length === 0 || any.some((inner) => isValid(inner, value))) &&
    (alternatives.length === 0 || alternatives.filter((inner) => isValid(inner, value)).length === 1)
  );
}

function isValidString(schema: JsonObject, value: string): boolean {
  const pattern = getMember(schema, 'pattern');
  if (!isWithin(schema, countCharacters(value), 'minLength', 'maxLength')) return false;
  if (typeof pattern === 'string' && !compilePattern(pattern).matches(value)) return false;
  return isOfFormat(getMember(schema, 'format'), value);
}

/** The length as JSON Schema counts it: a surrogate pair is one character. */
function countCharacters(text: string): number {
  let count = text.length;
  for (let at = 0; at < text.length; at++) if ((text.charCodeAt(at) & 0xfc00) === 0xd800) count -= 1;
  return count;
}

/** Checks the formats that affect parsing; the standard makes all others annotations. */
function isOfFormat(format: unknown, value: string): boolean {
  if (format === 'date') return /^\d{4}-\d\d-\d\d$/.test(value) && parseDate(value, null) !== null;
  if (format === 'date-time') return parseDate(value, null)?.instant !== null && /T/.test(value);
  return format === 'uri' ? URL.canParse(value) : true;
}

function isValidNumber(schema: JsonObject, value: number): boolean {
  const above = getMember(schema, 'exclusiveMinimum');
  const below = getMember(schema, 'exclusiveMaximum');
  const step = getMember(schema, 'multipleOf');
  if (typeof above === 'number' && value <= above) return false;
  if (typeof below === 'number' && value >= below) return false;
  if (typeof step === 'number' && step > 0 && Math.abs(value / step - Math.round(value / step)) > 1e-9) return false;
  return isWithin(schema, value, 'minimum', 'maximum');
}

function isValidArray(schema: JsonObject, value: readonly unknown[]): boolean {
  const items = getMember(schema, 'items');
  if (!isWithin(schema, value.length, 'minItems', 'maxItems')) return false;
  if (getMember(schema, 'uniqueItems') === true && new Set(value.map((one) => JSON.stringify(one))).size < value.length)
    return false;
  return !isJsonObject(items) || value.every((one) => isValid(items, one));
}

function isValidObject(schema: JsonObject, value: JsonObject): boolean {
  const properties = getMember(schema, 'properties');
  const required = getMember(schema, 'required');
  if (!isWithin(schema, Object.keys(value).length, 'minProperties', 'maxProperties')) return false;
  if (Array.isArray(required) && required.some((name) => !Object.hasOwn(value, String(name)))) return false;
  return Object.entries(value).every(([name, member]) => {
    const inner = getMember(properties, name);
    if (isJsonObject(inner)) return isValid(inner, member);
    const others = getMember(schema, 'additionalProperties');
    return isJsonObject(others) ? isValid(others, member) : others !== false;
  });
}

function isWithin(schema: JsonObject, size: number, least: string, most: string): boolean {
  const low = getMember(schema, least);
  const high = getMember(schema, most);
  return (typeof low !== 'number' || size >= low) && (typeof high !== 'number' || size <= high);
}
