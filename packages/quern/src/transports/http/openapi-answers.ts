import { JobUsage } from '#engine/jobs/job-record.ts';
import { hasStrictOutput, type Operation, type SuccessReply } from '#engine/call/operation.ts';
import { isAllowedWhenSuspended } from '#engine/call/steps/order.ts';
import { SERVED_TIERS } from '#engine/credits/prices.ts';
import { JobView } from '#features/jobs/job-view.ts';
import { type ErrorCode, getErrorStatus } from '#kernel/errors.ts';
import { isJsonObject } from '#extract/values/json-object.ts';
import { type JsonSchema, listRequired, toJsonSchema } from '#transports/schema.ts';
import { type Components, getTypeName } from './openapi-components.ts';
import { readRoute } from './route.ts';

/** Errors that any authenticated route can return. */
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
const STREAM_ERRORS: readonly ErrorCode[] = ['concurrency_limit_exceeded'];

const STRING_SCHEMA = { type: 'string' };
const REQUEST_ID_SCHEMA = { ...STRING_SCHEMA, description: 'Identifies the request' };
const QUEUED_ANSWER: SuccessReply = {
  status: 202,
  meaning: 'The call exceeds the synchronous limits of the plan: the queued job',
  type: 'application/json',
};

type HeaderDescription = { readonly description: string; readonly schema: JsonSchema };

/** Headers of every response, described once: repeated at each response, they would be a fifth of the document. */
export const COMMON_HEADERS: Readonly<Record<string, string>> = {
  'X-Request-Id': 'identifies the request; equals request_id',
  'X-Credits-Used': 'credits that this call cost; 0 when it failed',
  'X-Credits-Base': 'base price of the call in credits',
  'X-Credits-Surcharge': 'surcharge for the access tier in credits',
  'X-Credits-Remaining': 'credits remaining this month; absent if unlimited',
  RateLimit: 'requests remaining in the window, as a structured field; absent if unlimited',
  'RateLimit-Policy': 'requests per minute of the plan, as a structured field; absent if unlimited',
};

/** Headers of some responses. */
export const ANSWER_HEADERS: Readonly<Record<string, HeaderDescription>> = {
  'X-Access-Tier': { description: 'Access tier that served the page', schema: { type: 'string', enum: SERVED_TIERS } },
  'Retry-After': { description: 'Seconds to wait before the next try', schema: { type: 'integer', minimum: 1 } },
  Location: { description: 'Path of the job', schema: STRING_SCHEMA },
  'Idempotent-Replayed': {
    description: 'true if this is the stored answer of an earlier request',
    schema: { const: 'true' },
  },
  Deprecation: { description: 'true if the request used a deprecated parameter', schema: { const: 'true' } },
};

/** The usage object in every response of work. */
export const USAGE_SCHEMA: JsonSchema = {
  description: 'What the call cost; credits = base + surcharge',
  ...toJsonSchema(JobUsage, 'output'),
};

