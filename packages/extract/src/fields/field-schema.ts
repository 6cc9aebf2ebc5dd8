import type { Extract, Field, FieldMap } from '#extract/grammar.ts';
import type { JsonObject } from '#extract/values/json-object.ts';
import { setMember } from '#extract/values/json.ts';
import type { ValueType } from '#extract/values/typed-values.ts';

/** The JSON Schema of each value type. */
const TYPE_SCHEMAS: Readonly<Record<ValueType, JsonObject>> = {
  string: { type: 'string' },
  html: { type: 'string' },
  integer: { type: 'integer' },
  number: { type: 'number' },
  boolean: { type: 'boolean' },
  date: { type: 'string', format: 'date' },
  datetime: { type: 'string', format: 'date-time' },
  url: { type: 'string', format: 'uri' },
  money: {
    type: 'object',
    properties: { amount: { type: 'number' }, currency: { type: ['string', 'null'], description: 'ISO 4217' } },
    required: ['amount', 'currency'],
  },
};

/** The JSON Schema of a requested object: the given one, or one built from its fields, each of which may be null. */
export function toJsonSchema(extract: Extract): JsonObject {
  return extract.schema ?? buildFieldsSchema(extract.fields);
}

function buildFieldsSchema(fields: FieldMap): JsonObject {
  const properties: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) setMember(properties, name, buildFieldSchema(field));
  return { type: 'object', properties };
}

function buildFieldSchema({ type = 'string', fields, many, description }: Field): JsonObject {
  const schema = fields === undefined ? TYPE_SCHEMAS[type] : buildFieldsSchema(fields);
  const annotation = description === undefined ? {} : { description };
  return many ? { type: 'array', items: schema, ...annotation } : { anyOf: [schema, { type: 'null' }], ...annotation };
}
