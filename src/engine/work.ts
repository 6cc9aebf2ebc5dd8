import { z } from 'zod';
import type { Attempt } from '#access/page.ts';
import type { ReadRequest, Reading } from '#extract/reading.ts';
import { toTimestamp } from '#kernel/clock.ts';
import type { Clock } from '#kernel/clock.ts';
import { ServiceError, statusOf, toErrorBody } from '#kernel/errors.ts';
import type { Share } from '#kernel/room.ts';
import { addTokens } from '#llm/complete.ts';
import type { Model, Tokens } from '#llm/complete.ts';
import type { Statements } from '#store/db.ts';
import { openActivity } from './activity.ts';
import type { Arrears } from './arrears.ts';
import type { Artifacts, Keeping } from './artifacts.ts';
import { toServiceError } from './ask.ts';
import type { Answer, Ask } from './ask.ts';
import type { Account, Billing } from './billing.ts';
import type { Caller } from './caller.ts';
import type { Crawling } from './crawl/crawling.ts';
import type { WalkCall } from './crawl/walking.ts';
import { withDeadline } from './deadline.ts';
import { chargeKeyOf, LeaseLost } from './job-leases.ts';
import type { Lease } from './job-leases.ts';
import type { JobInput, JobRecord } from './job-record.ts';
import type { Interacting } from './interact/interacting.ts';
import type { Jobs } from './jobs.ts';
import { openMind } from './mind.ts';
import type { Mind } from './mind.ts';
import type { Kept, Keyed, KeptAnswers } from './kept-answers.ts';
import type {
  AcceptedWork,
  Admission,
  AdmissionFacts,
  Reply,
  Served,
  WorkContext,
  WorkOperation,
} from './operation.ts';
import { namedFrom } from './validation.ts';
import { write } from './writing.ts';
import { toUsage } from './prices.ts';
import type { Usage } from './prices.ts';
import type { RequestEntry, RequestLog } from './request-log.ts';
import type { Rooms } from './rooms.ts';
import { buildSiteWork } from './sites/site-work.ts';
import type { SiteWorkParts } from './sites/site-work.ts';
import type { Visiting } from './visiting.ts';
import type { WebhookDraft } from './webhooks/webhooks.ts';

export type WorkParts = SiteWorkParts & {
  readonly billing: Billing;
  readonly arrears: Arrears;
  readonly requestLog: RequestLog;
  readonly jobs: Jobs;
  readonly keptAnswers: KeptAnswers;
  readonly artifacts: Artifacts;
  readonly visiting: Visiting;
  readonly crawling: Crawling;
  readonly interacting: Interacting;
  /** Reads fetched bytes in a parser thread until the signal fires. */
  readonly read: (request: ReadRequest, signal: AbortSignal) => Promise<Reading>;
  /** The operator's model; null where there is none. */
  readonly model: Model | null;
  /** A word that nobody can guess, another each time. */
  readonly newMark: () => string;
  readonly rooms: Pick<Rooms, 'answers'>;
  readonly clock: Clock;
};

/** One piece of work that is asked for; `keyed` where its answer is to be kept. */
export type WorkAsk = {
  readonly operation: WorkOperation;
  readonly raw: unknown;
  readonly ask: Ask;
  readonly keyed: Keyed | null;
};

/** An order of work that goes to the queue, and the caller's ceiling for it. */
export type Order = WorkAsk & {
  readonly maxCredits: number | null;
  readonly webhook: WebhookDraft | null;
  /** Where the input of the work stands in what the caller sent. */
  readonly at: readonly string[];
};

type Examining = { readonly caller: Caller } & Pick<Order, 'at'>;

/** The longest that a timer of Node can wait: 24 days. */
const LONGEST_MS = 2 ** 31 - 1;

/** Telling what a walk has is a few reads. */
const CLOSING_MS = 60_000;

/** A job of another process that this one helps with. */
export type Assistance = {
  readonly operation: WorkOperation;
  readonly input: JobInput;
  readonly caller: Caller;
  readonly jobId: string;
  readonly maxCredits: number | null;
  readonly signal: AbortSignal;
};

/** What came of a call so far, for the log; filled while it runs. */
type Trace = { readonly attempts: Attempt[]; tokens: Tokens };

type End = { readonly error: ServiceError | null; readonly usage: Usage | null };

const RawInput = z.record(z.string(), z.unknown());

type MindCall = {
  readonly account: Account;
  readonly admission: Admission;
  readonly signal: AbortSignal;
  readonly trace: Trace;
};

export type Work = ReturnType<typeof buildWork>;

