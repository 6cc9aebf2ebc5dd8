import { InvariantError } from '#extract/invariant-error.ts';
import type { z } from 'zod';
import type { Operation } from '#engine/call/operation.ts';
import { givenName } from '#extract/schema/names.ts';
import { isJsonObject } from '#extract/values/json-object.ts';
import { type JsonSchema, toNamedSchema } from '#transports/schema.ts';

const PLACE = '#/components/schemas/';

/** The named schemas of a document, each once. */
export class Components {
  readonly #schemas = new Map<string, JsonSchema>();

  /** All schemas by name, in the order of the alphabet. */
  toObject(): Readonly<Record<string, JsonSchema>> {
    return Object.fromEntries([...this.#schemas].toSorted(([one], [other]) => (one < other ? -1 : 1)));
  }

  /** Adds a schema; answers a reference to it. Throws where the name is another's. */
  add(name: string, schema: JsonSchema): JsonSchema {
    const known = this.#schemas.get(name);
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema))
      throw new InvariantError(`two schemas have the name ${name}`);
    this.#schemas.set(name, schema);
    return { $ref: `${PLACE}${name}` };
  }

  /** Adds the schema of what a caller sends or gets under its own name, or else under the one that is passed. */
  take(schema: z.ZodType, io: 'input' | 'output', otherwise: string): JsonSchema {
    const name = givenName(schema) ?? otherwise;
    const body = this.open(schema, io, name);
    return body['$ref'] === `${PLACE}${name}` ? body : this.add(name, body);
  }

  /** The schema itself; all that it names is added. `name` is that under which it is added, should it refer to itself. */
  open(schema: z.ZodType, io: 'input' | 'output', name: string): JsonSchema {
    const { $defs: definitions, ...rest } = toNamedSchema(schema, io);
    const turn = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(turn);
      if (!isJsonObject(value)) return value;
      return Object.fromEntries(
        Object.entries(value).map(([member, inner]) => [
          member,
          member === '$ref' && typeof inner === 'string' ? turnReference(inner, name) : turn(inner),
        ]),
      );
    };
    const turned = turnObject(turn(rest));
    if (isJsonObject(definitions))
      for (const [local, definition] of Object.entries(definitions))
        this.add(globalName(local, name), turnObject(turn(definition)));
    if (JSON.stringify(rest).includes('"$ref":"#"')) this.add(name, turned);
    return turned;
  }

  /** The schema that a reference leads to; any other is answered itself. */
  follow(schema: JsonSchema): JsonSchema {
    const reference = schema['$ref'];
    return typeof reference === 'string' ? (this.#schemas.get(reference.slice(PLACE.length)) ?? {}) : schema;
  }
}

function turnObject(value: unknown): JsonSchema {
  return isJsonObject(value) ? value : {};
}

function turnReference(reference: string, name: string): string {
  return reference === '#' ? `${PLACE}${name}` : `${PLACE}${globalName(reference.slice('#/$defs/'.length), name)}`;
}

/** Definitions that nobody named are those of one schema. */
function globalName(local: string, owner: string): string {
  return local.startsWith('__') ? `${owner}.${local}` : local;
}

/** The name of an operation in the clients, which is its operationId. */
export function clientNameOf({ id, clientName }: Operation): string {
  return clientName ?? id.replaceAll(/[.-](\w)/g, (_match, letter: string) => letter.toUpperCase());
}

/** The name of an operation as that of a type. */
export function typeNameOf(operation: Operation): string {
  const name = clientNameOf(operation);
  return name.slice(0, 1).toUpperCase() + name.slice(1);
}
