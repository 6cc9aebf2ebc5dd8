import type { UnpaidWork } from '#engine/call/unpaid-work.ts';
import { closest } from 'fastest-levenshtein';
import { z } from 'zod';
import { ServiceError } from '#kernel/errors.ts';
import type { Statements } from '#store/db.ts';
import type { Admission } from '#engine/credits/admission.ts';
import type { Caller } from '#engine/identity/caller.ts';
import type { JobInput, JobRecord } from '#engine/jobs/job-record.ts';
import type { Jobs } from '#engine/jobs/jobs.ts';
import type { ControlCall, Reply, RunnableWork, WorkOperation } from '#engine/call/operation.ts';
import { type FactsFor, gatePlan, limitTime, type WorkOrder } from './order.ts';

/** The members of the caller's input that hold kind and input of an order. */
export type Named = { readonly kind: string; readonly input: readonly string[] };

export type Examined = { readonly operation: WorkOperation; readonly admission: Admission };

type AdmitRequest = {
  readonly kind: string;
  readonly input: JobInput;
  readonly named: Named;
  /** The ceiling of a job; none unless given. */
  readonly maxCredits?: number | null;
};

/** The call that submits a job. */
type SubmittingCall = Pick<ControlCall, 'caller' | 'requestId' | 'keep'>;

export type JobOrder = {
  readonly kind: string;
  readonly input: JobInput;
  readonly maxCredits: number | null;
  /** Whether a feature acts on the end of the job. */
  readonly notify: boolean;
  /** Writes the rows that must exist exactly when the job does; answers the members that it adds to the record. */
  readonly add: (tx: Statements, job: JobRecord) => Promise<Readonly<Record<string, unknown>>>;
};

export type JobGateParts = {
  readonly jobs: Pick<Jobs, 'submit'>;
  readonly unpaid: Pick<UnpaidWork, 'assertAllowance'>;
  readonly factsFor: FactsFor;
  /** The operation of an id, null for none. */
  readonly find: (id: string) => RunnableWork | null;
  /** The ids of all work, for the nearest name. */
  readonly ids: () => readonly string[];
};

/** The ways into the queue: each passes the gates that the work would pass if it ran now. */
export class Queueing {
  readonly #parts: JobGateParts;

  constructor(parts: JobGateParts) {
    this.#parts = parts;
  }

  /** Finds an operation and admits its input, after the gates that it would pass if it ran now. */
  examine({ kind, input, named, maxCredits = null }: AdmitRequest, caller: Caller): Examined {
    const operation = this.#demand(kind, named);
    gatePlan(operation, caller);
    const admission = limitTime(
      operation.accept(input, named.input).admit(this.#parts.factsFor(caller.plan)),
      caller.plan,
    );
    assertCredits(admission, maxCredits);
    return { operation, admission };
  }

  /** Queues work of another operation for the caller. */
  async submit(order: JobOrder, submitting: SubmittingCall): Promise<Reply> {
    const { operation, admission } = this.examine({ ...order, named: JOB_MEMBERS }, submitting.caller);
    this.#parts.unpaid.assertAllowance(submitting.caller);
    return this.#enter({ ...order, operation, admission }, submitting);
  }

  /** Queues an inline call that is too large for one. */
  async queueInline({ operation, raw, call, getAdmission }: WorkOrder, keep: ControlCall['keep']): Promise<Reply> {
    const { caller, requestId } = call;
    this.#parts.unpaid.assertAllowance(caller);
    const own = { maxCredits: null, notify: false, add: async () => ({}) };
    const entry = { ...own, operation, admission: getAdmission(), input: RawInput.parse(raw) };
    return this.#enter(entry, { caller, requestId, keep });
  }

  async #enter(entry: QueueEntry, { caller, requestId, keep }: SubmittingCall): Promise<Reply> {
    const { operation, admission, input, maxCredits, notify, add } = entry;
    const { timeLimit } = admission;
    const warnings = timeLimit === undefined ? {} : { warnings: [timeLimit] };
    return this.#parts.jobs.submit({
      caller,
      requestId,
      kind: operation.id,
      isLongRunning: operation.isLongRunning,
      input,
      maxCredits,
      notify,
      async record(tx, job) {
        const reply = toAcceptedReply({ ...job, ...(await add(tx, job)), ...warnings }, job.id);
        await keep(tx, reply);
        return reply;
      },
    });
  }

  /** The work that a kind names; throws `invalid_request` with the nearest known name. */
  #demand(kind: string, named: Named): RunnableWork {
    const { find, ids } = this.#parts;
    const found = find(kind);
    if (found !== null) return found;
    const short = kind.slice(0, 100);
    throw new ServiceError(
      'invalid_request',
      `${named.kind}: ${short} is not known; the nearest is ${closest(short, [...ids()])}`,
    );
  }
}

type QueueEntry = Omit<JobOrder, 'kind'> & { readonly operation: WorkOperation; readonly admission: Admission };

const RawInput = z.record(z.string(), z.unknown());

/** The members of a job that name its work. */
const JOB_MEMBERS: Named = { kind: 'kind', input: ['input'] };

function toAcceptedReply(body: Readonly<Record<string, unknown>>, id: string): Reply {
  return { status: 202, headers: { location: `/v1/jobs/${id}` }, body, stream: null };
}

function assertCredits({ cheapest }: Admission, maxCredits: number | null): void {
  if (maxCredits === null || maxCredits >= cheapest) return;
  throw new ServiceError('invalid_request', `max_credits: the cheapest outcome of this job costs ${cheapest}`);
}
