import { InvariantError } from '#extract/invariant-error.ts';
import type { z } from 'zod';
import type { Operation } from '#engine/call/operation.ts';
import { getSchemaName } from '#extract/schema/names.ts';
import { isJsonObject } from '#extract/values/json-object.ts';
import { type JsonSchema, toNamedSchema } from '#transports/schema.ts';

const SCHEMA_PREFIX = '#/components/schemas/';

/** The named schemas of an OpenAPI document. */
export class Components {
  readonly #schemas = new Map<string, JsonSchema>();

  /** Returns all schemas in alphabetical order. */
  toObject(): Readonly<Record<string, JsonSchema>> {
    return Object.fromEntries([...this.#schemas].toSorted(([one], [other]) => (one < other ? -1 : 1)));
  }

  /** Adds a schema and returns a reference to it. Throws if another schema has this name. */
  add(name: string, schema: JsonSchema): JsonSchema {
    const known = this.#schemas.get(name);
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema))
      throw new InvariantError(`two schemas have the name ${name}`);
    this.#schemas.set(name, schema);
    return { $ref: `${SCHEMA_PREFIX}${name}` };
  }

  /** Converts a zod schema, adds it under its own name or else `otherwise`, and returns a reference. */
  addSchema(schema: z.ZodType, io: 'input' | 'output', otherwise: string): JsonSchema {
    const name = getSchemaName(schema) ?? otherwise;
    const body = this.convertSchema(schema, io, name);
    return body['$ref'] === `${SCHEMA_PREFIX}${name}` ? body : this.add(name, body);
  }

  /** Converts a zod schema and adds the schemas that it references. It is added itself, as `name`, only if it is recursive. */
  convertSchema(schema: z.ZodType, io: 'input' | 'output', name: string): JsonSchema {
    const { $defs: definitions, ...rest } = toNamedSchema(schema, io);
    const turn = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(turn);
      if (!isJsonObject(value)) return value;
      return Object.fromEntries(
        Object.entries(value).map(([member, inner]) => [
          member,
          member === '$ref' && typeof inner === 'string' ? toGlobalReference(inner, name) : turn(inner),
        ]),
      );
    };
    const turned = toObjectSchema(turn(rest));
    if (isJsonObject(definitions))
      for (const [local, definition] of Object.entries(definitions))
        this.add(toGlobalName(local, name), toObjectSchema(turn(definition)));
    if (JSON.stringify(rest).includes('"$ref":"#"')) this.add(name, turned);
    return turned;
  }

  /** Resolves a reference; returns any other schema unchanged. */
  resolveReference(schema: JsonSchema): JsonSchema {
    const reference = schema['$ref'];
    return typeof reference === 'string' ? (this.#schemas.get(reference.slice(SCHEMA_PREFIX.length)) ?? {}) : schema;
  }
}

function toObjectSchema(value: unknown): JsonSchema {
  return isJsonObject(value) ? value : {};
}

function toGlobalReference(reference: string, name: string): string {
  return reference === '#'
    ? `${SCHEMA_PREFIX}${name}`
    : `${SCHEMA_PREFIX}${toGlobalName(reference.slice('#/$defs/'.length), name)}`;
}

/** Makes the name of an unnamed definition unique by its owner. */
function toGlobalName(local: string, owner: string): string {
  return local.startsWith('__') ? `${owner}.${local}` : local;
}

/** Returns the method name of an operation in the clients, which is also its operationId. */
export function getClientName({ id, clientName }: Operation): string {
  return clientName ?? id.replaceAll(/[.-](\w)/g, (_match, letter: string) => letter.toUpperCase());
}

/** Returns the name of an operation as a type name. */
export function getTypeName(operation: Operation): string {
  const name = getClientName(operation);
  return name.slice(0, 1).toUpperCase() + name.slice(1);
}
