import { z } from 'zod';
import type { Attempt } from '#access/page.ts';
import type { Admission, AdmissionFacts } from '#engine/credits/admission.ts';
import type { Account } from '#engine/credits/billing.ts';
import type { Price, ServedTier, Usage } from '#engine/credits/prices.ts';
import type { Caller } from '#engine/identity/caller.ts';
import type { Plan } from '#engine/identity/plans.ts';
import type { Activity } from '#engine/jobs/activity.ts';
import type { Closing, StepCounts } from '#engine/jobs/lease.ts';
import type { PackedReading } from '#engine/reading/packed-outputs.ts';
import type { ARTIFACT_TYPES, CallArtifacts } from '#engine/results/artifacts.ts';
import type { Visits } from '#engine/visits/visits.ts';
import { InvariantError } from '#extract/invariant-error.ts';
import { JsonBytes } from '#extract/json/json-bytes.ts';
import type { PageReading, ReadRequest } from '#extract/reading.ts';
import type { Deadline } from '#kernel/deadline.ts';
import type { ErrorCode } from '#kernel/errors.ts';
import type { MemoryShare } from '#kernel/memory-budget.ts';
import type { Statements } from '#store/db.ts';
import type { CommandView } from './command-view.ts';
import type { ModelSession } from './model-session.ts';
import type { ToolView } from './tool-view.ts';
import { type Aliases, buildAliasReader, buildReader, prefixErrors } from './validation.ts';

/** Reports the progress of steps, with elements for the list of the result. */
export type Note = (elements: readonly unknown[], counts: StepCounts) => Promise<void>;

/** The parts of a call that also a process has that helps with another's job. */
export type CallContext = {
  /** The id of the operation that runs. */
  readonly operation: string;
  /** The tenant, plan and key that pay for the call. */
  readonly account: Account;
  readonly admission: Admission;
  /** The job whose work this is, null for an inline call. */
  readonly jobId: string | null;
  /** The reason why a crawl only answers what it has stored; null while it continues. */
  readonly closing: Closing | null;
  /** The share of an inline call in the memory of all answers. */
  readonly share: MemoryShare;
  /** The operator's model; null where there is none. */
  readonly modelSession: ModelSession | null;
  readonly activity: Activity;
  /** Fires when the time is up, or the work must stop for another reason. */
  readonly signal: AbortSignal;
};

/** The context of a piece of work; every member goes through the guards of the network and the store. */
export type WorkCall = CallContext & {
  readonly deadline: Deadline;
  /** Filled attempt by attempt, so that a failed call shows them too. */
  readonly attempts: Attempt[];
  /** Gets a page by the ladder, or from the cache. */
  readonly visit: Visits['visit'];
  /** Reads fetched bytes in a parser thread. */
  readonly read: (request: ReadRequest) => Promise<PageReading>;
  /** The same for a body that is answered as it is: large outputs may come serialized. */
  readonly readForReply: (request: ReadRequest) => Promise<PackedReading>;
  /** Stores a file made of a page; the caller can read it when the call has succeeded. */
  readonly keep: CallArtifacts['store'];
  /** From here on the work costs this, however it ends. */
  readonly owe: (usage: Usage) => void;
  /** Stores progress and elements of a job; null for an inline call, which answers all of it at its end. */
  readonly note: Note | null;
};

/** The context of a control operation. */
export type ControlCall = {
  readonly caller: Caller;
  readonly requestId: string;
  readonly now: number;
  /** Keeps the answer of an idempotency key in the transaction of its effect. */
  readonly keep: (tx: Statements, reply: Omit<Reply, 'stream'>) => Promise<void>;
  /** Fires when the caller is gone or the service stops. */
  readonly signal: AbortSignal;
  /** The id of the last event of a stream that the caller has seen, null for none. */
  readonly lastEventId: number | null;
};

type ReplyBody = Readonly<Record<string, unknown>>;

