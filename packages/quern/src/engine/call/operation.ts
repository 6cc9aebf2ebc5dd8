import { z } from 'zod';
import type { Attempt } from '#access/page.ts';
import type { Admission, AdmissionFacts } from '#engine/credits/admission.ts';
import type { Account } from '#engine/credits/billing.ts';
import type { Price, ServedTier, Usage } from '#engine/credits/prices.ts';
import type { Caller } from '#engine/identity/caller.ts';
import type { Plan } from '#engine/identity/plans.ts';
import type { Activity } from '#engine/jobs/slots.ts';
import type { ClosingReason, StepCounts } from '#engine/jobs/lease.ts';
import type { PackedReading } from '#engine/reading/packed-outputs.ts';
import type { ARTIFACT_TYPES, CallArtifacts } from '#engine/results/artifacts.ts';
import type { Visits } from '#engine/visits/visits.ts';
import { InvariantError } from '#extract/invariant-error.ts';
import { JsonBytes } from '#extract/json/size.ts';
import type { PageReading, ReadRequest } from '#extract/reading.ts';
import type { Deadline } from '#kernel/deadline.ts';
import type { ErrorCode } from '#kernel/errors.ts';
import type { MemoryShare } from '#kernel/memory-budget.ts';
import type { Queryable } from '#store/db.ts';
import type { CommandView } from './command-view.ts';
import type { ModelSession } from './model.ts';
import type { ToolView } from './tool-view.ts';
import { type Aliases, buildAliasReader, buildInputReader, prefixErrors } from './validation.ts';

/** Reports the progress of a job that works in steps, and adds elements to the list of its result. */
export type ReportProgress = (elements: readonly unknown[], counts: StepCounts) => Promise<void>;

/** The context of work, also in a process that helps with the job of another process. */
export type CallContext = {
  /** The id of the operation that runs. */
  readonly operation: string;
  /** The tenant, plan and key that pay for the call. */
  readonly account: Account;
  readonly admission: Admission;
  /** The job whose work this is, null for an inline call. */
  readonly jobId: string | null;
  /** Why a crawl only returns the pages it has stored; null while it still fetches pages. */
  readonly closing: ClosingReason | null;
  /** The memory reserved for the response of an inline call. */
  readonly share: MemoryShare;
  /** The operator's language model; null if none is configured. */
  readonly modelSession: ModelSession | null;
  readonly activity: Activity;
  /** Aborts when the time limit is reached or the work must stop for another reason. */
  readonly signal: AbortSignal;
};

/** The context of work. Its functions are the only way to the network and the store, so all limits apply. */
export type WorkCall = CallContext & {
  readonly deadline: Deadline;
  /** Filled attempt by attempt, so that the response of a failed call lists them too. */
  readonly attempts: Attempt[];
  /** Fetches a page with the tiers of the call, or takes it from the cache. */
  readonly visit: Visits['visit'];
  /** Parses a fetched page in a parser thread. */
  readonly read: (request: ReadRequest) => Promise<PageReading>;
  /** Like `read`, for outputs that go into the response unchanged: large ones may be serialized already. */
  readonly readForReply: (request: ReadRequest) => Promise<PackedReading>;
  /** Stores a screenshot, PDF or download. The caller can read the file once the call has succeeded. */
  readonly storeArtifact: CallArtifacts['store'];
  /** Sets the usage that is charged from now on even if the work fails. */
  readonly commitCharge: (usage: Usage) => void;
  /** Stores progress and list elements of a job; null for an inline call, which returns everything at its end. */
  readonly reportProgress: ReportProgress | null;
};

/** The context of a control operation. */
export type ControlCall = {
  readonly caller: Caller;
  readonly requestId: string;
  readonly now: number;
  /** Stores the reply for an idempotency key in the same transaction as the effect of the call. */
  readonly storeAnswer: (tx: Queryable, reply: Omit<Reply, 'stream'>) => Promise<void>;
  /** Aborts when the caller disconnects or the service stops. */
  readonly signal: AbortSignal;
  /** The Last-Event-ID of an event stream; null if the caller has not seen any event. */
  readonly lastEventId: number | null;
};

type ReplyBody = Readonly<Record<string, unknown>>;

