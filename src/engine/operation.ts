import { z } from 'zod';
import type { Judgement } from '#access/judge.ts';
import type { SessionOrder } from '#access/interact/sessions.ts';
import type { Attempt, Page, PageRequest, Tier } from '#access/page.ts';
import type { ReadRequest, Reading } from '#extract/reading.ts';
import type { ErrorCode } from '#kernel/errors.ts';
import type { Statements } from '#store/db.ts';
import type { Accounts } from './accounts.ts';
import type { ARTIFACT_TYPES, Artifacts, Keeping } from './artifacts.ts';
import type { Caller } from './caller.ts';
import type { CrawlEnd } from './crawl/crawling.ts';
import type { MapCall, MapEnd, MapOrder } from './crawl/mapping.ts';
import type { CrawlOrder } from './crawl/order.ts';
import type { Cursors } from './cursor.ts';
import type { Begun } from './interact/interacting.ts';
import type { Instance } from './instance.ts';
import type { JobInput } from './job-record.ts';
import type { Mind } from './mind.ts';
import type { StepCounts } from './job-leases.ts';
import type { Jobs } from './jobs.ts';
import type { Following } from './job-following.ts';
import type { History } from './monitors/history.ts';
import type { Monitors } from './monitors/monitors.ts';
import type { Plan } from './plans.ts';
import type { Price, ServedTier, Usage } from './prices.ts';
import type { RequestLog } from './request-log.ts';
import type { ResultReader } from './result-reader.ts';
import type { Verdict } from './sites/answers.ts';
import type { SiteHealth } from './sites/health.ts';
import type { BoundCursors } from './sites/position.ts';
import type { ReadOrder } from './sites/reading.ts';
import type { SiteBook } from './sites/settings.ts';
import { buildReader, namedFrom } from './validation.ts';
import type { DeliveryLog } from './webhooks/delivery-log.ts';
import type { WebhookInput } from './webhooks/schema.ts';
import type { Webhooks } from './webhooks/webhooks.ts';

/** What a piece of work may use and cost, settled before it runs. */
export type Admission = {
  /** Wall clock from receipt, ms. */
  readonly timeoutMs: number;
  /** The same for a job, from its first claim; `timeoutMs` unless given. */
  readonly jobTimeoutMs?: number;
  /** The access tiers that the plan and the options allow, cheapest first. */
  readonly tiers: readonly Tier[];
  /** Credits of the cheapest outcome that the request can have. */
  readonly cheapest: number;
  /** Of these, what is due whichever tier serves; none unless given. */
  readonly besides?: number;
  /** The caller's ceiling for this call, null for none. */
  readonly maxCredits: number | null;
};

/** What the option gate decides by. */
export type AdmissionFacts = {
  readonly plan: Plan;
  /** The egress guard's word on a URL of the caller: parsed, or a 400 that says what is wrong. */
  readonly readTarget: (url: string, member?: string) => URL;
  /** Whether the operator opened the host, as a site of his own. */
  readonly isOpened: (url: URL) => boolean;
  /** Whether the operator configured a model. */
  readonly hasModel: boolean;
  readonly sites: SiteBook;
};

/** A page in hand, the tier it was served by, and how it was reached. */
export type Visited = {
  readonly page: Page;
  readonly tier: ServedTier;
  /** Age of a cached page in ms; null when it was fetched now. */
  readonly ageMs: number | null;
  readonly attempts: readonly Attempt[];
};

export type VisitOptions = {
  /** A cached page at most this old is taken first, 0 for never. */
  readonly maxAgeMs: number;
  /** Whether an address that robots.txt forbids is `target_blocked`, those that redirects lead to included. */
  readonly respectRobots: boolean;
  /**
   * Whether a page that lacks what its scripts bring already holds all that is asked for, so that no browser starts for
   * it; null where only the text of the page tells.
   */
  readonly suffices: ((page: Page) => Promise<boolean>) | null;
  /** Of a visit for an endpoint of a site. */
  readonly site?: SiteVisit;
};

/** What a visit for an endpoint of a site is held to. */
export type SiteVisit = {
  /** The only tiers of the admission that may be used. */
  readonly tiers: readonly Tier[];
  /** The time that the visit may take, ms; null for all that is left. */
  readonly withinMs: number | null;
  /** The site's own judgement of a page, which holds; a cached page that it does not accept is fetched anew. */
  readonly judge: (page: Page, judged: Judgement) => Promise<Judgement>;
  /** Whether a page that came is worth keeping. */
  readonly keeps: (page: Page) => boolean;
};

/** What running endpoints of sites need beside visits. */
export type SiteWork = SiteBook & {
  /** Reads a page by a source of an endpoint, in a parser thread. */
  readonly read: (order: ReadOrder) => Promise<Verdict>;
  readonly cursors: BoundCursors;
  /** Counts what a call of an endpoint came to. */
  readonly observe: SiteHealth['observe'];
  /** The time, ms. */
  readonly now: () => number;
  /** What is left of the time of the call, ms. */
  readonly leftMs: () => number;
  readonly signal: AbortSignal;
};

