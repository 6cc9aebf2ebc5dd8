import { isJsonObject, type JsonObject } from '#extract/values/json-object.ts';
import { memberOf } from '#extract/values/json.ts';
import { readMoment } from '#extract/values/dates.ts';
import { compilePattern } from '#extract/select/patterns.ts';

/**
 * Whether a value meets a schema that `readJsonSchema` has passed (JSON Schema 2020-12, its keywords).
 * Interpreted rather than compiled to code, because the schema is a stranger's.
 */
export function isValid(schema: JsonObject, value: unknown): boolean {
  return (
    isOfType(memberOf(schema, 'type'), value) &&
    isInEnum(schema, value) &&
    meetsCombinations(schema, value) &&
    (typeof value !== 'string' || isValidString(schema, value)) &&
    (typeof value !== 'number' || isValidNumber(schema, value)) &&
    (!Array.isArray(value) || isValidArray(schema, value)) &&
    (!isJsonObject(value) || isValidObject(schema, value))
  );
}

/** The schemas under a keyword that lists them. */
export function listSchemas(schema: JsonObject, keyword: string): readonly JsonObject[] {
  const schemas = memberOf(schema, keyword);
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
  const listed = memberOf(schema, 'enum');
  if (Array.isArray(listed) && !listed.some((one) => isEqual(one, value))) return false;
  return !Object.hasOwn(schema, 'const') || isEqual(schema['const'], value);
}

function isEqual(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

function meetsCombinations(schema: JsonObject, value: unknown): boolean {
  const any = listSchemas(schema, 'anyOf');
  const one = listSchemas(schema, 'oneOf');
  return (
    listSchemas(schema, 'allOf').every((inner) => isValid(inner, value)) &&
    (any.length === 0 || any.some((inner) => isValid(inner, value))) &&
    (one.length === 0 || one.filter((inner) => isValid(inner, value)).length === 1)
  );
}

function isValidString(schema: JsonObject, value: string): boolean {
  const pattern = memberOf(schema, 'pattern');
  if (!isWithin(schema, countCharacters(value), 'minLength', 'maxLength')) return false;
  if (typeof pattern === 'string' && !compilePattern(pattern).matches(value)) return false;
  return isOfFormat(memberOf(schema, 'format'), value);
}

/** Characters as JSON Schema counts them: a surrogate pair is one. */
function countCharacters(text: string): number {
  let count = text.length;
  for (let at = 0; at < text.length; at++) if ((text.charCodeAt(at) & 0xfc00) === 0xd800) count -= 1;
  return count;
}

/** The formats that decide how a value is read; others are notes, as the standard has it. */
function isOfFormat(format: unknown, value: string): boolean {
  if (format === 'date') return /^\d{4}-\d\d-\d\d$/.test(value) && readMoment(value, null) !== null;
  if (format === 'date-time') return readMoment(value, null)?.instant !== null && /T/.test(value);
  return format === 'uri' ? URL.canParse(value) : true;
}

function isValidNumber(schema: JsonObject, value: number): boolean {
  const above = memberOf(schema, 'exclusiveMinimum');
  const below = memberOf(schema, 'exclusiveMaximum');
  const step = memberOf(schema, 'multipleOf');
  if (typeof above === 'number' && value <= above) return false;
  if (typeof below === 'number' && value >= below) return false;
  if (typeof step === 'number' && step > 0 && Math.abs(value / step - Math.round(value / step)) > 1e-9) return false;
  return isWithin(schema, value, 'minimum', 'maximum');
}

function isValidArray(schema: JsonObject, value: readonly unknown[]): boolean {
  const items = memberOf(schema, 'items');
  if (!isWithin(schema, value.length, 'minItems', 'maxItems')) return false;
  if (memberOf(schema, 'uniqueItems') === true && new Set(value.map((one) => JSON.stringify(one))).size < value.length)
    return false;
  return !isJsonObject(items) || value.every((one) => isValid(items, one));
}

function isValidObject(schema: JsonObject, value: JsonObject): boolean {
  const properties = memberOf(schema, 'properties');
  const required = memberOf(schema, 'required');
  if (!isWithin(schema, Object.keys(value).length, 'minProperties', 'maxProperties')) return false;
  if (Array.isArray(required) && required.some((name) => !Object.hasOwn(value, String(name)))) return false;
  return Object.entries(value).every(([name, member]) => {
    const inner = memberOf(properties, name);
    if (isJsonObject(inner)) return isValid(inner, member);
    const others = memberOf(schema, 'additionalProperties');
    return isJsonObject(others) ? isValid(others, member) : others !== false;
  });
}

function isWithin(schema: JsonObject, size: number, least: string, most: string): boolean {
  const low = memberOf(schema, least);
  const high = memberOf(schema, most);
  return (typeof low !== 'number' || size >= low) && (typeof high !== 'number' || size <= high);
}
