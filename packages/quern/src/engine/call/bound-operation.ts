import { z } from 'zod';
import type { Admission, AdmissionFacts } from '#engine/credits/admission.ts';
import type { Plan } from '#engine/identity/plans.ts';
import { InvariantError } from '#extract/invariant-error.ts';
import { JsonBytes } from '#extract/json/size.ts';
import {
  type CallContext,
  type ControlCall,
  type ControlOperation,
  hasStrictOutput,
  type Operation,
  type PlainControl,
  type RawControl,
  type Reply,
  type ReplyBody,
  toReply,
  type WorkCall,
  type WorkOperation,
  type WorkResult,
} from './operation.ts';
import { buildInputChecker, prefixErrors } from './validation.ts';

/** A call of work with a valid input. */
export type AcceptedWork = {
  /** Deprecated parameters that the caller used. */
  readonly deprecated: readonly string[];
  readonly admit: (facts: AdmissionFacts) => Admission;
  readonly queue: (plan: Plan) => boolean;
  readonly run: (call: WorkCall) => Promise<WorkResult<ReplyBody>>;
  /** Helps with the job of another process; null if only one process can do the work. */
  readonly help: ((call: CallContext) => Promise<void>) | null;
};

/** A call of a control operation with a valid input. */
export type AcceptedControl = { readonly run: (call: ControlCall) => Promise<Reply> };

/**
 * An operation with the code that runs it. `accept` validates the input of a call and applies its defaults; it builds
 * what it checks with at the first call. `at` is the path of the input in the request body, used in messages. Throws
 * `invalid_request`.
 */
export type BoundOperation = BoundWork | BoundControl;

export type BoundWork = {
  readonly kind: 'work';
  readonly operation: WorkOperation;
  readonly accept: (raw: unknown, at?: readonly string[]) => AcceptedWork;
};

export type BoundControl = {
  readonly kind: 'control';
  readonly operation: ControlOperation;
  readonly accept: (raw: unknown) => AcceptedControl;
};

/** The code of work. It takes the input as `T`, and answers a body `B`. */
type WorkCode<T, B> = {
  /**
   * Checks an input against the plan and computes its time limit, tiers and credits. Throws `ServiceError` if it is not
   * allowed.
   */
  readonly admit: (input: T, facts: AdmissionFacts) => Admission;
  /** Whether the input is too large for an inline call on this plan and must become a job. Default: never. */
  readonly queue?: (input: T, plan: Plan) => boolean;
  readonly run: (input: T, call: WorkCall) => Promise<WorkResult<B>>;
  /** Helps with the job of another process. Default: only one process can do the work. */
  readonly help?: (input: T, call: CallContext) => Promise<void>;
};

/** A response body whose fields may be serialized already by `readForReply`. */
type SerializableBody<B> = { readonly [Name in keyof B]: B[Name] | JsonBytes };

/** Binds work to its code. The body of an answer is validated, and undeclared fields are removed. */
export function bindWork<I extends z.ZodType, O extends z.ZodType>(
  operation: WorkOperation<I, O>,
  code: WorkCode<z.output<I>, SerializableBody<z.input<O>>>,
): BoundWork {
  return bindPreparedWork(operation, (input) => input, {
    ...code,
    async run(input, call) {
      const served = await code.run(input, call);
      return { ...served, body: checkBody(operation.output, served.body) };
    },
  });
}

/**
 * Binds work to code that takes what `prepare` makes of a valid input, once per call; it throws `invalid_request`. The
 * body of an answer is sent as it is.
 */
export function bindPreparedWork<I extends z.ZodType, T>(
  operation: WorkOperation<I>,
  prepare: (input: z.output<I>) => T,
  { admit, queue, run, help }: WorkCode<T, ReplyBody>,
): BoundWork {
  assertWorkDeclaration(operation, queue !== undefined);
  const checkInput = buildInputChecker(operation);
  return {
    kind: 'work',
    operation,
    accept(raw, at = []) {
      const { input, deprecated } = checkInput(raw, at);
      const prepared = prefixErrors(at, () => prepare(input));
      return {
        deprecated,
        admit: (facts) => prefixErrors(at, () => admit(prepared, facts)),
        queue: (plan) => queue?.(prepared, plan) ?? false,
        run: async (call) => run(prepared, call),
        help: help === undefined ? null : async (call) => help(prepared, call),
      };
    },
  };
}