/** What running work may use; nothing here reaches the network or the store past its guards. */
export type WorkContext = {
  /** The access tiers of its admission. */
  readonly tiers: readonly Tier[];
  /** Walks the ladder, or takes a cached page. */
  readonly visit: (request: PageRequest, options: VisitOptions) => Promise<Visited>;
  /** Reads fetched bytes in a parser thread. */
  readonly read: (request: ReadRequest) => Promise<Reading>;
  /** Keeps a file made of a page for its caller, who can read it when the call has succeeded. */
  readonly keep: Keeping['keep'];
  readonly readTarget: AdmissionFacts['readTarget'];
  /** The operator's model; null where there is none. */
  readonly mind: Mind | null;
  /** Opens a session of a browser, one for each call; it ends with the call. */
  readonly interact: (order: SessionOrder) => Promise<Begun>;
  /** Of a job, which keeps what it is told; null for a call that answers all of it at its end. */
  readonly note: Note | null;
  /** Walks through a site; what a job stores on the way is in its result already. */
  readonly crawl: (order: CrawlOrder, price: Price) => Promise<CrawlEnd>;
  /** Finds the addresses of a site; each is set aside for, and nothing is in a result yet. */
  readonly map: (order: MapOrder, prices: MapCall['prices']) => Promise<MapEnd>;
  readonly sites: SiteWork;
};

/** Tells of steps while they are done, with elements for the list of the result. */
export type Note = (elements: readonly unknown[], counts: StepCounts) => Promise<void>;

/** What a control operation may use. */
export type ControlContext = {
  readonly caller: Caller;
  readonly now: number;
  readonly accounts: Accounts;
  readonly requestLog: RequestLog;
  readonly cursors: Cursors;
  readonly instance: Instance;
  readonly jobs: Jobs;
  readonly following: Following;
  readonly results: ResultReader;
  readonly artifacts: Pick<Artifacts, 'find'>;
  readonly monitors: Monitors;
  readonly history: History;
  readonly webhooks: Pick<Webhooks, 'rotateSecret'>;
  readonly deliveries: DeliveryLog;
  /** Queues work of another operation for the caller, validated and gated as if it ran now. */
  readonly submit: (order: JobOrder) => Promise<Reply>;
  /** The operation of a kind, and what an input may use and cost, after the gates that it would meet if it ran now. */
  readonly examine: (order: Pick<JobOrder, 'kind' | 'input'> & { readonly named: Named }) => Examined;
  /** Keeps the answer of an idempotency key in the transaction of its effect. */
  readonly keep: (tx: Statements, reply: Omit<Reply, 'stream'>) => Promise<void>;
  /** Fires when the caller is gone or the service stops. */
  readonly signal: AbortSignal;
  /** The id of the last event of a stream that the caller has seen, null for none. */
  readonly lastEventId: number | null;
};

export type JobOrder = {
  readonly kind: string;
  readonly input: JobInput;
  readonly maxCredits: number | null;
  readonly webhook: WebhookInput | null;
};

/** Where kind and input of an order stand in what the caller sent. */
export type Named = { readonly kind: string; readonly input: readonly string[] };

export type Examined = { readonly operation: WorkOperation; readonly admission: Admission };

type Body = Readonly<Record<string, unknown>>;

/** What comes piece by piece and ends by itself; one that throws has not been whole. */
export type Stream = {
  readonly type: 'text/event-stream' | 'application/x-ndjson' | 'application/warc' | (typeof ARTIFACT_TYPES)[number];
  readonly pieces: AsyncIterable<string | Uint8Array>;
};