/** A body that is sent in pieces. If the iterator throws, the body is incomplete. */
export type ReplyStream = {
  readonly type:
    | 'application/zstd'
    | 'text/event-stream'
    | 'text/csv'
    | 'application/x-ndjson'
    | 'application/warc'
    | (typeof ARTIFACT_TYPES)[number];
  readonly pieces: AsyncIterable<string | Uint8Array>;
};

/** The reply of a control operation: a JSON body, no body (204), or a stream. */
export type Reply<B = ReplyBody> = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: B | null;
  readonly stream: ReplyStream | null;
};

/** A successful reply that an operation can give, for the documentation. */
export type SuccessReply = {
  readonly status: 200 | 201 | 202 | 204;
  readonly meaning: string;
  /** Null if the reply has no body. */
  readonly type: 'application/json' | ReplyStream['type'] | null;
};

/** The result of work and the tier that served it, which determines the surcharge. */
export type WorkResult<B> = {
  readonly body: B;
  readonly tier: ServedTier;
  /** The charge if it differs from that of one page. `paid` is the part that is already in the ledger. */
  readonly charge?: { readonly usage: Usage; readonly paid: number };
};

type Route = `${'GET' | 'POST' | 'PATCH' | 'DELETE'} /${string}`;

type OperationBase<I extends z.ZodType, O extends z.ZodType> = {
  readonly id: string;
  /** The method name in the clients and the operationId, such as `listJobs`. Default: the id in camel case. */
  readonly clientName?: string;
  /** Null for work that runs only as a job or in a monitor. */
  readonly route: Route | null;
  readonly summary: string;
  /** Set for operations across tenants: they need an operator key and are not offered to agents. */
  readonly audience?: 'operator';
  /** Whether its errors also list the single problems in `details`. */
  readonly errorDetails?: true;
  /** Error codes in addition to those of every route. */
  readonly errors: readonly ErrorCode[];
  readonly input: I;
  /** The response body without `request_id` and `usage`, which are added to every response. */
  readonly output: O;
  /** An example request for the documentation. */
  readonly example: z.input<I>;
  /** If it submits another operation: the parameters with that operation's id and input. */
  readonly orders?: { readonly kind: string; readonly input: string };
  /** How the command line presents it, if it differs from the default. */
  readonly view?: CommandView;
  /**
   * How it appears as an agent tool. Without it a control operation is no tool, because every listed tool costs tokens.
   */
  readonly agent?: ToolView;
};

/** The declaration of work that costs credits. Its feature binds the code that runs it. */
export type WorkDeclaration<I extends z.ZodType, O extends z.ZodType> = OperationBase<I, O> & {
  readonly plan: 'free' | 'starter';
  readonly price: Price;
  /**
   * Checks an input against the plan and computes its time limit, tiers and credits. Throws `ServiceError` if it is not
   * allowed.
   */
  readonly admit: (input: z.output<I>, facts: AdmissionFacts) => Admission;
  /** Whether the input is too large for an inline call on this plan and must become a job. Default: never. */
  readonly queue?: (input: z.output<I>, plan: Plan) => boolean;
  /** Alternative names of input parameters. */
  readonly aliases?: Aliases<keyof z.input<I> & string>;
  /** The long array of the output, if it has one. Results are paginated over it. */
  readonly list?: ArrayMember<O>;
  /** Whether it may take hours, like a crawl. Such jobs leave at least one worker slot to other jobs. */
  readonly isLongRunning?: true;
};

/** The names of the array fields of an output. */
type ArrayMember<O extends z.ZodType> = {
  [Name in keyof z.output<O> & string]-?: NonNullable<z.output<O>[Name]> extends readonly unknown[] ? Name : never;
}[keyof z.output<O> & string];

/** A free operation on the service's own records that replies 200 with a JSON body. */
export type ControlDeclaration<I extends z.ZodType, O extends z.ZodType> = OperationBase<I, O> & {
  /** The lowest plan that includes it. Default: every plan. */
  readonly plan?: 'starter';
};

/** A control operation with its own status codes, headers or streams. `output` is the schema of its JSON bodies. */
export type RawControlDeclaration<I extends z.ZodType, O extends z.ZodType> = ControlDeclaration<I, O> & {
  readonly successes: readonly SuccessReply[];
};

/** A validated input together with the functions that use it. */
export type AcceptedWork = {
  /** Deprecated parameters that the caller used. */
  readonly deprecated: readonly string[];
  readonly admit: (facts: AdmissionFacts) => Admission;
  readonly queue: (plan: Plan) => boolean;
  readonly run: (call: WorkCall) => Promise<WorkResult<ReplyBody>>;
  /** Helps with the job of another process; null if only one process can do the work. */
  readonly help: ((call: CallContext) => Promise<void>) | null;
};