/** Plan gate, validation, option gate, inline or queue, credits and cap, concurrency, run, settle or release. */
export function buildWork(parts: WorkParts) {
  const { billing, arrears, requestLog, jobs, keptAnswers, artifacts, visiting, crawling, interacting, clock } = parts;
  const { read, model, newMark, rooms } = parts;
  const sitesOf = buildSiteWork(parts);

  /** Runs work to its end, or queues what is too much for an inline call. */
  async function perform(work: WorkAsk): Promise<Answer> {
    const { operation, raw, ask, keyed } = work;
    const trace: Trace = { attempts: [], tokens: { input: 0, output: 0 } };
    const toEntry = openEntry(work, trace);
    const { tenant, plan } = ask.caller;
    const keeping = artifacts.begin({ tenant, plan, jobId: ask.lease?.jobId ?? null });
    const share = rooms.answers.enter(tenant);
    try {
      if ((ask.lease?.closing ?? null) === null) gatePlan(operation, ask.caller);
      const accepted = operation.read(raw);
      if (ask.lease === null && accepted.queue(ask.caller.plan)) {
        const reply = await enqueue({ ...work, maxCredits: null, webhook: null, at: [] }, accepted);
        return { ...reply, body: reply.body ?? {}, usage: null, remaining: null, deprecated: accepted.deprecated };
      }
      const served = await runReserved(work, accepted, { trace, keeping, share });
      const usage = served.charge?.usage ?? toUsage(operation.price, served.tier);
      const added = operation.isClosed ? {} : { usage };
      const body = { request_id: ask.requestId, ...withDeprecations(served.body, accepted.deprecated), ...added };
      const answer = { status: 200, headers: {}, body, stream: null, usage, deprecated: accepted.deprecated };
      // What cannot be sent is not charged; the result of a job is packed instead.
      const written = ask.lease === null ? { written: await write(body, share, ask.signal) } : {};
      const remaining = await withResult(work, body, async (complete) =>
        billing.settle(accountOf(ask), {
          operation: operation.id,
          credits: usage.credits - (served.charge?.paid ?? 0),
          async record(tx) {
            await requestLog.write(tx, toEntry({ error: null, usage }));
            await keeping.add(tx);
            if (keyed !== null) await demandKept(tx, keyed, { ...answer, deprecated: [...answer.deprecated] });
          },
          finish: async (tx) => complete(tx, usage),
        }),
      );
      return { ...answer, remaining, ...written };
    } catch (error) {
      share.leave();
      if (error instanceof LeaseLost) {
        await keeping.discard(error);
        throw error;
      }
      const failure = toServiceError(error, ask);
      await undo(work, failure, toEntry({ error: failure, usage: null }));
      await keeping.discard(error);
      throw failure;
    }
  }

  /** What the log says of the call when it has ended. */
  function openEntry({ operation, ask }: WorkAsk, trace: Readonly<Trace>): (end: End) => RequestEntry {
    const startedAt = toTimestamp(clock.now());
    const started = performance.now();
    return ({ error, usage }) => ({
      tenant: ask.caller.tenant,
      id: ask.requestId,
      at: startedAt,
      operation: operation.id,
      status: error?.status ?? 200,
      code: error?.code ?? null,
      credits: usage?.credits ?? 0,
      tier: usage?.tier ?? null,
      duration_ms: Math.round(performance.now() - started),
      input_tokens: trace.tokens.input,
      output_tokens: trace.tokens.output,
      attempts: trace.attempts,
    });
  }

  /** Frees what failed work held and logs it; a store that is down is told when it is back. */
  async function undo({ ask, keyed }: WorkAsk, failure: ServiceError, entry: RequestEntry): Promise<void> {
    await arrears.owe(async () =>
      billing.release(accountOf(ask), async (tx) => {
        const isOver = ask.lease === null || (await ask.lease.giveUp(tx, { failure, attempts: entry.attempts.length }));
        if (isOver) await requestLog.write(tx, entry);
        if (keyed !== null) await keepFailure(tx, keyed, failure);
      }),
    );
  }

  /** Keeps an answer with its effect; a call that was taken for dead meanwhile has no effect, for it is another's now. */
  async function demandKept(tx: Statements, keyed: Keyed, answer: Kept): Promise<void> {
    if (await keptAnswers.keep(tx, keyed, answer)) return;
    throw new ServiceError(
      'idempotency_conflict',
      'another request with this Idempotency-Key has taken the place of this one',
      {
        retryable: true,
        retryAfterSeconds: 1,
      },
    );
  }

  /**
   * Keeps the answer of a call that was refused for what it says. Any other failure hangs on credits, plans, rows or time,
   * and has had no effect: it frees its key, and the same call may go well later.
   */
  async function keepFailure(tx: Statements, keyed: Keyed, failure: ServiceError): Promise<void> {
    const { status } = failure;
    if (status !== statusOf('invalid_request')) {
      await keptAnswers.drop(tx, keyed);
      return;
    }
    const body = { ...toErrorBody(failure, keyed.requestId) };
    await keptAnswers.keep(tx, keyed, { status, headers: {}, body, usage: null, deprecated: [] });
  }

  /** What work of a caller may use and cost, after the gates that it would meet if it ran now. */
  function examine(operation: WorkOperation, raw: unknown, { caller, at }: Examining): Admission {
    gatePlan(operation, caller);
    const admission = operation.read(raw, at).admit(visiting.factsFor(caller.plan));
    namedFrom(at, () => checkTime(admission, caller));
    return admission;
  }

  /** Puts work into the queue after the gates that it would meet if it ran now. */
  async function submit(order: Order): Promise<Reply> {
    gatePlan(order.operation, order.ask.caller);
    return enqueue(order, order.operation.read(order.raw, order.at));
  }

  async function enqueue(order: Order, accepted: AcceptedWork): Promise<Reply> {
    const { operation, raw, ask, keyed, maxCredits, webhook, at } = order;
    const { caller, requestId } = ask;
    const admission = accepted.admit(visiting.factsFor(caller.plan));
    checkCredits(admission, maxCredits);
    namedFrom(at, () => checkTime(admission, caller));
    const input: JobInput = RawInput.parse(raw);
    const toReply = (job: JobRecord): Reply => ({
      status: 202,
      headers: { location: `/v1/jobs/${job.id}` },
      body: { request_id: requestId, ...job },
      stream: null,
    });
    const job = await jobs.submit({
      caller,
      requestId,
      kind: operation.id,
      walks: operation.walks,
      input,
      maxCredits,
      webhook,
      async record(tx, made) {
        if (keyed === null) return;
        const { status, headers, body } = toReply(made);
        const deprecated = [...accepted.deprecated];
        await demandKept(tx, keyed, { status, headers, body: body ?? {}, usage: null, deprecated });
      },
    });
    return toReply(job);
  }

  /** Runs accepted work under its deadline, with the cheapest outcome set aside; the caller settles or releases. */
  async function runReserved(
    { operation, ask }: WorkAsk,
    accepted: AcceptedWork,
    { trace, keeping, share }: Pick<MindCall, 'trace'> & { readonly keeping: Keeping; readonly share: Share },
  ): Promise<Served<Readonly<Record<string, unknown>>>> {
    const { caller, signal, lease } = ask;
    const { attempts } = trace;
    const facts = visiting.factsFor(caller.plan);
    const closing = lease?.closing ?? null;
    const asked = closing === null ? accepted.admit(facts) : admitToClose(accepted, facts);
    const admission = lease === null ? asked : { ...asked, maxCredits: least(asked.maxCredits, lease.maxCredits) };
    const account = accountOf(ask);
    if (closing === null) await billing.reserve(account, admission.cheapest);
    const served = await withDeadline(
      { timeoutMs: closing === null ? timeOf(admission, lease, clock.now()) : CLOSING_MS, signal },
      async (deadline) => {
        const visits = visiting.begin({ operation, account, admission, attempts, deadline });
        const sessions = interacting.begin({ account, tiers: admission.tiers, attempts, deadline });
        const mind = mindOf({ account, admission, signal: deadline.signal, trace });
        const activity = lease?.activity ?? openActivity();
        const { reading } = activity;
        try {
          return await accepted.run({
            tiers: admission.tiers,
            visit: visits.visit,
            read: async (request) => reading(read(request, deadline.signal)),
            keep: keeping.keep,
            readTarget: facts.readTarget,
            mind,
            interact: sessions.open,
            note: lease?.note ?? null,
            sites: sitesOf({ operation, account, deadline }),
            ...walksOf({
              operation: operation.id,
              account,
              admission,
              jobId: lease?.jobId ?? null,
              role: 'owner',
              closing,
              mind,
              activity,
              share,
              signal: deadline.signal,
            }),
          });
        } finally {
          await sessions.close();
          // A failed call too leaves nothing behind that still writes when the store is closed.
          await visits.kept();
        }
      },
    );
    // Whoever left before the answer was there does not pay for it.
    signal.throwIfAborted();
    return served;
  }

  function mindOf({ account, admission: { maxCredits }, signal, trace }: MindCall): Mind | null {
    const count = (tokens: Tokens): void => void (trace.tokens = addTokens(trace.tokens, tokens));
    return model === null ? null : openMind({ model, billing, account, maxCredits, signal, newMark, count });
  }

  /** Helps with a crawl that another process owns, until there is nothing more to claim. */
  async function assist({ operation, input, caller, jobId, maxCredits, signal }: Assistance): Promise<void> {
    const accepted = operation.read(input);
    const facts = visiting.factsFor(caller.plan);
    const asked = accepted.admit(facts);
    const account = { key: chargeKeyOf(jobId), tenant: caller.tenant, plan: caller.plan };
    const admission = { ...asked, maxCredits: least(asked.maxCredits, maxCredits) };
    // What a helper's questions come to stands in the metrics of its process alone.
    const trace: Trace = { attempts: [], tokens: { input: 0, output: 0 } };
    // Rows hold what a job stores.
    const share = rooms.answers.enter(caller.tenant);
    const mind = mindOf({ account, admission, signal, trace });
    await accepted.run({
      tiers: admission.tiers,
      visit: async () => Promise.reject(new Error('only crawls are helped with')),
      read: async (request) => read(request, signal),
      keep: async () => Promise.reject(new Error('only crawls are helped with')),
      readTarget: facts.readTarget,
      mind,
      interact: async () => Promise.reject(new Error('only crawls are helped with')),
      note: null,
      sites: sitesOf({ operation, account, deadline: { signal, startedAt: performance.now(), timeoutMs: LONGEST_MS } }),
      ...walksOf({
        operation: operation.id,
        account,
        admission,
        jobId,
        role: 'helper',
        closing: null,
        mind,
        share,
        activity: openActivity(),
        signal,
      }),
    });
  }

  function walksOf(call: WalkCall): Pick<WorkContext, 'crawl' | 'map'> {
    return {
      crawl: async (order, price) => crawling.run(order, { ...call, price }),
      map: async (order, prices) => crawling.map(order, { ...call, prices }),
    };
  }

  return { perform, submit, examine, demandKept, keepFailure, assist };
}