/** Binds a control operation to the code that returns its body. */
export function bindControl<I extends z.ZodType, O extends z.ZodType>(
  operation: PlainControl<I, O>,
  run: (input: z.output<I>, call: ControlCall) => Promise<z.input<O>>,
): BoundControl {
  return buildControl<I, z.input<O>>(operation, async (input, call) => toReply(200, await run(input, call)));
}

/** Binds a control operation to the code that returns its whole reply. */
export function bindRawControl<I extends z.ZodType, O extends z.ZodType>(
  operation: RawControl<I, O>,
  run: (input: z.output<I>, call: ControlCall) => Promise<Reply<z.input<O>>>,
): BoundControl {
  return buildControl(operation, run);
}

function buildControl<I extends z.ZodType, B>(
  operation: ControlOperation & { readonly input: I },
  run: (input: z.output<I>, call: ControlCall) => Promise<Reply<B>>,
): BoundControl {
  assertDeclaration(operation);
  const checkInput = buildInputChecker<I>(operation);
  return {
    kind: 'control',
    operation,
    accept(raw) {
      const { input } = checkInput(raw);
      return {
        async run(call) {
          const reply = await run(input, call);
          return { ...reply, body: reply.body === null ? null : checkBody(operation.output, reply.body) };
        },
      };
    },
  };
}

const ID_PATTERN = /^[\w-]+(?:\.[\w-]+)*$/;
const ROUTE_PATTERN = /^(?:GET|POST|PATCH|DELETE) \/v1(?:\/[\w-]+|\/\{\w+\})+$/;

/** Throws `InvariantError` if a declaration is wrong. Looks at schemas only if it must, since some are built at first use. */
function assertDeclaration(operation: Operation): void {
  const { id, route } = operation;
  if (!ID_PATTERN.test(id)) throw new InvariantError(`${id}: is not an id of an operation`);
  if (route === null) return;
  if (!ROUTE_PATTERN.test(route)) throw new InvariantError(`${id}: ${route} is not a route`);
  // The parameters of site endpoints are checked where they are declared: their modules are loaded at the first call.
  if (isSiteEndpoint(operation)) return;
  const [unknown] = Array.from(route.matchAll(/\{(\w+)\}/g), ([, name = '']) => name).filter(
    (name) => operation.input instanceof z.ZodObject && !Object.hasOwn(operation.input.shape, name),
  );
  if (unknown !== undefined) throw new InvariantError(`${id}: ${unknown} is in the route but is no parameter`);
}

function isSiteEndpoint(operation: Operation): boolean {
  return operation.kind === 'work' && operation.site !== undefined;
}

function assertWorkDeclaration(operation: WorkOperation, queues: boolean): void {
  assertDeclaration(operation);
  const { id, price, list, canQueue = false } = operation;
  if (!Number.isSafeInteger(price.base) || price.base < 0) throw new InvariantError(`${id}: has no price`);
  if (canQueue !== queues) throw new InvariantError(`${id}: canQueue does not match its code`);
  if (list !== undefined && !isSiteEndpoint(operation) && hasStrictOutput(operation))
    throw new InvariantError(`${id}: a strict output cannot have next_cursor`);
}

/**
 * Validates a body against its schema and removes undeclared fields. Throws `ZodError` on a mismatch. Serialized fields
 * are not validated; they come from the parser, whose types are checked at compile time.
 */
function checkBody(output: z.ZodType, body: unknown): ReplyBody {
  const members = Object.entries(toMembers(body));
  const serialized = members.filter(([, value]) => value instanceof JsonBytes);
  if (serialized.length === 0) return toMembers(output.parse(body));
  const plain = Object.fromEntries(members.filter(([, value]) => !(value instanceof JsonBytes)));
  return { ...toMembers(output.parse(plain)), ...Object.fromEntries(serialized) };
}

function toMembers(value: unknown): ReplyBody {
  if (typeof value !== 'object' || value === null)
    throw new InvariantError('the body of an operation must be an object');
  return { ...value };
}
