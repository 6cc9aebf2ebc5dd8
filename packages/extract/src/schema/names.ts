import { z } from 'zod';

const names = z.registry<{ id: string }>();

/** Gives a schema the name that it has in the OpenAPI document, and so in the clients. */
export function named<T extends z.ZodType>(name: string, schema: T): T {
  names.add(schema, { id: name });
  return schema;
}

/** The given name of a schema; undefined for none. */
export function givenName(schema: z.ZodType): string | undefined {
  return names.get(schema)?.id;
}

/** What is described of each schema, with its name: a named one becomes a definition of its own. */
export const NAMED_METADATA = Object.assign(z.registry<Record<string, unknown>>(), {
  get: (schema: z.core.$ZodType) => ({ ...z.globalRegistry.get(schema), ...names.get(schema) }),
});
