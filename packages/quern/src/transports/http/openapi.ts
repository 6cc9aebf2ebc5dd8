import { isEventStream, type Operation } from '#engine/call/operation.ts';
import { describeInput } from '#engine/call/validation.ts';
import { SURCHARGES } from '#engine/credits/prices.ts';
import { isJsonObject } from '#extract/values/json-object.ts';
import { events } from '#features/events.ts';
import { type JsonSchema, listMembers, listRequired } from '#transports/schema.ts';
import { AnswerSet, COMMON_HEADERS, ANSWER_HEADERS } from './openapi-answers.ts';
import { getClientName, Components, getTypeName } from './openapi-components.ts';
import { readRoute } from './route.ts';

/** The description of the API, with the common response headers. */
const DESCRIPTION = [
  'Turns web pages into structured data, metered in credits. Every answer has these headers:',
  ...Object.entries(COMMON_HEADERS).map(([name, meaning]) => `- \`${name}\`: ${meaning}`),
].join('\n');

/** Lists the tags of operations with a route; each tag has a document of its own. */
export function listTags(operations: readonly Operation[]): readonly string[] {
  return [...new Set(operations.filter(({ route }) => route !== null).map(getTag))];
}

/**
 * Builds the OpenAPI 3.1 document of all operations, or of one tag, for tools that cannot process the whole document.
 * Operations without a route appear as kinds of jobs.
 */
export function buildOpenApi(operations: readonly Operation[], tag: string | null = null) {
  const components = new Components();
  const answers = new AnswerSet(components);
  const routed = operations.filter((one) => one.route !== null && (tag === null || getTag(one) === tag));
  const orderable = operations.filter(({ kind }) => kind === 'work');
  const paths = new Map<string, Record<string, unknown>>();
  for (const operation of routed) {
    const { method, path } = readRoute(operation);
    const described = {
      ...describeOperation(operation),
      ...buildRequest(operation, components, orderable),
      responses: answers.build(operation),
    };
    paths.set(path, { ...paths.get(path), [method.toLowerCase()]: described });
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Quern',
      version: '1.0.0',
      description: DESCRIPTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }],
    tags: listTags(routed).map((name) => ({ name, externalDocs: { url: `/openapi/${name}.json` } })),
    paths: Object.fromEntries(paths),
    ...(tag === null ? { webhooks: describeWebhooks(components) } : {}),
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      parameters: { ...HEADER_PARAMETERS, ...DELIVERY_PARAMETERS },
      headers: ANSWER_HEADERS,
      responses: answers.shared,
      schemas: components.toObject(),
    },
  };
}

function describeOperation(operation: Operation): Record<string, unknown> {
  return {
    operationId: getClientName(operation),
    summary: operation.summary,
    tags: [getTag(operation)],
    'x-operation': operation.id,
    'x-credits': describePrice(operation),
    'x-plan': operation.kind === 'work' ? operation.plan : 'free',
    ...(operation.audience === undefined ? {} : { 'x-audience': operation.audience }),
    ...(operation.kind === 'work' && operation.list !== undefined ? { 'x-list': operation.list } : {}),
    ...(operation.kind === 'work' && operation.isLongRunning === true ? { 'x-long-running': true } : {}),
    ...(operation.kind === 'work' && operation.site !== undefined ? { 'x-verified': operation.site.verified } : {}),
  };
}

function getTag({ id }: Operation): string {
  return id.split('.', 1)[0] ?? id;
}

function describePrice(operation: Operation): Record<string, unknown> {
  if (operation.kind === 'control') return { base: 0 };
  const { base, cacheHit, perTier, per = 'call', perHundredUrls = 0, perModelOutput = 0, errorPage } = operation.price;
  const ofErrors = errorPage === undefined ? {} : { error_page: errorPage };
  const surcharges = perTier ? SURCHARGES : {};
  return {
    base,
    per,
    cache_hit: cacheHit,
    ...ofErrors,
    surcharges,
    hundred_urls: perHundredUrls,
    model_output: perModelOutput,
  };
}

const DELIVERY_HEADERS = [
  ['webhook-id', 'The id of the event, the same at every attempt'],
  ['webhook-timestamp', 'Seconds since 1970'],
  ['webhook-signature', 'v1, and the base64 of HMAC-SHA256 over id.timestamp.body; several are separated by spaces'],
  ['webhook-event', 'The type of the event; not signed'],
  ['webhook-attempt', 'Which attempt it is, from 1; not signed'],
] as const;

/** The headers of a webhook delivery by name. */
const DELIVERY_PARAMETERS = Object.fromEntries(
  DELIVERY_HEADERS.map(([name, description]) => [
    name,
    { name, in: 'header', required: true, description, schema: { type: 'string' } },
  ]),
);

