import { isStream, type Operation } from '#engine/call/operation.ts';
import { SURCHARGES } from '#engine/credits/prices.ts';
import { isJsonObject } from '#extract/values/json-object.ts';
import { events } from '#features/events.ts';
import { type JsonSchema, membersOf, requiredOf } from '#transports/schema.ts';
import { Answers, COMMON_HEADERS, HEADERS } from './openapi-answers.ts';
import { clientNameOf, Components, typeNameOf } from './openapi-components.ts';
import { readRoute } from './route.ts';

/** What the service is, and what its answers have in common. */
const ABOUT = [
  'Turns web pages into structured data, metered in credits. Every answer has these headers:',
  ...Object.entries(COMMON_HEADERS).map(([name, meaning]) => `- \`${name}\`: ${meaning}`),
].join('\n');

/** The tags of the documents that parts of the registry have. */
export function tagsOf(operations: readonly Operation[]): readonly string[] {
  return [...new Set(operations.filter(({ route }) => route !== null).map(tagOf))];
}

/**
 * The OpenAPI 3.1 document of the registry, or of the operations of one tag, for readers that cannot take it whole.
 * Operations without a route are kinds of jobs.
 */
export function toOpenApi(operations: readonly Operation[], tag: string | null = null) {
  const components = new Components();
  const answers = new Answers(components);
  const routed = operations.filter((one) => one.route !== null && (tag === null || tagOf(one) === tag));
  const orderable = operations.filter(({ kind }) => kind === 'work');
  const paths = new Map<string, Record<string, unknown>>();
  for (const operation of routed) {
    const { method, path } = readRoute(operation);
    const described = {
      ...toFacts(operation),
      ...toRequest(operation, components, orderable),
      responses: answers.of(operation),
    };
    paths.set(path, { ...paths.get(path), [method.toLowerCase()]: described });
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Quern',
      version: '1.0.0',
      description: ABOUT,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }],
    tags: tagsOf(routed).map((name) => ({ name, externalDocs: { url: `/openapi/${name}.json` } })),
    paths: Object.fromEntries(paths),
    ...(tag === null ? { webhooks: toWebhooks(components) } : {}),
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      parameters: { ...HEADER_PARAMETERS, ...DELIVERY_PARAMETERS },
      headers: HEADERS,
      responses: answers.shared,
      schemas: components.toObject(),
    },
  };
}

function toFacts(operation: Operation): Record<string, unknown> {
  return {
    operationId: clientNameOf(operation),
    summary: operation.summary,
    tags: [tagOf(operation)],
    'x-operation': operation.id,
    'x-credits': toCredits(operation),
    'x-plan': operation.kind === 'work' ? operation.plan : 'free',
    ...(operation.audience === undefined ? {} : { 'x-audience': operation.audience }),
    ...(operation.kind === 'work' && operation.list !== null ? { 'x-list': operation.list } : {}),
    ...(operation.kind === 'work' && operation.isLongRunning ? { 'x-long-running': true } : {}),
    ...(operation.kind === 'work' && operation.site !== null ? { 'x-verified': operation.site.verified } : {}),
  };
}

function tagOf({ id }: Operation): string {
  return id.split('.', 1)[0] ?? id;
}

function toCredits(operation: Operation): Record<string, unknown> {
  if (operation.kind === 'control') return { base: 0 };
  const { base, cacheHit, perTier, per = 'call', perModelOutput = 0, errorPage } = operation.price;
  const ofErrors = errorPage === undefined ? {} : { error_page: errorPage };
  const surcharges = perTier ? SURCHARGES : {};
  return { base, per, cache_hit: cacheHit, ...ofErrors, surcharges, model_output: perModelOutput };
}

const DELIVERY_HEADERS = [
  ['webhook-id', 'The id of the event, the same at every attempt'],
  ['webhook-timestamp', 'Seconds since 1970'],
  ['webhook-signature', 'v1, and the base64 of HMAC-SHA256 over id.timestamp.body; several are parted by spaces'],
  ['webhook-event', 'The type of the event; not signed'],
  ['webhook-attempt', 'Which attempt it is, from 1; not signed'],
] as const;

/** The headers of a delivery by name. */
const DELIVERY_PARAMETERS = Object.fromEntries(
  DELIVERY_HEADERS.map(([name, description]) => [
    name,
    { name, in: 'header', required: true, description, schema: { type: 'string' } },
  ]),
);

/** The requests that are sent to webhooks, by event. */
function toWebhooks(components: Components): Record<string, unknown> {
  const parameters = DELIVERY_HEADERS.map(([name]) => ({ $ref: `#/components/parameters/${name}` }));
  const responses = {
    '2XX': { description: 'Received' },
    410: { description: 'Disables the webhook at once' },
    default: { description: 'Tried again later' },
  };
  return Object.fromEntries(
    events.map(({ type, summary, schema, example }) => {
      const name = type.replaceAll(/(?:^|[._])(\w)/g, (_match, letter: string) => letter.toUpperCase());
      const body = { schema: components.take(schema, 'output', `${name}Event`), example };
      const requestBody = { required: true, content: { 'application/json': body } };
      const post = { operationId: `on${name}`, summary, security: [], parameters, requestBody, responses };
      return [type, { post }];
    }),
  );
}

const KEY_HEADER = { $ref: '#/components/parameters/IdempotencyKey' };
const EVENT_HEADER = { $ref: '#/components/parameters/LastEventId' };

/** Parameters that are headers of several operations. */
const HEADER_PARAMETERS = {
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
function toRequest(
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
function inputNameOf(operation: Operation): string {
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
