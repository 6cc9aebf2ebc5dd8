import type { UnpaidWork } from '#engine/call/unpaid-work.ts';
import { closest } from 'fastest-levenshtein';
import { z } from 'zod';
import { ServiceError } from '#kernel/errors.ts';
import type { Queryable } from '#store/db.ts';
import type { Admission } from '#engine/credits/admission.ts';
import type { Caller } from '#engine/identity/caller.ts';
import type { JobInput, JobRecord } from '#engine/jobs/job-record.ts';
import type { Jobs } from '#engine/jobs/jobs.ts';
import type { BoundWork } from '#engine/call/bound-operation.ts';
import type { ControlCall, Reply, WorkOperation } from '#engine/call/operation.ts';
import { type GetAdmissionFacts, assertPlan, limitTime, type WorkOrder } from './order.ts';

/** The parameters that contain the kind and the input of a job, for error messages. */
export type JobMemberNames = { readonly kind: string; readonly input: readonly string[] };

export type AdmittedJob = { readonly operation: WorkOperation; readonly admission: Admission };

type AdmitRequest = {
  readonly kind: string;
  readonly input: JobInput;
  readonly named: JobMemberNames;
  /** The credit ceiling of the job. Default: none. */
  readonly maxCredits?: number | null;
};

/** The call that submits a job. */
type SubmittingCall = Pick<ControlCall, 'caller' | 'requestId' | 'storeAnswer'>;

export type JobOrder = {
  readonly kind: string;
  readonly input: JobInput;
  readonly maxCredits: number | null;
  /** Whether a feature must be notified when the job ends. */
  readonly notify: boolean;
  /** Writes rows in the transaction of the job. Returns the fields to add to the job record. */
  readonly add: (tx: Queryable, job: JobRecord) => Promise<Readonly<Record<string, unknown>>>;
};

export type JobGateParts = {
  readonly jobs: Pick<Jobs, 'submit'>;
  readonly unpaid: Pick<UnpaidWork, 'assertAllowance'>;
  readonly getFacts: GetAdmissionFacts;
  /** Finds the work of an id; null if there is none. */
  readonly findWork: (id: string) => BoundWork | null;
  /** The ids of all work, to suggest the nearest one. */
  readonly listIds: () => readonly string[];
};

/** Admits work and puts it into the queue, with the same checks as if it ran at once. */
export class JobGate {
  readonly #parts: JobGateParts;

  constructor(parts: JobGateParts) {
    this.#parts = parts;
  }

  /** Finds an operation and admits its input. Throws as the operation would if it ran at once. */
  admit({ kind, input, named, maxCredits = null }: AdmitRequest, caller: Caller): AdmittedJob {
    const { operation, accept } = this.#demand(kind, named);
    assertPlan(operation, caller);
    const admission = limitTime(accept(input, named.input).admit(this.#parts.getFacts(caller.plan)), caller.plan);
    assertCredits(admission, maxCredits);
    return { operation, admission };
  }

  /** Queues an operation as a job of the caller. */
  async submit(order: JobOrder, submitting: SubmittingCall): Promise<Reply> {
    const { operation, admission } = this.admit({ ...order, named: JOB_MEMBERS }, submitting.caller);
    this.#parts.unpaid.assertAllowance(submitting.caller);
    return this.#enter({ ...order, operation, admission }, submitting);
  }

  /** Queues an inline call that is too large to run inline. */
  async queueInline(
    { operation, raw, call, getAdmitted }: WorkOrder,
    keep: ControlCall['storeAnswer'],
  ): Promise<Reply> {
    const { caller, requestId } = call;
    this.#parts.unpaid.assertAllowance(caller);
    const own = { maxCredits: null, notify: false, add: async () => ({}) };
    const entry = { ...own, operation, admission: getAdmitted().admission, input: RawInput.parse(raw) };
    return this.#enter(entry, { caller, requestId, storeAnswer: keep });
  }

  async #enter(entry: QueueEntry, { caller, requestId, storeAnswer }: SubmittingCall): Promise<Reply> {
    const { operation, admission, input, maxCredits, notify, add } = entry;
    const { timeLimit } = admission;
    const warnings = timeLimit === undefined ? {} : { warnings: [timeLimit] };
    return this.#parts.jobs.submit({
      caller,
      requestId,
      kind: operation.id,
      isLongRunning: operation.isLongRunning === true,
      input,
      maxCredits,
      notify,
      async record(tx, job) {
        const reply = toAcceptedReply({ ...job, ...(await add(tx, job)), ...warnings }, job.id);
        await storeAnswer(tx, reply);
        return reply;
      },
    });
  }

  /** Finds the work of a kind. Throws `invalid_request` with the nearest known kind. */
  #demand(kind: string, named: JobMemberNames): BoundWork {
    const { findWork, listIds } = this.#parts;
    const found = findWork(kind);
    if (found !== null) return found;
    const short = kind.slice(0, 100);
    throw new ServiceError(
      'invalid_request',
      `${named.kind}: ${short} is not known; the nearest is ${closest(short, [...listIds()])}`,
    );
  }
}

type QueueEntry = Omit<JobOrder, 'kind'> & { readonly operation: WorkOperation; readonly admission: Admission };

const RawInput = z.record(z.string(), z.unknown());

/** The parameters of `jobs.submit`. */
const JOB_MEMBERS: JobMemberNames = { kind: 'kind', input: ['input'] };

function toAcceptedReply(body: Readonly<Record<string, unknown>>, id: string): Reply {
  return { status: 202, headers: { location: `/v1/jobs/${id}` }, body, stream: null };
}

function assertCredits({ cheapest }: Admission, maxCredits: number | null): void {
  if (maxCredits === null || maxCredits >= cheapest) return;
  throw new ServiceError('invalid_request', `max_credits: the cheapest outcome of this job costs ${cheapest}`);
}