/** Validates an input. `at` is its path in the request body, used in messages. Throws `invalid_request`. */
export type InputReader<T> = (
  raw: unknown,
  at?: readonly string[],
) => { readonly input: T; readonly deprecated: readonly string[] };

type ReadInput = (raw: unknown, at?: readonly string[]) => { readonly deprecated: readonly string[] };

/** Declared operations. They have no type parameters, so that one list can hold them all. */
export type WorkOperation = Omit<
  WorkDeclaration<z.ZodType, z.ZodType>,
  'admit' | 'queue' | 'aliases' | 'list' | 'isLongRunning'
> & {
  readonly kind: 'work';
  readonly list: string | null;
  readonly isLongRunning: boolean;
  /** Whether the output schema is strict. Then `usage` and `next_cursor` cannot be added to the response. */
  readonly hasStrictOutput: boolean;
  /** Whether some inputs are queued as jobs. */
  readonly canQueue: boolean;
  /** The site of a site endpoint; null for other work. */
  readonly site: {
    readonly name: string;
    /** What kind of site it is, in a few words; may be empty. */
    readonly about: string;
    /** The distinctive parts of its host names, used as search terms. */
    readonly hosts: readonly string[];
    /** The domains that it fetches, such as `github.com`. */
    readonly domains: readonly string[];
    /** Whether the parser was verified against a real page of the site. */
    readonly verified: boolean;
  } | null;
  readonly read: ReadInput;
};
export type ControlOperation = RawControlDeclaration<z.ZodType, z.ZodType> & {
  readonly kind: 'control';
  readonly read: ReadInput;
};
export type Operation = WorkOperation | ControlOperation;

/** Operations bound to their code. `accept` validates an input and throws `invalid_request`. */
export type BoundWork = WorkOperation & {
  readonly accept: (raw: unknown, at?: readonly string[]) => AcceptedWork;
};
export type BoundControl = ControlOperation & {
  readonly accept: (raw: unknown) => { readonly run: (call: ControlCall) => Promise<Reply> };
};
export type BoundOperation = BoundWork | BoundControl;

/** A response body whose fields may be serialized already by `readForReply`. */
type SerializableBody<B> = { readonly [Name in keyof B]: B[Name] | JsonBytes };

type RunWork<I extends z.ZodType, O extends z.ZodType> = (
  input: z.output<I>,
  call: WorkCall,
) => Promise<WorkResult<SerializableBody<z.input<O>>>>;
type HelpWork<I extends z.ZodType> = (input: z.output<I>, call: CallContext) => Promise<void>;

/** The functions of an operation, which take a validated input. */
type WorkHandlers<T> = {
  readonly admit: (input: T, facts: AdmissionFacts) => Admission;
  readonly queue: (input: T, plan: Plan) => boolean;
  readonly run: (input: T, call: WorkCall) => Promise<WorkResult<ReplyBody>>;
  readonly help?: ((input: T, call: CallContext) => Promise<void>) | undefined;
};

/** A declaration without functions. */
type PlainWorkDeclaration = Omit<WorkOperation, 'kind' | 'hasStrictOutput' | 'read'>;

export type DeclaredWork<I extends z.ZodType, O extends z.ZodType> = WorkOperation & {
  /** Binds the function that runs the operation, and optionally one with which other processes help with its jobs. */
  readonly bind: (run: RunWork<I, O>, help?: HelpWork<I>) => BoundWork;
};

export type DeclaredControl<I extends z.ZodType, R> = ControlOperation & {
  /** Binds the function that runs the operation. */
  readonly bind: (run: (input: z.output<I>, call: ControlCall) => Promise<R>) => BoundControl;
};

/** Declares work that costs credits. */
export function declareWork<I extends z.ZodType, O extends z.ZodType>(
  declaration: WorkDeclaration<I, O>,
): DeclaredWork<I, O> {
  const { admit, queue, aliases, list = null, isLongRunning = false, ...rest } = declaration;
  const { shown, read } = buildInput(declaration.input, aliases);
  const operation = defineWork(
    { ...rest, input: shown, list, isLongRunning, canQueue: queue !== undefined, site: null },
    read,
  );
  return {
    ...operation,
    bind: (run, help) =>
      bindWork(operation, read, {
        admit,
        queue: (input, plan) => queue?.(input, plan) ?? false,
        async run(input, call) {
          const served = await run(input, call);
          return { ...served, body: checkBody(declaration.output, served.body) };
        },
        help,
      }),
  };
}