/** Work that only tells what it has passes the gates that it passed before; without them it is paid nothing more. */
function admitToClose(accepted: AcceptedWork, facts: AdmissionFacts): Admission {
  try {
    return accepted.admit(facts);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { timeoutMs: CLOSING_MS, tiers: [], cheapest: 0, maxCredits: 0 };
  }
}

/** What is left of a job's time, which runs from its first claim, or the time of a call, ms. */
function timeOf({ timeoutMs, jobTimeoutMs = timeoutMs }: Admission, lease: Lease | null, now: number): number {
  return lease === null ? timeoutMs : Math.min(Math.max(1, jobTimeoutMs - (now - lease.startedAt)), LONGEST_MS);
}

/** Settles with the function that ends the job, if it is one; its result is packed before and discarded on failure. */
async function withResult<T>(
  { operation, ask: { lease } }: WorkAsk,
  body: JobInput,
  settle: (complete: (tx: Statements, usage: Usage) => Promise<void>) => Promise<T>,
): Promise<T> {
  if (lease === null) return settle(async () => undefined);
  const packing = await lease.pack(body, operation.list);
  try {
    return await settle(packing.complete);
  } catch (error) {
    await packing.discard(error);
    throw error;
  }
}

function accountOf({ caller, requestId, lease }: Ask): Account {
  const { tenant, plan } = caller;
  // Workers bound the jobs that run at once, so a tenant's jobs take no places of its requests.
  if (lease === null) return { key: requestId, tenant, plan, places: plan.concurrent_requests };
  return { key: chargeKeyOf(lease.jobId), tenant, plan, fence: lease.fence, isRepeated: lease.attempt > 1 };
}

