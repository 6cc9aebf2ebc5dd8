import { JobRecord, JobUsage } from '#engine/jobs/job-record.ts';
import { isStream } from '#engine/call/operation.ts';
import type { Operation, Success } from '#engine/call/operation.ts';
import { SERVED_TIERS, SURCHARGES } from '#engine/credits/prices.ts';
import { statusOf } from '#kernel/errors.ts';
import type { ErrorCode } from '#kernel/errors.ts';
import { isJsonObject } from '#kernel/json.ts';
import { membersOf, requiredOf, toJsonSchema } from '#transports/schema.ts';
import type { JsonSchema } from '#transports/schema.ts';
import { readRoute } from './route.ts';

/** Errors that any authenticated route can answer. */
const COMMON_ERRORS: readonly ErrorCode[] = [
  'invalid_request',
  'missing_api_key',
  'invalid_api_key',
  'rate_limited',
  'internal_error',
  'backend_unavailable',
];
const BODY_ERRORS: readonly ErrorCode[] = ['payload_too_large', 'unsupported_media_type', 'idempotency_conflict'];
const WORK_ERRORS: readonly ErrorCode[] = [
  'plan_upgrade_required',
  'credits_exhausted',
  'daily_credit_cap_exceeded',
  'concurrency_limit_exceeded',
  'timeout',
];

const QUEUE_ERRORS: readonly ErrorCode[] = ['queue_full'];

const INTEGER = { type: 'integer', minimum: 0 };
const STRING = { type: 'string' };
const REQUEST_ID = { ...STRING, description: 'Identifies the request' };
const QUEUED: Success = {
  status: 202,
  meaning: 'More than the plan allows inline: the job that was queued',
  type: 'application/json',
};

const HEADERS: Readonly<Record<string, { readonly description: string; readonly schema: JsonSchema }>> = {
  'X-Request-Id': { description: 'Identifies the request; equals request_id', schema: STRING },
  'X-Credits-Used': { description: 'Credits that this call cost; 0 when it failed', schema: INTEGER },
  'X-Credits-Base': { description: 'Part of the credits that every such call costs', schema: INTEGER },
  'X-Credits-Surcharge': { description: 'Part of the credits that the tier added', schema: INTEGER },
  'X-Credits-Remaining': { description: 'Credits left this month; absent when unlimited', schema: INTEGER },
  'X-Access-Tier': { description: 'What served the page', schema: { type: 'string', enum: SERVED_TIERS } },
  RateLimit: { description: 'Requests left in the window, as a structured field', schema: STRING },
  'RateLimit-Policy': { description: 'Requests a minute of the plan, as a structured field', schema: STRING },
  'Retry-After': { description: 'Seconds to wait before the next try', schema: { type: 'integer', minimum: 1 } },
  Location: { description: 'Where the job is read', schema: STRING },
  'Idempotent-Replayed': {
    description: 'true when this is the kept answer of an earlier request',
    schema: { const: 'true' },
  },
  Deprecation: { description: 'true when the request used a deprecated member', schema: { const: 'true' } },
};

/** The usage object that every answer of work has. */
export const USAGE: JsonSchema = {
  description: 'What the call cost; credits = base + surcharge',
  ...toJsonSchema(JobUsage, 'output'),
};

const ERROR: JsonSchema = {
  type: 'object',
  required: ['request_id', 'error'],
  properties: {
    request_id: STRING,
    error: { type: 'object', required: ['code', 'message'], properties: { code: STRING, message: STRING } },
    diagnostics: {
      type: 'object',
      required: ['outcome', 'retryable'],
      properties: {
        outcome: { const: 'failed' },
        retryable: { type: 'boolean' },
        blocked: { type: 'boolean' },
        timed_out: { type: 'boolean' },
      },
      additionalProperties: false,
    },
  },
  additionalProperties: false,
};

/** The OpenAPI 3.1 document of the registry. */
export function toOpenApi(operations: readonly Operation[]) {
  const schemas = new Map<string, JsonSchema>([
    ['Error', ERROR],
    ['Usage', USAGE],
  ]);
  const paths = new Map<string, Record<string, unknown>>();
  for (const operation of operations) {
    const { method, path } = readRoute(operation);
    paths.set(path, { ...paths.get(path), [method.toLowerCase()]: describe(operation, schemas) });
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Quern',
      version: '1.0.0',
      description: 'Turns web pages into structured data, metered in credits.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }],
    tags: [...new Set(operations.map(tagOf))].map((name) => ({ name })),
    paths: Object.fromEntries(paths),
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      headers: HEADERS,
      schemas: Object.fromEntries(schemas),
    },
  };
}

