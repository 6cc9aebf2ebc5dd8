import type { Attempt } from '#access/page.ts';
import type { ReadRequest, Reading } from '#extract/reading.ts';
import { toTimestamp } from '#kernel/clock.ts';
import type { Clock } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import { StoreUnavailable } from '#store/db.ts';
import type { Accounts } from './accounts.ts';
import type { Account, Billing } from './billing.ts';
import type { Caller } from './caller.ts';
import { buildConcurrency } from './concurrency.ts';
import type { Cursors } from './cursor.ts';
import { withDeadline } from './deadline.ts';
import type { Instance } from './instance.ts';
import type { AcceptedWork, ControlOperation, Operation, Served, WorkOperation } from './operation.ts';
import { toUsage } from './prices.ts';
import type { Usage } from './prices.ts';
import type { RequestEntry, RequestLog } from './request-log.ts';
import { toBackendUnavailable } from './store-failure.ts';
import type { Visiting } from './visiting.ts';

/** One call as a transport hands it over. */
export type Ask = {
  readonly caller: Caller;
  readonly requestId: string;
  /** Fires when the caller is gone: work stops and nothing is charged. */
  readonly signal: AbortSignal;
};

export type Answer = {
  /** Complete, with `request_id` and, where work was done, `usage`. */
  readonly body: Readonly<Record<string, unknown>>;
  /** Null for control operations. */
  readonly usage: Usage | null;
  /** Credits left this month, null when unlimited. */
  readonly remaining: number | null;
  /** Deprecated members that the caller used. */
  readonly deprecated: readonly string[];
};

/** The one gate that HTTP, CLI and MCP call; throws `ServiceError`. */
export type Perform = (operation: Operation, raw: unknown, ask: Ask) => Promise<Answer>;

export type PerformParts = {
  readonly billing: Billing;
  readonly accounts: Accounts;
  readonly requestLog: RequestLog;
  readonly cursors: Cursors;
  readonly instance: Instance;
  readonly visiting: Visiting;
  /** Reads fetched bytes in a parser thread until the signal fires. */
  readonly read: (request: ReadRequest, signal: AbortSignal) => Promise<Reading>;
  readonly clock: Clock;
};

/** Plan gate, validation, option gate, credits and cap, concurrency, run under a deadline, settle or release. */
export function buildPerform(parts: PerformParts): Perform {
  const { billing, accounts, requestLog, cursors, instance, visiting, read, clock } = parts;
  const concurrency = buildConcurrency();

  async function performControl(operation: ControlOperation, raw: unknown, ask: Ask): Promise<Answer> {
    const { caller, requestId } = ask;
    const accepted = operation.read(raw);
    const body = await accepted.run({ caller, now: clock.now(), accounts, requestLog, cursors, instance });
    const remaining = await accounts.remaining(caller.tenant, caller.plan);
    return { body: { request_id: requestId, ...body }, usage: null, remaining, deprecated: [] };
  }

  async function performWork(operation: WorkOperation, raw: unknown, ask: Ask): Promise<Answer> {
    const attempts: Attempt[] = [];
    const startedAt = toTimestamp(clock.now());
    const started = performance.now();

    function toEntry(end: { readonly error: ServiceError | null; readonly usage: Usage | null }): RequestEntry {
      return {
        tenant: ask.caller.tenant,
        id: ask.requestId,
        at: startedAt,
        operation: operation.id,
        status: end.error?.status ?? 200,
        code: end.error?.code ?? null,
        credits: end.usage?.credits ?? 0,
        tier: end.usage?.tier ?? null,
        duration_ms: Math.round(performance.now() - started),
        attempts,
      };
    }

    try {
      gatePlan(operation, ask.caller);
      const accepted = operation.read(raw);
      const served = await runReserved(operation, accepted, { ask, attempts });
      const usage = toUsage(operation.price, served.tier);
      const remaining = await billing.settle(accountOf(ask), {
        operation: operation.id,
        credits: usage.credits,
        record: async (tx) => requestLog.write(tx, toEntry({ error: null, usage })),
      });
      const body = withDeprecations(served.body, accepted.deprecated);
      return {
        body: { request_id: ask.requestId, ...body, usage },
        usage,
        remaining,
        deprecated: accepted.deprecated,
      };
    } catch (error) {
      const failure = toServiceError(error, ask);
      await undo(ask, toEntry({ error: failure, usage: null }));
      throw failure;
    }
  }

  /** Frees what a failed call held and logs it; a store that is down answers the caller's error all the same. */
  async function undo(ask: Ask, entry: RequestEntry): Promise<void> {
    try {
      await Promise.all([billing.release(accountOf(ask)), requestLog.add(entry)]);
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
    }
  }

  /** Runs accepted work under its deadline, with the cheapest outcome set aside; the caller settles or releases. */
  async function runReserved(
    operation: WorkOperation,
    accepted: AcceptedWork,
    { ask, attempts }: { readonly ask: Ask; readonly attempts: Attempt[] },
  ): Promise<Served<Readonly<Record<string, unknown>>>> {
    const { caller, signal } = ask;
    const admission = accepted.admit({ plan: caller.plan, readTarget: visiting.readTarget });
    const account = accountOf(ask);
    await billing.reserve(account, admission.cheapest);
    const leave = concurrency.enter(caller);
    try {
      const served = await withDeadline({ timeoutMs: admission.timeoutMs, signal }, async (deadline) => {
        const visits = visiting.begin({ operation, account, admission, attempts, deadline });
        try {
          return await accepted.run({
            visit: visits.visit,
            read: async (request) => read(request, deadline.signal),
            readTarget: visiting.readTarget,
          });
        } finally {
          // A failed call too leaves nothing behind that still writes when the store is closed.
          await visits.kept();
        }
      });
      // Whoever left before the answer was there does not pay for it.
      signal.throwIfAborted();
      return served;
    } finally {
      leave();
    }
  }

  return async function perform(operation, raw, ask) {
    return operation.kind === 'control' ? performControl(operation, raw, ask) : performWork(operation, raw, ask);
  };
}

function accountOf({ caller, requestId }: Ask): Account {
  return { key: requestId, tenant: caller.tenant, plan: caller.plan };
}

function gatePlan(operation: WorkOperation, { plan }: Caller): void {
  if (operation.plan === 'free' || plan.starter_surfaces) return;
  throw new ServiceError(
    'plan_upgrade_required',
    `${operation.id} needs plan starter or higher, and this is ${plan.name}`,
  );
}

/** Work that lists warnings says there too which members are deprecated. */
function withDeprecations(body: Readonly<Record<string, unknown>>, deprecated: readonly string[]) {
  const { warnings } = body;
  if (deprecated.length === 0 || !Array.isArray(warnings)) return body;
  const more = deprecated.map((name) => ({ code: 'deprecated', message: `${name} is deprecated: see the docs page` }));
  return { ...body, warnings: [...warnings, ...more] };
}

function toServiceError(error: unknown, ask: Ask): ServiceError {
  if (error instanceof ServiceError) return error;
  if (error instanceof StoreUnavailable) return toBackendUnavailable(error);
  if (ask.signal.aborted) {
    return new ServiceError('timeout', 'the caller went away before the answer was there', { cause: error });
  }
  if (error instanceof DOMException && error.name === 'TimeoutError') {
    return new ServiceError('timeout', 'the page came, but reading it took too long: use a larger timeout_ms', {
      cause: error,
    });
  }
  return new ServiceError('internal_error', 'an unexpected error: quote the request id to the operator', {
    cause: error,
  });
}