/** What a control operation answers: a body, none (204), or a stream. */
export type Reply<B = Body> = {
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

type Common<I extends z.ZodType, O extends z.ZodType> = {
  readonly id: string;
  /** Null for work that is asked for as a job or by a monitor only. */
  readonly route: Route | null;
  readonly summary: string;
  /** Codes beyond those that every route can answer. */
  readonly errors: readonly ErrorCode[];
  readonly input: I;
  /** The body without `request_id` and `usage`, which the gate adds. */
  readonly output: O;
  /** A request worth showing in the docs. */
  readonly example: z.input<I>;
  /** The one text that says it all, for a terminal; null when only the whole answer does. */
  readonly toText?: (body: Readonly<Record<string, unknown>>) => string | null;
};

/** Priced work, as its author writes it. */
export type WorkDeclaration<I extends z.ZodType, O extends z.ZodType> = Common<I, O> & {
  readonly plan: 'free' | 'starter';
  readonly price: Price;
  /** The option gate: what the input asks of the plan, or the error that refuses it. */
  readonly admit: (input: z.output<I>, facts: AdmissionFacts) => Admission;
  /** Whether the input is too much for an inline call on this plan, so that it becomes a job; without it none is. */
  readonly queue?: (input: z.output<I>, plan: Plan) => boolean;
  /** The output's one long array: results page over it. */
  readonly list?: ListOf<O>;
  /** Whether it goes through a site and may take hours: such jobs leave a place to others. */
  readonly walks?: true;
  /** Of an endpoint of a site: whether it was proven on a page that the site sent; absent for all other work. */
  readonly verified?: boolean;
  readonly run: (input: z.output<I>, context: WorkContext) => Promise<Served<z.input<O>>>;
};

/** The members of an output that are arrays. */
type ListOf<O extends z.ZodType> = {
  [Name in keyof z.output<O> & string]-?: NonNullable<z.output<O>[Name]> extends readonly unknown[] ? Name : never;
}[keyof z.output<O> & string];

/** A free operation on the service's own records, as its author writes it: 200 and a body. */
export type ControlDeclaration<I extends z.ZodType, O extends z.ZodType> = Common<I, O> & {
  readonly run: (input: z.output<I>, context: ControlContext) => Promise<z.input<O>>;
};

/** The same for an operation with other statuses, headers or a stream; `output` is the body of every JSON answer. */
export type RepliesDeclaration<I extends z.ZodType, O extends z.ZodType> = Common<I, O> & {
  readonly successes: readonly Success[];
  readonly run: (input: z.output<I>, context: ControlContext) => Promise<Reply<z.input<O>>>;
};

/** Input that passed validation, with everything that may be done with it. */
export type AcceptedWork = {
  /** Deprecated members that the caller used. */
  readonly deprecated: readonly string[];
  readonly admit: (facts: AdmissionFacts) => Admission;
  readonly queue: (plan: Plan) => boolean;
  readonly run: (context: WorkContext) => Promise<Served<Body>>;
};

/** The sealed forms: no type parameters, so that one list holds them all. `read` throws `invalid_request`. */
export type WorkOperation = Omit<
  WorkDeclaration<z.ZodType, z.ZodType>,
  'admit' | 'queue' | 'list' | 'walks' | 'run'
> & {
  readonly kind: 'work';
  readonly list: string | null;
  readonly walks: boolean;
  /** Whether the output has no room for more members than it names: it gets neither `usage` nor a cursor. */
  readonly isClosed: boolean;
  /** Whether some inputs become jobs. */
  readonly mayQueue: boolean;
  /** `at` is where the input stands in what the caller sent: members are refused by their names from there. */
  readonly read: (raw: unknown, at?: readonly string[]) => AcceptedWork;
};
export type ControlOperation = Omit<RepliesDeclaration<z.ZodType, z.ZodType>, 'run'> & {
  readonly kind: 'control';
  readonly read: (raw: unknown) => { readonly run: (context: ControlContext) => Promise<Reply> };
};
export type Operation = WorkOperation | ControlOperation;

/** Seals priced work behind one closure that validates, runs and checks the output. */
export function defineOperation<I extends z.ZodType, O extends z.ZodType>(
  declaration: WorkDeclaration<I, O>,
): WorkOperation {
  const { admit, queue, run, list = null, walks = false, ...rest } = declaration;
  const reader = buildReader(declaration.input);
  const isClosed = isStrict(declaration.output);
  if (isClosed && list !== null) throw new Error(`${declaration.id}: a closed output has no room for a cursor`);
  return {
    ...rest,
    kind: 'work',
    list,
    walks,
    isClosed,
    mayQueue: queue !== undefined,
    read(raw, at = []) {
      const { input, deprecated } = reader(raw, at);
      return {
        deprecated,
        admit: (facts) => namedFrom(at, () => admit(input, facts)),
        queue: (plan) => queue?.(input, plan) ?? false,
        async run(context) {
          const served = await run(input, context);
          return { ...served, body: toBody(declaration.output.parse(served.body)) };
        },
      };
    },
  };
}

/** Seals a control operation that answers 200 with a body. */
export function defineControl<I extends z.ZodType, O extends z.ZodType>(
  declaration: ControlDeclaration<I, O>,
): ControlOperation {
  return defineReplies({
    ...declaration,
    successes: [{ status: 200, meaning: declaration.summary, type: 'application/json' }],
    run: async (input, context) => toReply(200, await declaration.run(input, context)),
  });
}

/** Seals a control operation that chooses status, headers or a stream itself. */
export function defineReplies<I extends z.ZodType, O extends z.ZodType>(
  declaration: RepliesDeclaration<I, O>,
): ControlOperation {
  const { run, ...rest } = declaration;
  const reader = buildReader(declaration.input);
  return {
    ...rest,
    kind: 'control',
    read(raw) {
      const { input } = reader(raw);
      return {
        async run(context) {
          const reply = await run(input, context);
          return { ...reply, body: reply.body === null ? null : toBody(declaration.output.parse(reply.body)) };
        },
      };
    },
  };
}

/** Whether an operation answers nothing but events, which are no single body. */
export function isStream(operation: Operation): boolean {
  return operation.kind === 'control' && operation.successes.some(({ type }) => type === 'text/event-stream');
}

/** A reply with a body and no headers of its own. */
export function toReply<B>(status: number, body: B): Reply<B> {
  return { status, headers: {}, body, stream: null };
}

function isStrict(output: z.ZodType): boolean {
  return output instanceof z.ZodObject && output.def.catchall instanceof z.ZodNever;
}

function toBody(value: unknown): Body {
  if (typeof value !== 'object' || value === null) throw new Error('an operation answers an object');
  return { ...value };
}