const OPERATOR_ERRORS = ['operator_key_required'] as const;

/** Every code that an operation can answer, by status, ascending. */
export function errorsOf(operation: Operation): ReadonlyMap<number, readonly ErrorCode[]> {
  const codes = new Set([
    ...COMMON_ERRORS,
    ...(readRoute(operation).hasBody ? BODY_ERRORS : []),
    ...(operation.kind === 'work' ? WORK_ERRORS : []),
    ...(operation.kind === 'work' && operation.mayQueue ? QUEUE_ERRORS : []),
    ...operation.errors,
    ...(operation.audience === 'operator' ? OPERATOR_ERRORS : []),
  ]);
  const byStatus = Map.groupBy(codes, statusOf);
  return new Map([...byStatus].toSorted(([left], [right]) => left - right));
}

function describe(operation: Operation, schemas: Map<string, JsonSchema>): Record<string, unknown> {
  const { hasBody } = readRoute(operation);
  const input = hoist(toJsonSchema(operation.input, 'input'), operation.id, schemas);
  return {
    operationId: operation.id,
    summary: operation.summary,
    tags: [tagOf(operation)],
    'x-credits': toCredits(operation),
    'x-plan': operation.kind === 'work' ? operation.plan : 'free',
    ...(operation.audience === undefined ? {} : { 'x-audience': operation.audience }),
    ...(operation.kind === 'work' && operation.site !== null ? { 'x-verified': operation.site.verified } : {}),
    ...toParameters(operation, input),
    ...(hasBody ? { requestBody: toRequestBody(operation, input) } : {}),
    responses: {
      ...toSuccesses(operation, schemas),
      ...Object.fromEntries([...errorsOf(operation)].map(([status, codes]) => [status, toFailure(status, codes)])),
    },
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

const KEY_HEADER = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'The first answer under a key is kept 24 hours and given again to the same request',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};
const EVENT_HEADER = {
  name: 'Last-Event-ID',
  in: 'header',
  required: false,
  description: 'The id of the last event seen',
  schema: STRING,
};

/** Parameters in path, query and headers. */
function toParameters(operation: Operation, input: JsonSchema): Record<string, unknown> {
  const { method, hasBody, inPath } = readRoute(operation);
  const members = membersOf(input).filter(([name]) => !hasBody || inPath.includes(name));
  const parameters = [
    ...members.map(([name, schema]) => toParameter(operation, { name, schema, input })),
    ...(method === 'POST' ? [KEY_HEADER] : []),
    ...(isStream(operation) ? [EVENT_HEADER] : []),
  ];
  return parameters.length === 0 ? {} : { parameters };
}

function toParameter(
  operation: Operation,
  { name, schema, input }: { readonly name: string; readonly schema: JsonSchema; readonly input: JsonSchema },
): Record<string, unknown> {
  const isInPath = readRoute(operation).inPath.includes(name);
  const { description, deprecated } = schema;
  const example = isJsonObject(operation.example) ? operation.example[name] : undefined;
  const text = isObjectSchema(schema) ? { content: { 'application/json': { schema } } } : { schema };
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

function isObjectSchema(schema: JsonSchema): boolean {
  return schema['type'] === 'object';
}

function toRequestBody(operation: Operation, input: JsonSchema): Record<string, unknown> {
  const { inPath } = readRoute(operation);
  const isBodyMember = (name: string): boolean => !inPath.includes(name);
  const schema = {
    ...input,
    ...(isJsonObject(input['properties'])
      ? { properties: Object.fromEntries(membersOf(input).filter(([name]) => isBodyMember(name))) }
      : {}),
    ...(input['required'] === undefined ? {} : { required: requiredOf(input).filter(isBodyMember) }),
  };
  const example = isJsonObject(operation.example)
    ? Object.fromEntries(Object.entries(operation.example).filter(([name]) => isBodyMember(name)))
    : operation.example;
  return { required: true, content: { 'application/json': { schema, example } } };
}

/** Whether an answer has a `Location` header: a 201 or 202 of a POST, which names what it made. */
function isSubmission(operation: Operation, { status }: Success): boolean {
  return (status === 201 || status === 202) && readRoute(operation).method === 'POST';
}

/** The record of a job as the answer that made it gives it. */
function toJobSchema(): JsonSchema {
  return withAdded(toJsonSchema(JobRecord, 'output'), { request_id: REQUEST_ID });
}

/** The whole body: the declared members, and those that the gate adds. */
export function toAnswerSchema(operation: Operation): JsonSchema {
  const added: Record<string, unknown> = { request_id: REQUEST_ID };
  if (operation.kind === 'work' && !operation.isClosed) added['usage'] = { $ref: '#/components/schemas/Usage' };
  return withAdded(toJsonSchema(operation.output, 'output'), added);
}

function withAdded(declared: JsonSchema, added: Readonly<Record<string, unknown>>): JsonSchema {
  if (!isJsonObject(declared['properties'])) {
    return { allOf: [declared, { type: 'object', properties: added, required: Object.keys(added) }] };
  }
  const { request_id: id, ...after } = added;
  return {
    ...declared,
    properties: { request_id: id, ...declared['properties'], ...after },
    required: [...new Set([...Object.keys(added), ...requiredOf(declared)])],
  };
}

/** The successful answers of an operation by ascending status. */
export function successesOf(operation: Operation): readonly Success[] {
  if (operation.kind === 'control') return operation.successes;
  const done: Success = { status: 200, meaning: operation.summary, type: 'application/json' };
  return operation.mayQueue ? [done, QUEUED] : [done];
}

function toSuccesses(operation: Operation, schemas: Map<string, JsonSchema>): Record<string, unknown> {
  const byStatus = Map.groupBy(successesOf(operation), ({ status }) => status);
  return Object.fromEntries([...byStatus].map(([status, all]) => [status, toSuccess(operation, all, schemas)]));
}

/** The answers under one status: their bodies differ by type only. */
function toSuccess(
  operation: Operation,
  successes: readonly Success[],
  schemas: Map<string, JsonSchema>,
): Record<string, unknown> {
  const names = ['X-Request-Id', 'X-Credits-Used', 'X-Credits-Base', 'X-Credits-Surcharge', 'X-Credits-Remaining'];
  const work = operation.kind === 'work' ? ['X-Access-Tier', 'Deprecation'] : [];
  const more = [
    ...(successes.some((success) => isSubmission(operation, success)) ? ['Location'] : []),
    ...(readRoute(operation).method === 'POST' ? ['Idempotent-Replayed'] : []),
  ];
  const contents = successes.flatMap(({ status, type }) => {
    if (type === null) return [];
    const isJob = operation.kind === 'work' && status === 202;
    const declared = isJob ? toJobSchema() : toAnswerSchema(operation);
    const schema =
      type === 'application/json' ? hoist(declared, `${operation.id}.answer`, schemas) : toStreamSchema(type);
    return [[type, { schema }] as const];
  });
  return {
    description: successes.map(({ meaning }) => meaning).join('. '),
    headers: toHeaderReferences([...names, ...work, ...more, 'RateLimit', 'RateLimit-Policy']),
    ...(contents.length === 0 ? {} : { content: Object.fromEntries(contents) }),
  };
}

/** The schema of a binary body: OpenAPI 3.1 gives only its media type. */
function toStreamSchema(type: string): JsonSchema {
  return type === 'application/x-ndjson' || type === 'text/event-stream' ? STRING : { contentMediaType: type };
}

function toFailure(status: number, codes: readonly ErrorCode[]): Record<string, unknown> {
  const wait = status === 429 || status === 503 ? ['Retry-After'] : [];
  const narrowed = { properties: { error: { properties: { code: { enum: codes } } } } };
  return {
    description: codes.join(', '),
    headers: toHeaderReferences(['X-Request-Id', 'X-Credits-Used', ...wait]),
    content: { 'application/json': { schema: { allOf: [{ $ref: '#/components/schemas/Error' }, narrowed] } } },
  };
}

function toHeaderReferences(names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Moves the definitions of one schema to the document's components and turns its references to them. */
function hoist(schema: JsonSchema, prefix: string, schemas: Map<string, JsonSchema>): JsonSchema {
  const { $defs: definitions, ...rest } = schema;
  const isRecursive = JSON.stringify(rest).includes('"$ref":"#"');
  if (isJsonObject(definitions)) {
    for (const [name, definition] of Object.entries(definitions)) {
      schemas.set(`${prefix}.${name}`, isJsonObject(definition) ? turnReferences(definition, prefix) : {});
    }
  }
  const turned = turnReferences(rest, prefix);
  if (isRecursive) schemas.set(prefix, turned);
  return turned;
}

function turnReferences(schema: JsonSchema, prefix: string): JsonSchema {
  return Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, turn(name, value, prefix)]));
}

function turn(name: string, value: unknown, prefix: string): unknown {
  if (Array.isArray(value)) return value.map((item) => turn('', item, prefix));
  if (isJsonObject(value)) return turnReferences(value, prefix);
  if (name !== '$ref' || typeof value !== 'string') return value;
  if (value === '#') return `#/components/schemas/${prefix}`;
  return value.startsWith('#/$defs/') ? `#/components/schemas/${prefix}.${value.slice('#/$defs/'.length)}` : value;
}