/** Builds the documented input schema, including aliases, and its reader. */
function buildInput<I extends z.ZodType>(input: I, aliases: Aliases | undefined) {
  if (aliases === undefined) return { shown: input, read: buildInputReader(input) };
  if (!(input instanceof z.ZodObject)) throw new InvariantError('aliases need an object as input');
  return buildAliasReader(input, input.shape, aliases);
}

/** Builds an operation from a declaration and the reader of its input. */
export function defineWork(declaration: PlainWorkDeclaration, read: ReadInput): WorkOperation {
  const isClosed = isStrictObject(declaration.output);
  if (isClosed && declaration.list !== null)
    throw new InvariantError(`${declaration.id}: a strict output cannot have next_cursor`);
  return { ...declaration, kind: 'work', hasStrictOutput: isClosed, read };
}

/** Binds an operation to functions that take the input as `reader` returns it. */
export function bindWork<T>(
  operation: WorkOperation,
  reader: InputReader<T>,
  { admit, queue, run, help }: WorkHandlers<T>,
): BoundWork {
  return {
    ...operation,
    accept(raw, at = []) {
      const { input, deprecated } = reader(raw, at);
      return {
        deprecated,
        admit: (facts) => prefixErrors(at, () => admit(input, facts)),
        queue: (plan) => queue(input, plan),
        run: async (call) => run(input, call),
        help: help === undefined ? null : async (call) => help(input, call),
      };
    },
  };
}

/** Declares a control operation that replies 200 with a JSON body. */
export function declareControl<I extends z.ZodType, O extends z.ZodType>(
  declaration: ControlDeclaration<I, O>,
): DeclaredControl<I, z.input<O>> {
  const { bind, ...operation } = declareRawControl({
    ...declaration,
    successes: [{ status: 200, meaning: declaration.summary, type: 'application/json' }],
  });
  return { ...operation, bind: (run) => bind(async (input, call) => toReply(200, await run(input, call))) };
}

/** Declares a control operation that sets status, headers or a stream itself. */
export function declareRawControl<I extends z.ZodType, O extends z.ZodType>(
  declaration: RawControlDeclaration<I, O>,
): DeclaredControl<I, Reply<z.input<O>>> {
  const reader = buildInputReader(declaration.input);
  const operation: ControlOperation = { ...declaration, kind: 'control', read: reader };
  return {
    ...operation,
    bind: (run) => ({
      ...operation,
      accept(raw) {
        const { input } = reader(raw);
        return {
          async run(call) {
            const reply = await run(input, call);
            return { ...reply, body: reply.body === null ? null : checkBody(declaration.output, reply.body) };
          },
        };
      },
    }),
  };
}

/** Whether an operation replies with server-sent events. */
export function isEventStream(operation: Operation): boolean {
  return operation.kind === 'control' && operation.successes.some(({ type }) => type === 'text/event-stream');
}

/** Builds a reply with a JSON body and no extra headers. */
export function toReply<B>(status: number, body: B): Reply<B> {
  return { status, headers: {}, body, stream: null };
}

/**
 * Validates a body against its schema and removes undeclared fields. Throws `ZodError` on a mismatch. Serialized fields
 * are not validated; they come from the parser, whose types are checked at compile time.
 */
function checkBody(output: z.ZodType, body: unknown): Readonly<Record<string, unknown>> {
  const members = Object.entries(toMembers(body));
  const serialized = members.filter(([, value]) => value instanceof JsonBytes);
  if (serialized.length === 0) return toMembers(output.parse(body));
  const plain = Object.fromEntries(members.filter(([, value]) => !(value instanceof JsonBytes)));
  return { ...toMembers(output.parse(plain)), ...Object.fromEntries(serialized) };
}

/** Whether a schema rejects unknown fields. */
function isStrictObject(output: z.ZodType): boolean {
  return output instanceof z.ZodObject && output.def.catchall instanceof z.ZodNever;
}

function toMembers(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null)
    throw new InvariantError('the body of an operation must be an object');
  return { ...value };
}