/** A body that is sent piece by piece; one that throws was not complete. */
export type Stream = {
  readonly type:
    | 'application/zstd'
    | 'text/event-stream'
    | 'text/csv'
    | 'application/x-ndjson'
    | 'application/warc'
    | (typeof ARTIFACT_TYPES)[number];
  readonly pieces: AsyncIterable<string | Uint8Array>;
};

/** The answer of a control operation: a body, none (204), or a stream. */
export type Reply<B = ReplyBody> = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: B | null;
  readonly stream: Stream | null;
};

/** A success that an operation can answer, for the docs. */
export type Success = {
  readonly status: 200 | 201 | 202 | 204;
  readonly meaning: string;
  /** Null for no body. */
  readonly type: 'application/json' | Stream['type'] | null;
};

/** The answer of a piece of work and the tier that served it, which decides the surcharge. */
export type Served<B> = {
  readonly body: B;
  readonly tier: ServedTier;
  /** The charge where it is not that of one page; `paid` are the credits of it that are in the ledger already. */
  readonly charge?: { readonly usage: Usage; readonly paid: number };
};

type Route = `${'GET' | 'POST' | 'PATCH' | 'DELETE'} /${string}`;

type OperationBase<I extends z.ZodType, O extends z.ZodType> = {
  readonly id: string;
  /** Its name in the clients and its operationId, a verb first; the id in camel case unless given. */
  readonly clientName?: string;
  /** Null for work that runs only as a job or for a monitor. */
  readonly route: Route | null;
  readonly summary: string;
  /** Set for what sees every tenant: only the key of an operator opens it, and no agent is offered it. */
  readonly audience?: 'operator';
  /** Whether each of its errors lists its faults in `details` too. */
  readonly errorDetails?: true;
  /** Codes beyond those that every route can answer. */
  readonly errors: readonly ErrorCode[];
  readonly input: I;
  /** The body without `request_id` and `usage`, which the gate adds. */
  readonly output: O;
  /** A request for the docs. */
  readonly example: z.input<I>;
  /** The members that name another operation and hold its input, where it orders one. */
  readonly orders?: { readonly kind: string; readonly input: string };
  /** How the command line shows it, where that is not as any other. */
  readonly view?: CommandView;
  /** How agents meet it as a tool; a control operation without one is offered to none, since every listed tool costs tokens. */
  readonly agent?: ToolView;
};

/** The declaration of priced work; the code that runs it is bound where its feature is made. */
export type WorkDeclaration<I extends z.ZodType, O extends z.ZodType> = OperationBase<I, O> & {
  readonly plan: 'free' | 'starter';
  readonly price: Price;
  /** The option gate: the admission of an input on a plan; throws the error that refuses it. */
  readonly admit: (input: z.output<I>, facts: AdmissionFacts) => Admission;
  /** Whether the input is too large for an inline call on this plan, so that it becomes a job; none is unless given. */
  readonly queue?: (input: z.output<I>, plan: Plan) => boolean;
  /** Other names of members of the input. */
  readonly aliases?: Aliases<keyof z.input<I> & string>;
  /** The output's one long array: results page over it. */
  readonly list?: ArrayMember<O>;
  /** Whether it may take hours, as crawls and maps do: such jobs leave a slot to others. */
  readonly isLongRunning?: true;
};

/** The members of an output that are arrays. */
type ArrayMember<O extends z.ZodType> = {
  [Name in keyof z.output<O> & string]-?: NonNullable<z.output<O>[Name]> extends readonly unknown[] ? Name : never;
}[keyof z.output<O> & string];

/** A free operation on the service's own records that answers 200 and a body. */
export type ControlDeclaration<I extends z.ZodType, O extends z.ZodType> = OperationBase<I, O> & {
  /** The least plan that has it; every plan unless given. */
  readonly plan?: 'starter';
};

/** The same for an operation with other statuses, headers or a stream; `output` is the body of every JSON answer. */
export type RawControlDeclaration<I extends z.ZodType, O extends z.ZodType> = ControlDeclaration<I, O> & {
  readonly successes: readonly Success[];
};

