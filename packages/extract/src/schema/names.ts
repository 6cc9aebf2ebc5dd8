import { z } from 'zod';

const names = z.registry<{ id: string }>();

/** Names a schema for the OpenAPI document, and so for the clients. */
export function nameSchema<T extends z.ZodType>(name: string, schema: T): T {
  names.add(schema, { id: name });
  return schema;
}

/** The name of a schema; undefined if it has none. */
export function getSchemaName(schema: z.ZodType): string | undefined {
  return names.get(schema)?.id;
}

/** The metadata of each schema, including its name: a named schema becomes a definition of its own. */
export const NAMED_METADATA = Object.assign(z.registry<Record<string, unknown>>(), {
  get: (schema: z.core.$ZodType) => ({ ...z.globalRegistry.get(schema), ...names.get(schema) }),
});
