import { z } from 'zod';
import type { Attempt, Page, PageRequest, Tier } from '#access/page.ts';
import type { ReadRequest, Reading } from '#extract/reading.ts';
import type { ErrorCode } from '#kernel/errors.ts';
import type { Accounts } from './accounts.ts';
import type { Caller } from './caller.ts';
import type { Cursors } from './cursor.ts';
import type { Instance } from './instance.ts';
import type { Plan } from './plans.ts';
import type { Price, ServedTier } from './prices.ts';
import type { RequestLog } from './request-log.ts';
import { buildReader } from './validation.ts';

/** What a piece of work may use and cost, settled before it runs. */
export type Admission = {
  /** Wall clock from receipt, ms. */
  readonly timeoutMs: number;
  /** The access tiers that the plan and the options allow, cheapest first. */
  readonly tiers: readonly Tier[];
  /** Credits of the cheapest outcome that the request can have. */
  readonly cheapest: number;
  /** The caller's ceiling for this call, null for none. */
  readonly maxCredits: number | null;
};

/** What the option gate decides by. */
export type AdmissionFacts = {
  readonly plan: Plan;
  /** The egress guard's word on a URL of the caller: parsed, or a 400 that says what is wrong. */
  readonly readTarget: (url: string) => URL;
};

/** A page in hand, the tier it was served by, and how it was reached. */
export type Visited = {
  readonly page: Page;
  readonly tier: ServedTier;
  /** Age of a cached page in ms; null when it was fetched now. */
  readonly ageMs: number | null;
  readonly attempts: readonly Attempt[];
};

/** What running work may use; nothing here reaches the network or the store past its guards. */
export type WorkContext = {
  /** Walks the ladder; a cached page at most `maxAgeMs` old is taken first, 0 for never. */
  readonly visit: (request: PageRequest, options: { readonly maxAgeMs: number }) => Promise<Visited>;
  /** Reads fetched bytes in a parser thread. */
  readonly read: (request: ReadRequest) => Promise<Reading>;
  readonly readTarget: AdmissionFacts['readTarget'];
};

/** What a control operation may use. */
export type ControlContext = {
  readonly caller: Caller;
  readonly now: number;
  readonly accounts: Accounts;
  readonly requestLog: RequestLog;
  readonly cursors: Cursors;
  readonly instance: Instance;
};

/** The answer of a piece of work and the tier that served it, which decides the surcharge. */
export type Served<B> = { readonly body: B; readonly tier: ServedTier };

type Route = `${'GET' | 'POST'} /${string}`;

type Common<I extends z.ZodType, O extends z.ZodType> = {
  readonly id: string;
  readonly route: Route;
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
  readonly run: (input: z.output<I>, context: WorkContext) => Promise<Served<z.input<O>>>;
};

/** A free operation on the service's own records, as its author writes it. */
export type ControlDeclaration<I extends z.ZodType, O extends z.ZodType> = Common<I, O> & {
  readonly run: (input: z.output<I>, context: ControlContext) => Promise<z.input<O>>;
};

/** Input that passed validation, with everything that may be done with it. */
export type AcceptedWork = {
  /** Deprecated members that the caller used. */
  readonly deprecated: readonly string[];
  readonly admit: (facts: AdmissionFacts) => Admission;
  readonly run: (context: WorkContext) => Promise<Served<Readonly<Record<string, unknown>>>>;
};

/** The sealed forms: no type parameters, so that one list holds them all. `read` throws `invalid_request`. */
export type WorkOperation = Omit<WorkDeclaration<z.ZodType, z.ZodType>, 'admit' | 'run'> & {
  readonly kind: 'work';
  readonly read: (raw: unknown) => AcceptedWork;
};
export type ControlOperation = Omit<ControlDeclaration<z.ZodType, z.ZodType>, 'run'> & {
  readonly kind: 'control';
  readonly read: (raw: unknown) => {
    readonly run: (context: ControlContext) => Promise<Readonly<Record<string, unknown>>>;
  };
};
export type Operation = WorkOperation | ControlOperation;

/** Seals priced work behind one closure that validates, runs and checks the output. */
export function defineOperation<I extends z.ZodType, O extends z.ZodType>(
  declaration: WorkDeclaration<I, O>,
): WorkOperation {
  const { admit, run, ...rest } = declaration;
  const reader = buildReader(declaration.input);
  return {
    ...rest,
    kind: 'work',
    read(raw) {
      const { input, deprecated } = reader(raw);
      return {
        deprecated,
        admit: (facts) => admit(input, facts),
        async run(context) {
          const served = await run(input, context);
          return { body: toBody(declaration.output.parse(served.body)), tier: served.tier };
        },
      };
    },
  };
}

/** Seals a control operation in the same way. */
export function defineControl<I extends z.ZodType, O extends z.ZodType>(
  declaration: ControlDeclaration<I, O>,
): ControlOperation {
  const { run, ...rest } = declaration;
  const reader = buildReader(declaration.input);
  return {
    ...rest,
    kind: 'control',
    read(raw) {
      const { input } = reader(raw);
      return { run: async (context) => toBody(declaration.output.parse(await run(input, context))) };
    },
  };
}

function toBody(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) throw new Error('an operation answers an object');
  return { ...value };
}