/** Describes the webhook requests by event type. */
function describeWebhooks(components: Components): Record<string, unknown> {
  const parameters = DELIVERY_HEADERS.map(([name]) => ({ $ref: `#/components/parameters/${name}` }));
  const responses = {
    '2XX': { description: 'Received' },
    410: { description: 'The webhook is disabled at once' },
    default: { description: 'Retried later' },
  };
  return Object.fromEntries(
    events.map(({ type, summary, schema, example }) => {
      const name = type.replaceAll(/(?:^|[._])(\w)/g, (_match, letter: string) => letter.toUpperCase());
      const body = { schema: components.addSchema(schema, 'output', `${name}Event`), example };
      const requestBody = { required: true, content: { 'application/json': body } };
      const post = { operationId: `on${name}`, summary, security: [], parameters, requestBody, responses };
      return [type, { post }];
    }),
  );
}

const IDEMPOTENCY_KEY_PARAMETER = { $ref: '#/components/parameters/IdempotencyKey' };
const LAST_EVENT_ID_PARAMETER = { $ref: '#/components/parameters/LastEventId' };

/** Header parameters of several operations. */
const HEADER_PARAMETERS = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description: 'The first answer under a key is stored for 24 hours and returned again for the same request',
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

/** Builds parameters and request body of an operation; `orderable` lists all work that can run as a job. */
function buildRequest(
  operation: Operation,
  components: Components,
  orderable: readonly Operation[],
): Record<string, unknown> {
  const { method, hasBody, inPath } = readRoute(operation);
  const input = components.convertSchema(describeInput(operation), 'input', getInputName(operation));
  const members = listMembers(input).filter(([name]) => !hasBody || inPath.includes(name));
  const parameters = [
    ...members.map(([name, schema]) => buildParameter(operation, { name, schema, input })),
    ...(method === 'POST' ? [IDEMPOTENCY_KEY_PARAMETER] : []),
    ...(isEventStream(operation) ? [LAST_EVENT_ID_PARAMETER] : []),
  ];
  return {
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(hasBody ? { requestBody: buildRequestBody(operation, input, { components, orderable }) } : {}),
  };
}

/** Returns the type name of an input. */
function getInputName(operation: Operation): string {
  return `${getTypeName(operation)}Input`;
}

type InputMember = { readonly name: string; readonly schema: JsonSchema; readonly input: JsonSchema };

function buildParameter(operation: Operation, { name, schema, input }: InputMember): Record<string, unknown> {
  const isInPath = readRoute(operation).inPath.includes(name);
  const { description, deprecated, ...bare } = schema;
  const example = isJsonObject(operation.example) ? operation.example[name] : undefined;
  const text = schema['type'] === 'object' ? { content: { 'application/json': { schema: bare } } } : { schema: bare };
  return {
    name,
    in: isInPath ? 'path' : 'query',
    required: isInPath || listRequired(input).includes(name),
    ...(typeof description === 'string' ? { description } : {}),
    ...(deprecated === true ? { deprecated } : {}),
    ...text,
    ...(example === undefined ? {} : { example }),
  };
}

type RequestContext = { readonly components: Components; readonly orderable: readonly Operation[] };

function buildRequestBody(
  operation: Operation,
  input: JsonSchema,
  { components, orderable }: RequestContext,
): Record<string, unknown> {
  const { inPath } = readRoute(operation);
  const body = buildBodySchema(operation, input);
  const isOrder = operation.orders !== undefined;
  const schema = isOrder ? buildOrderSchema(operation, input, { components, orderable }) : body;
  const example = isJsonObject(operation.example)
    ? Object.fromEntries(Object.entries(operation.example).filter(([name]) => !inPath.includes(name)))
    : operation.example;
  // If all required parameters are in the path, the body may be omitted.
  const required = inPath.length === 0 || listRequired(body).length > 0;
  const reference = components.add(getInputName(operation), schema);
  return { required, content: { 'application/json': { schema: reference, example } } };
}

/** Returns the input without path parameters. */
function buildBodySchema(operation: Operation, input: JsonSchema): JsonSchema {
  const { inPath } = readRoute(operation);
  if (inPath.length === 0) return input;
  const isBodyMember = (name: string): boolean => !inPath.includes(name);
  return {
    ...input,
    properties: Object.fromEntries(listMembers(input).filter(([name]) => isBodyMember(name))),
    ...(input['required'] === undefined ? {} : { required: listRequired(input).filter(isBodyMember) }),
  };
}

/** Builds the body of an operation that submits work: one alternative for each kind of job, with its input. */
function buildOrderSchema(
  operation: Operation,
  input: JsonSchema,
  { components, orderable }: RequestContext,
): JsonSchema {
  const { orders } = operation;
  if (orders === undefined) return input;
  const forms = orderable.map((work) => {
    const described = {
      [orders.kind]: { type: 'string', const: work.id },
      [orders.input]: components.add(
        getInputName(work),
        components.convertSchema(describeInput(work), 'input', getInputName(work)),
      ),
    };
    const properties = listMembers(input).map(([name, member]) => [name, described[name] ?? member]);
    const form = { ...input, properties: Object.fromEntries(properties) };
    return [work.id, components.add(`${getTypeName(work)}JobInput`, form)] as const;
  });
  const mapping = Object.fromEntries(forms.map(([id, { $ref: reference }]) => [id, reference]));
  return { oneOf: forms.map(([, form]) => form), discriminator: { propertyName: orders.kind, mapping } };
}