function gatePlan(operation: WorkOperation, { plan }: Caller): void {
  if (operation.plan === 'free' || plan.starter_surfaces) return;
  throw new ServiceError(
    'plan_upgrade_required',
    `${operation.id} needs plan starter or higher, and this is ${plan.name}`,
  );
}

function checkCredits({ cheapest }: Admission, maxCredits: number | null): void {
  if (maxCredits !== null && maxCredits < cheapest) {
    throw new ServiceError('invalid_request', `max_credits: the cheapest outcome of this job costs ${cheapest}`);
  }
}

function checkTime({ timeoutMs }: Admission, { plan }: Caller): void {
  if (plan.job_timeout_ms === null || timeoutMs <= plan.job_timeout_ms) return;
  throw new ServiceError('invalid_request', `timeout_ms: plan ${plan.name} allows ${plan.job_timeout_ms} in a job`);
}

function least(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other;
  return Math.min(one, other);
}

/** Work that lists warnings says there too which members are deprecated. */
function withDeprecations(body: Readonly<Record<string, unknown>>, deprecated: readonly string[]) {
  const { warnings } = body;
  if (deprecated.length === 0 || !Array.isArray(warnings)) return body;
  const more = deprecated.map((name) => ({ code: 'deprecated', message: `${name} is deprecated: see the docs page` }));
  return { ...body, warnings: [...warnings, ...more] };
}