/** Input that passed validation, with the functions that use it. */
export type AcceptedWork = {
  /** Deprecated members that the caller used. */
  readonly deprecated: readonly string[];
  readonly admit: (facts: AdmissionFacts) => Admission;
  readonly queue: (plan: Plan) => boolean;
  readonly run: (call: WorkCall) => Promise<Served<ReplyBody>>;
  /** Takes a part in the job of another process; null where only its owner can do the work. */
  readonly help: ((call: CallContext) => Promise<void>) | null;
};

/** Reads and validates an input; `at` is its path in the body that the caller sent. Throws `invalid_request`. */
export type InputReader<T> = (
  raw: unknown,
  at?: readonly string[],
) => { readonly input: T; readonly deprecated: readonly string[] };

type ReadInput = (raw: unknown, at?: readonly string[]) => { readonly deprecated: readonly string[] };

/** The declared forms: no type parameters, so that one list holds them all. */
export type WorkOperation = Omit<
  WorkDeclaration<z.ZodType, z.ZodType>,
  'admit' | 'queue' | 'aliases' | 'list' | 'isLongRunning'
> & {
  readonly kind: 'work';
  readonly list: string | null;
  readonly isLongRunning: boolean;
  /** Whether the output allows only its own members: it gets neither `usage` nor a cursor. */
  readonly isClosed: boolean;
  /** Whether some inputs become jobs. */
  readonly mayQueue: boolean;
  /** The site of an endpoint; null for other work. */
  readonly site: {
    readonly name: string;
    /** Its kind in a few words; empty where nobody wrote them. */
    readonly about: string;
    /** The names of its hosts, without what many share: what a search for it may say. */
    readonly hosts: readonly string[];
    /** The domains that it reads, such as `github.com`. */
    readonly domains: readonly string[];
    /** Whether the parser of the endpoint was verified on a page of the site. */
    readonly verified: boolean;
  } | null;
  readonly read: ReadInput;
};
export type ControlOperation = RawControlDeclaration<z.ZodType, z.ZodType> & {
  readonly kind: 'control';
  readonly read: ReadInput;
};
export type Operation = WorkOperation | ControlOperation;

/** The bound forms, which the gate runs; `accept` throws `invalid_request`. */
export type RunnableWork = WorkOperation & {
  readonly accept: (raw: unknown, at?: readonly string[]) => AcceptedWork;
};
export type RunnableControl = ControlOperation & {
  readonly accept: (raw: unknown) => { readonly run: (call: ControlCall) => Promise<Reply> };
};
export type Runnable = RunnableWork | RunnableControl;

/** A body of work: a member may be serialized already where `readForReply` gave it. */
type SerializableBody<B> = { readonly [Name in keyof B]: B[Name] | JsonBytes };

type RunWork<I extends z.ZodType, O extends z.ZodType> = (
  input: z.output<I>,
  call: WorkCall,
) => Promise<Served<SerializableBody<z.input<O>>>>;
type HelpWork<I extends z.ZodType> = (input: z.output<I>, call: CallContext) => Promise<void>;

/** The code of an operation, by the input that its reader gives. */
type WorkHandlers<T> = {
  readonly admit: (input: T, facts: AdmissionFacts) => Admission;
  readonly queue: (input: T, plan: Plan) => boolean;
  readonly run: (input: T, call: WorkCall) => Promise<Served<ReplyBody>>;
  readonly help?: ((input: T, call: CallContext) => Promise<void>) | undefined;
};

/** The declaration of work without its code. */
type PlainWorkDeclaration = Omit<WorkOperation, 'kind' | 'isClosed' | 'read'>;

export type DeclaredWork<I extends z.ZodType, O extends z.ZodType> = WorkOperation & {
  /** Binds the code of the operation, and the code with which another process helps with its jobs. */
  readonly runs: (run: RunWork<I, O>, help?: HelpWork<I>) => RunnableWork;
};