/** The body of every error response. */
export const FAILURE_SCHEMA: JsonSchema = {
  type: 'object',
  required: ['request_id', 'error'],
  properties: {
    request_id: STRING_SCHEMA,
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: { code: STRING_SCHEMA, message: STRING_SCHEMA, details: { type: 'array', items: STRING_SCHEMA } },
    },
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

const ANSWERED_SCHEMA: JsonSchema = {
  type: 'object',
  required: ['request_id'],
  properties: { request_id: REQUEST_ID_SCHEMA },
};

const OPERATOR_ERRORS = ['operator_key_required'] as const;
const SUSPENSION_ERRORS = ['tenant_suspended'] as const;

/** Lists every error code that an operation can return, by ascending status. */
export function listErrors(operation: Operation): ReadonlyMap<number, readonly ErrorCode[]> {
  const codes = new Set([
    ...COMMON_ERRORS,
    ...(readRoute(operation).hasBody ? BODY_ERRORS : []),
    ...(operation.kind === 'work' ? WORK_ERRORS : []),
    ...(operation.kind === 'work' && operation.canQueue === true ? QUEUE_ERRORS : []),
    ...(mayStream(operation) ? STREAM_ERRORS : []),
    ...operation.errors,
    ...(operation.audience === 'operator' ? OPERATOR_ERRORS : []),
    ...(isAllowedWhenSuspended(operation) ? [] : SUSPENSION_ERRORS),
  ]);
  const byStatus = Map.groupBy(codes, getErrorStatus);
  return new Map([...byStatus].toSorted(([left], [right]) => left - right));
}

/** Whether an operation may respond with a stream; the number of open streams of a tenant is limited. */
function mayStream(operation: Operation): boolean {
  return listSuccesses(operation).some(({ type }) => type !== null && type !== 'application/json');
}

/** Lists the successful responses of an operation by ascending status. */
export function listSuccesses(operation: Operation): readonly SuccessReply[] {
  const done: SuccessReply = { status: 200, meaning: operation.summary, type: 'application/json' };
  if (operation.kind === 'control') return operation.successes ?? [done];
  return operation.canQueue === true ? [done, QUEUED_ANSWER] : [done];
}

/** Builds the schema of the whole body: the declared members, `request_id` and, for work, `usage`. */
export function buildAnswerSchema(operation: Operation): JsonSchema {
  const isMetered = operation.kind === 'work' && !hasStrictOutput(operation);
  const usage = isMetered ? { usage: { $ref: '#/components/schemas/Usage' } } : {};
  return addMembers(toJsonSchema(operation.output, 'output'), { request_id: REQUEST_ID_SCHEMA, ...usage });
}

function addMembers(declared: JsonSchema, added: Readonly<Record<string, unknown>>): JsonSchema {
  if (!isJsonObject(declared['properties'])) {
    return { allOf: [declared, { type: 'object', properties: added, required: Object.keys(added) }] };
  }
  const { request_id: id, ...after } = added;
  return {
    ...declared,
    properties: { request_id: id, ...declared['properties'], ...after },
    required: [...new Set([...Object.keys(added), ...listRequired(declared)])],
  };
}

/** Builds the responses of operations, including errors. Responses of several operations are shared components. */
export class AnswerSet {
  readonly #components: Components;
  readonly #shared = new Map<string, unknown>();

  constructor(components: Components) {
    this.#components = components;
    components.add('Failure', FAILURE_SCHEMA);
    components.addSchema(JobUsage, 'output', 'Usage');
    components.add('Answered', ANSWERED_SCHEMA);
    components.add('Metered', addMembers(ANSWERED_SCHEMA, { usage: { $ref: '#/components/schemas/Usage' } }));
  }

  /** Responses that several operations share, by name. */
  get shared(): Readonly<Record<string, unknown>> {
    return Object.fromEntries([...this.#shared].toSorted(([one], [other]) => (one < other ? -1 : 1)));
  }

  build(operation: Operation): Record<string, unknown> {
    const byStatus = Map.groupBy(listSuccesses(operation), ({ status }) => status);
    const successes = [...byStatus].map(([status, all]) => {
      const answer = this.#toSuccess(operation, all);
      return [
        status,
        all.includes(QUEUED_ANSWER) ? this.#share(`queued.${readRoute(operation).method}`, answer) : answer,
      ] as const;
    });
    const failures = [...listErrors(operation)].map(
      ([status, codes]) => [status, this.#toFailure(status, codes)] as const,
    );
    return Object.fromEntries([...successes, ...failures]);
  }

  /** Builds the response for one status; successes with the same status differ only by content type. */
  #toSuccess(operation: Operation, successes: readonly SuccessReply[]): Record<string, unknown> {
    const work = operation.kind === 'work' ? ['X-Access-Tier', 'Deprecation'] : [];
    const names = [
      ...work,
      ...(successes.some((success) => isSubmission(operation, success)) ? ['Location'] : []),
      ...(readRoute(operation).method === 'POST' ? ['Idempotent-Replayed'] : []),
    ];
    const contents = successes.flatMap(({ status, type }) => {
      if (type === null) return [];
      const schema = type === 'application/json' ? this.#toBody(operation, status) : toStreamSchema(type);
      return [[type, { schema }] as const];
    });
    return {
      description: successes.map(({ meaning }) => (meaning === operation.summary ? 'As asked' : meaning)).join('. '),
      ...(names.length === 0 ? {} : { headers: toHeaderReferences(names) }),
      ...(contents.length === 0 ? {} : { content: Object.fromEntries(contents) }),
    };
  }

  #toBody(operation: Operation, status: number): JsonSchema {
    const components = this.#components;
    const isWork = operation.kind === 'work';
    if (isWork && status === 202) return combineSchemas(components.addSchema(JobView, 'output', 'Job'), 'Answered');
    const name = `${getTypeName(operation)}Result`;
    if (!isWork || !hasStrictOutput(operation)) {
      return combineSchemas(components.addSchema(operation.output, 'output', name), isWork ? 'Metered' : 'Answered');
    }
    const declared = components.resolveReference(components.convertSchema(operation.output, 'output', name));
    return components.add(name, addMembers(declared, { request_id: REQUEST_ID_SCHEMA }));
  }

  #share(name: string, answer: unknown): Record<string, unknown> {
    this.#shared.set(name, answer);
    return { $ref: `#/components/responses/${name}` };
  }

  #toFailure(status: number, codes: readonly ErrorCode[]): Record<string, unknown> {
    const wait = status === 429 || status === 503 ? ['Retry-After'] : [];
    const narrowed = { properties: { error: { properties: { code: { enum: codes } } } } };
    const name = status === 401 ? 'unauthorized' : codes.join('.');
    return this.#share(name, {
      description: codes.join(', '),
      ...(wait.length === 0 ? {} : { headers: toHeaderReferences(wait) }),
      content: { 'application/json': { schema: { allOf: [{ $ref: '#/components/schemas/Failure' }, narrowed] } } },
    });
  }
}

/** Whether a response has a `Location` header: a 201 or 202 of a POST, with the path of the created resource. */
function isSubmission(operation: Operation, { status }: SuccessReply): boolean {
  return (status === 201 || status === 202) && readRoute(operation).method === 'POST';
}

function combineSchemas(declared: JsonSchema, added: string): JsonSchema {
  return { allOf: [declared, { $ref: `#/components/schemas/${added}` }] };
}

/** Returns the schema of a stream. OpenAPI 3.1 describes binary bodies by media type only. */
function toStreamSchema(type: string): JsonSchema {
  return type === 'application/x-ndjson' || type === 'text/event-stream' ? STRING_SCHEMA : { contentMediaType: type };
}

function toHeaderReferences(names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
