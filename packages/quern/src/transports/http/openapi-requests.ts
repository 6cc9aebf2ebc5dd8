import { isStream, type Operation } from '#engine/call/operation.ts';
import { isJsonObject } from '#extract/values/json-object.ts';
import { type JsonSchema, membersOf, requiredOf } from '#transports/schema.ts';
import { type Components, typeNameOf } from './openapi-components.ts';
import { readRoute } from './route.ts';

const KEY_HEADER = { $ref: '#/components/parameters/IdempotencyKey' };
const EVENT_HEADER = { $ref: '#/components/parameters/LastEventId' };

/** Parameters that are headers of several operations. */
export const HEADER_PARAMETERS = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description: 'The first answer under a key is kept 24 hours and given again to the same request',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
  LastEventId: {
    name: 'Last-Event-ID',
    in: 'header',
    required: false,
    description: 'The id of the last event seen',
    schema: { type: 'string' },
  },
} as const;

/** The parameters and the body of an operation; `orderable` is all work that jobs do. */
export function toRequest(
  operation: Operation,
  components: Components,
  orderable: readonly Operation[],
): Record<string, unknown> {
  const { method, hasBody, inPath } = readRoute(operation);
  const input = components.open(operation.input, 'input', inputNameOf(operation));
  const members = membersOf(input).filter(([name]) => !hasBody || inPath.includes(name));
  const parameters = [
    ...members.map(([name, schema]) => toParameter(operation, { name, schema, input })),
    ...(method === 'POST' ? [KEY_HEADER] : []),
    ...(isStream(operation) ? [EVENT_HEADER] : []),
  ];
  return {
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(hasBody ? { requestBody: toRequestBody(operation, input, { components, orderable }) } : {}),
  };
}

/** The name of an input as a type. */
export function inputNameOf(operation: Operation): string {
  return `${typeNameOf(operation)}Input`;
}

type MemberOf = { readonly name: string; readonly schema: JsonSchema; readonly input: JsonSchema };

function toParameter(operation: Operation, { name, schema, input }: MemberOf): Record<string, unknown> {
  const isInPath = readRoute(operation).inPath.includes(name);
  const { description, deprecated, ...bare } = schema;
  const example = isJsonObject(operation.example) ? operation.example[name] : undefined;
  const text = schema['type'] === 'object' ? { content: { 'application/json': { schema: bare } } } : { schema: bare };
  return {
    name,
    in: isInPath ? 'path' : 'query',
    required: isInPath || requiredOf(input).includes(name),
    ...(typeof description === 'string' ? { description } : {}),
    ...(deprecated === true ? { deprecated } : {}),
    ...text,
    ...(example === undefined ? {} : { example }),
  };
}

type Around = { readonly components: Components; readonly orderable: readonly Operation[] };

function toRequestBody(
  operation: Operation,
  input: JsonSchema,
  { components, orderable }: Around,
): Record<string, unknown> {
  const { inPath } = readRoute(operation);
  const body = toBodySchema(operation, input);
  const isOrder = operation.orders !== undefined;
  const schema = isOrder ? toOrders(operation, input, { components, orderable }) : body;
  const example = isJsonObject(operation.example)
    ? Object.fromEntries(Object.entries(operation.example).filter(([name]) => !inPath.includes(name)))
    : operation.example;
  // Where the path holds all that must be there, no body means an empty one.
  const required = inPath.length === 0 || requiredOf(body).length > 0;
  const reference = components.add(inputNameOf(operation), schema);
  return { required, content: { 'application/json': { schema: reference, example } } };
}

/** The input without the members that are in the path. */
function toBodySchema(operation: Operation, input: JsonSchema): JsonSchema {
  const { inPath } = readRoute(operation);
  if (inPath.length === 0) return input;
  const isBodyMember = (name: string): boolean => !inPath.includes(name);
  return {
    ...input,
    properties: Object.fromEntries(membersOf(input).filter(([name]) => isBodyMember(name))),
    ...(input['required'] === undefined ? {} : { required: requiredOf(input).filter(isBodyMember) }),
  };
}

/** The body of an operation that orders another: one form for each kind, with its input. */
function toOrders(operation: Operation, input: JsonSchema, { components, orderable }: Around): JsonSchema {
  const { orders } = operation;
  if (orders === undefined) return input;
  const forms = orderable.map((work) => {
    const described = {
      [orders.kind]: { type: 'string', const: work.id },
      [orders.input]: components.add(inputNameOf(work), components.open(work.input, 'input', inputNameOf(work))),
    };
    const properties = membersOf(input).map(([name, member]) => [name, described[name] ?? member]);
    const form = { ...input, properties: Object.fromEntries(properties) };
    return [work.id, components.add(`${typeNameOf(work)}JobInput`, form)] as const;
  });
  const mapping = Object.fromEntries(forms.map(([id, { $ref: reference }]) => [id, reference]));
  return { oneOf: forms.map(([, form]) => form), discriminator: { propertyName: orders.kind, mapping } };
}
