import { isJsonObject } from '#extract/values/json-object.ts';
import { NAMED_METADATA } from '#extract/schema/names.ts';
import { z } from 'zod';

/** A JSON Schema object. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Converts a zod schema to JSON Schema (2020-12) without `$schema`. `io` selects the schema before or after transforms. */
export function toJsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  return withoutDialect(z.toJSONSchema(schema, { io, unrepresentable: 'any' }));
}

/** Like `toJsonSchema`, with named schemas as definitions. Answers allow unknown members, since later versions may add some. */
export function toNamedSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  return withoutDialect(
    z.toJSONSchema(schema, {
      io,
      unrepresentable: 'any',
      metadata: NAMED_METADATA,
      override({ zodSchema, jsonSchema }) {
        const isOpen = zodSchema instanceof z.ZodObject && zodSchema.def.catchall === undefined;
        if (io === 'output' && isOpen) delete jsonSchema.additionalProperties;
        // Limits of JavaScript numbers and patterns of named formats are noise for readers.
        if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
        if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
        // Every name in JSON is a string.
        if (isJsonObject(jsonSchema.propertyNames) && isPlainString(jsonSchema.propertyNames))
          delete jsonSchema.propertyNames;
        if (jsonSchema.format === 'date-time' || jsonSchema.format === 'date') delete jsonSchema.pattern;
      },
    }),
  );
}

function isPlainString(schema: JsonSchema): boolean {
  return Object.keys(schema).join() === 'type' && schema['type'] === 'string';
}

function withoutDialect(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => name !== '$schema'));
}

/** Returns the members of an object schema by name; none for any other schema. */
export function listMembers(schema: JsonSchema): readonly (readonly [string, JsonSchema])[] {
  return isJsonObject(schema['properties'])
    ? Object.entries(schema['properties']).map(([name, member]) => [name, isJsonObject(member) ? member : {}])
    : [];
}

/** Returns the names of required members. */
export function listRequired(schema: JsonSchema): readonly string[] {
  return Array.isArray(schema['required']) ? schema['required'].filter((name) => typeof name === 'string') : [];
}

/** Returns the schema of the items of an array. */
export function getItems(schema: JsonSchema): JsonSchema {
  return isJsonObject(schema['items']) ? schema['items'] : {};
}

/** Lists the alternatives of a schema: the branches of unions, with references resolved within `root`. */
export function listForms(schema: JsonSchema, root: JsonSchema): readonly JsonSchema[] {
  const forms: JsonSchema[] = [];
  const open: JsonSchema[] = [schema];
  const seen = new Set<JsonSchema>();
  for (let next = open.shift(); next !== undefined; next = open.shift()) {
    if (seen.has(next)) continue;
    seen.add(next);
    const reference = next['$ref'];
    const branches = [next['anyOf'], next['oneOf'], next['allOf']].flatMap((list) => (Array.isArray(list) ? list : []));
    if (typeof reference === 'string') open.push(resolveReference(reference, root));
    if (branches.length > 0) open.push(...branches.filter(isJsonObject));
    if (typeof reference !== 'string' && branches.length === 0) forms.push(...splitTypes(next));
  }
  return forms;
}

/** Splits a schema with several types into one for each type. */
function splitTypes(schema: JsonSchema): readonly JsonSchema[] {
  const { type } = schema;
  return Array.isArray(type) ? type.map((one: unknown) => ({ ...schema, type: one })) : [schema];
}

function resolveReference(reference: string, root: JsonSchema): JsonSchema {
  let at: unknown = root;
  for (const step of reference.split('/').slice(1)) at = isJsonObject(at) ? at[step] : undefined;
  return isJsonObject(at) ? at : {};
}
