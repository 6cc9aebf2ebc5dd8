import { z } from 'zod';
import type { Attempt } from '#access/page.ts';
import type { Admission } from '#engine/credits/admission.ts';
import type { Account } from '#engine/credits/billing.ts';
import type { Price, ServedTier, Usage } from '#engine/credits/prices.ts';
import type { Caller } from '#engine/identity/caller.ts';
import type { Activity } from '#engine/jobs/slots.ts';
import type { ClosingReason, StepCounts } from '#engine/jobs/lease.ts';
import type { PackedReading } from '#engine/reading/packed-outputs.ts';
import { ARTIFACT_TYPES, type CallArtifacts } from '#engine/results/artifacts.ts';
import type { Visits } from '#engine/visits/visits.ts';
import type { PageReading, ReadRequest } from '#extract/reading.ts';
import type { Deadline } from '#kernel/deadline.ts';
import type { ErrorCode } from '#kernel/errors.ts';
import type { MemoryShare } from '#kernel/memory-budget.ts';
import type { Queryable } from '#store/db.ts';
import type { CommandView } from './command-view.ts';
import type { ModelSession } from './model.ts';
import type { ToolView } from './tool-view.ts';
import type { InputRules } from './validation.ts';

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

export type ReplyBody = Readonly<Record<string, unknown>>;

/** The content types of bodies that are sent in pieces. */
export const STREAM_TYPES = [
  'application/vnd.apache.parquet',
  'application/warc',
  'application/x-ndjson',
  'application/zip',
  'application/zstd',
  'text/csv',
  'text/event-stream',
  'text/plain',
  ...ARTIFACT_TYPES,
] as const;

/** A body that is sent in pieces. If the iterator throws, the body is incomplete. */
export type ReplyStream = {
  readonly type: (typeof STREAM_TYPES)[number];
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

/** Thrown in the transaction of a charge if the result no longer fits the stored data. It is built again. */
export class ResultOutdated extends Error {}

/** What work changes in the store when it is charged. */
export type WorkEffect<B> = {
  /** Writes rows in the transaction of the charge, which may run several times. Throws `ResultOutdated`. */
  readonly store: (tx: Queryable) => Promise<void>;
  /** Builds the result again with the data that is stored now. */
  readonly rebuild: () => Promise<WorkResult<B>>;
};

/** The result of work and the tier that served it, which determines the surcharge. */
export type WorkResult<B> = {
  readonly body: B;
  readonly effect?: WorkEffect<B>;
  readonly tier: ServedTier;
  /** The charge if it differs from that of one page. `paid` is the part that is already in the ledger. */
  readonly charge?: { readonly usage: Usage; readonly paid: number };
};

type Route = `${'GET' | 'POST' | 'PATCH' | 'DELETE'} /${string}`;

type OperationData<I extends z.ZodType, O extends z.ZodType> = InputRules<I> & {
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

/** The site of a site endpoint. */
export type OperationSite = {
  readonly name: string;
  /** What kind of site it is, in a few words; may be empty. */
  readonly about: string;
  /** The distinctive parts of its host names, used as search terms. */
  readonly hosts: readonly string[];
  /** The domains that it fetches, such as `github.com`. */
  readonly domains: readonly string[];
  /** Whether the parser was verified against a real page of the site. */
  readonly verified: boolean;
};

type WorkData<I extends z.ZodType, O extends z.ZodType> = OperationData<I, O> & {
  readonly plan: 'free' | 'starter';
  readonly price: Price;
  /** Whether some inputs are too large for an inline call and become jobs. */
  readonly canQueue?: true;
  /** The long array of the output, if it has one. Results are paginated over it. */
  readonly list?: ArrayMember<O>;
  /** Whether it may take hours, like a crawl. Such jobs leave at least one worker slot to other jobs. */
  readonly isLongRunning?: true;
  /** Set for site endpoints. */
  readonly site?: OperationSite;
};

/** The names of the array fields of an output; any name if the output is not known. */
type ArrayMember<O extends z.ZodType> =
  unknown extends z.output<O>
    ? string
    : {
        [Name in keyof z.output<O> & string]-?: NonNullable<z.output<O>[Name]> extends readonly unknown[]
          ? Name
          : never;
      }[keyof z.output<O> & string];

/** Work that costs credits, as its feature declares it. Its code is bound to it with `bindWork`. */
export type WorkOperation<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> = WorkData<I, O> & {
  readonly kind: 'work';
};

type ControlData<I extends z.ZodType, O extends z.ZodType> = OperationData<I, O> & {
  /** The lowest plan that includes it. Default: every plan. */
  readonly plan?: 'starter';
};

/** A free operation on the service's own records that replies 200 with a JSON body. */
export type PlainControl<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> = ControlData<I, O> & {
  readonly kind: 'control';
  readonly successes?: never;
};

/** A free operation with its own status codes, headers or streams. `output` is the schema of its JSON bodies. */
export type RawControl<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> = ControlData<I, O> & {
  readonly kind: 'control';
  readonly successes: readonly SuccessReply[];
};

export type ControlOperation = PlainControl | RawControl;

/** A declared operation: data, without the code that runs it. */
export type Operation = WorkOperation | ControlOperation;

/** Declares work that costs credits. */
export function declareWork<I extends z.ZodType, O extends z.ZodType>(
  declaration: WorkData<I, O>,
): WorkOperation<I, O> {
  return { ...declaration, kind: 'work' };
}

/** Declares a control operation that replies 200 with a JSON body. */
export function declareControl<I extends z.ZodType, O extends z.ZodType>(
  declaration: ControlData<I, O>,
): PlainControl<I, O> {
  return { ...declaration, kind: 'control' };
}

/** Declares a control operation that sets status, headers or a stream itself. */
export function declareRawControl<I extends z.ZodType, O extends z.ZodType>(
  declaration: ControlData<I, O> & { readonly successes: readonly SuccessReply[] },
): RawControl<I, O> {
  return { ...declaration, kind: 'control' };
}

/** Whether an operation replies with server-sent events. */
export function isEventStream(operation: Operation): boolean {
  return operation.kind === 'control' && operation.successes?.some(({ type }) => type === 'text/event-stream') === true;
}

/** Whether the output of work is a strict object. Then `usage` and `next_cursor` cannot be added to the response. */
export function hasStrictOutput({ kind, output }: Operation): boolean {
  return kind === 'work' && output instanceof z.ZodObject && output.def.catchall instanceof z.ZodNever;
}

/** Builds a reply with a JSON body and no extra headers. */
export function toReply<B>(status: number, body: B): Reply<B> {
  return { status, headers: {}, body, stream: null };
}