export type DeclaredControl<I extends z.ZodType, R> = ControlOperation & {
  /** Binds the code of the operation. */
  readonly runs: (run: (input: z.output<I>, call: ControlCall) => Promise<R>) => RunnableControl;
};

/** Declares priced work. */
export function declareWork<I extends z.ZodType, O extends z.ZodType>(
  declaration: WorkDeclaration<I, O>,
): DeclaredWork<I, O> {
  const { admit, queue, aliases, list = null, isLongRunning = false, ...rest } = declaration;
  const { shown, read } = buildInput(declaration.input, aliases);
  const operation = sealWork(
    { ...rest, input: shown, list, isLongRunning, mayQueue: queue !== undefined, site: null },
    read,
  );
  return {
    ...operation,
    runs: (run, help) =>
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

/** The input as it is shown, with all names of its members, and its reader. */
function buildInput<I extends z.ZodType>(input: I, aliases: Aliases | undefined) {
  if (aliases === undefined) return { shown: input, read: buildReader(input) };
  if (!(input instanceof z.ZodObject)) throw new InvariantError('only the members of an object have other names');
  return buildAliasReader(input, input.shape, aliases);
}

/** Makes an operation of a declaration and the reader of its input. */
export function sealWork(declaration: PlainWorkDeclaration, read: ReadInput): WorkOperation {
  const isClosed = isStrictObject(declaration.output);
  if (isClosed && declaration.list !== null)
    throw new InvariantError(`${declaration.id}: a closed output has no room for a cursor`);
  return { ...declaration, kind: 'work', isClosed, read };
}

/** Binds an operation to its code, which gets the input that the reader gives. */
export function bindWork<T>(
  operation: WorkOperation,
  reader: InputReader<T>,
  { admit, queue, run, help }: WorkHandlers<T>,
): RunnableWork {
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

/** Declares a control operation that answers 200 with a body. */
export function declareControl<I extends z.ZodType, O extends z.ZodType>(
  declaration: ControlDeclaration<I, O>,
): DeclaredControl<I, z.input<O>> {
  const { runs, ...operation } = declareReplies({
    ...declaration,
    successes: [{ status: 200, meaning: declaration.summary, type: 'application/json' }],
  });
  return { ...operation, runs: (run) => runs(async (input, call) => toReply(200, await run(input, call))) };
}

/** Declares a control operation that chooses status, headers or a stream itself. */
export function declareReplies<I extends z.ZodType, O extends z.ZodType>(
  declaration: RawControlDeclaration<I, O>,
): DeclaredControl<I, Reply<z.input<O>>> {
  const reader = buildReader(declaration.input);
  const operation: ControlOperation = { ...declaration, kind: 'control', read: reader };
  return {
    ...operation,
    runs: (run) => ({
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

/** Whether an operation answers a stream of events instead of a body. */
export function isStream(operation: Operation): boolean {
  return operation.kind === 'control' && operation.successes.some(({ type }) => type === 'text/event-stream');
}

/** A reply with a body and no headers. */
export function toReply<B>(status: number, body: B): Reply<B> {
  return { status, headers: {}, body, stream: null };
}

/**
 * Checks a body against its declaration and leaves out what that does not have; throws where they differ. Serialized members
 * come from a reader, which has the right types.
 */
function checkBody(output: z.ZodType, body: unknown): Readonly<Record<string, unknown>> {
  const members = Object.entries(toMembers(body));
  const serialized = members.filter(([, value]) => value instanceof JsonBytes);
  if (serialized.length === 0) return toMembers(output.parse(body));
  const plain = Object.fromEntries(members.filter(([, value]) => !(value instanceof JsonBytes)));
  return { ...toMembers(output.parse(plain)), ...Object.fromEntries(serialized) };
}

/** Whether an output allows only its own members. */
function isStrictObject(output: z.ZodType): boolean {
  return output instanceof z.ZodObject && output.def.catchall instanceof z.ZodNever;
}

function toMembers(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) throw new InvariantError('an operation answers an object');
  return { ...value };
}
