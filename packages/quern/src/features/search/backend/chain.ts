import type { Clock } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { FairQueue } from '#kernel/fair-queue.ts';
import { createBackendTurns, BackendBreaker, type TenantQuery } from './breaker.ts';
import {
  type BackendCall,
  BackendFailure,
  type BackendResults,
  type EngineStatus,
  type ResultKind,
  type SearchBackend,
  type SearchQuery,
} from './backend.ts';

/** The outcome of one backend for a query. */
export type EngineReport = {
  readonly name: string;
  readonly status: EngineStatus;
  /** Reason, if the status alone does not explain it; otherwise null. */
  readonly reason: string | null;
  readonly results: number;
  /** Number of results dropped because their URL is invalid or may not be visited. */
  readonly dropped: number;
  readonly tookMs: number;
  /** Whether it was skipped because it has no such page. */
  readonly isBeyondLastPage: boolean;
};

/** The results of a chain: the responses, and a report per backend. */
export type ChainResults = {
  readonly answers: readonly { readonly engine: string; readonly answer: BackendResults }[];
  readonly reports: readonly EngineReport[];
};

const NOTHING_FOUND = { results: 0, dropped: 0 };

/** After this time without a response, the next group is queried too. */
export const HEDGE_MS = 800;
/** After the first response, wait this long for others, so that results can be merged. */
export const JOIN_MS = 150;
/** Time limit per backend. */
const BACKEND_TIMEOUT_MS = 8000;

export type ChainParts = {
  readonly clock: Clock;
  /** Groups in order; the backends of one group are queried in parallel. */
  readonly groups: readonly (readonly SearchBackend[])[];
};

/** Protects tenants from each other at one backend. */
type BackendLimits = { readonly breaker: BackendBreaker; readonly turns: FairQueue };

type BackendCallState = {
  readonly backend: SearchBackend;
  readonly breaker: BackendBreaker;
  /** When the request got its slot, on the monotonic clock. */
  startedAt: number;
  readonly stop: AbortController;
  report: EngineReport | null;
  answer: BackendResults | null;
};

/** Queries groups of backends in order; the next group is used when the previous ones failed, found nothing or are slow. */
export class SearchChain {
  readonly #parts: ChainParts;
  readonly #guards: ReadonlyMap<SearchBackend, BackendLimits>;

  constructor(parts: ChainParts) {
    this.#parts = parts;
    const all = parts.groups.flat();
    const open = (): BackendLimits => ({
      breaker: new BackendBreaker(parts.clock),
      turns: createBackendTurns(parts.clock),
    });
    this.#guards = new Map(all.map((backend) => [backend, open()]));
  }

  get backends(): readonly SearchBackend[] {
    return this.#parts.groups.flat();
  }

  /**
   * Searches for one kind of results until some backend has any or `enough` is aborted. Throws only the abort reason of the
   * call; failures of backends are in the reports.
   */
  async search(
    query: SearchQuery,
    kind: ResultKind,
    call: BackendCall,
    enough: AbortSignal = new AbortController().signal,
  ): Promise<ChainResults> {
    const run = new ChainRun(this.#parts.clock, { query, kind, call, enough });
    const reports: EngineReport[] = [];
    for (const group of this.#parts.groups) {
      call.signal.throwIfAborted();
      const open = group.filter((backend) => backend.kinds.includes(kind));
      for (const backend of open) {
        const reason = this.#reasonToSkip(backend, query, call);
        const isBeyond = query.page > backend.maxPages;
        const guards = this.#guards.get(backend);
        if (reason === null && guards !== undefined) run.start(backend, guards);
        else
          reports.push({
            name: backend.name,
            status: 'skipped',
            reason,
            ...NOTHING_FOUND,
            tookMs: 0,
            isBeyondLastPage: isBeyond,
          });
      }
      if (await run.settles(HEDGE_MS)) break;
    }
    await run.finish();
    call.signal.throwIfAborted();
    return { answers: run.answers(), reports: [...run.reports(), ...reports] };
  }

  #reasonToSkip(backend: SearchBackend, { page }: SearchQuery, { tenant }: BackendCall): string | null {
    if (page > backend.maxPages) return `has at most ${backend.maxPages} pages`;
    const restMs = this.#guards.get(backend)?.breaker.restMs(tenant) ?? 0;
    return restMs === 0 ? null : `is paused for another ${Math.ceil(restMs / 1000)} s after failures or slow responses`;
  }
}

type ChainRunContext = {
  readonly query: SearchQuery;
  readonly kind: ResultKind;
  readonly call: BackendCall;
  readonly enough: AbortSignal;
};

/** The state of one query in a chain. */
class ChainRun {
  readonly #clock: Clock;
  readonly #facts: ChainRunContext;
  readonly #calls: BackendCallState[] = [];
  #changed = Promise.withResolvers<void>();

  constructor(clock: Clock, facts: ChainRunContext) {
    this.#clock = clock;
    this.#facts = facts;
    facts.enough.addEventListener('abort', () => this.#changed.resolve(), { once: true });
  }

  start(backend: SearchBackend, { breaker, turns }: BackendLimits): void {
    const stop = new AbortController();
    const request: BackendCallState = {
      backend,
      breaker,
      startedAt: this.#clock.monotonic(),
      stop,
      report: null,
      answer: null,
    };
    this.#calls.push(request);
    void this.#runInTurn(request, turns).finally(() => this.#changed.resolve());
  }

  /** Sends the request once there is a slot; waiting for a slot does not count against the backend. */
  async #runInTurn(request: BackendCallState, turns: FairQueue): Promise<void> {
    const { query, call } = this.#facts;
    const within = AbortSignal.any([call.signal, request.stop.signal]);
    const leave = await turns.acquire(call, within).catch(() => null);
    if (leave === null) return;
    request.startedAt = this.#clock.monotonic();
    const signal = this.#clock.deadline(BACKEND_TIMEOUT_MS, within);
    try {
      this.#handleResults(request, await request.backend.search(query, { ...call, signal }));
    } catch (error) {
      this.#handleFailure(request, error, signal);
    } finally {
      leave();
    }
  }

  /** Waits until a backend has results, all have ended, or `ms` have passed; returns whether no other group is needed. */
  async settles(ms: number): Promise<boolean> {
    const until = this.#clock.monotonic() + ms;
    for (;;) {
      if (this.#isEnough()) return true;
      const leftMs = until - this.#clock.monotonic();
      if (this.#calls.every(({ report }) => report !== null) || leftMs <= 0) return false;
      await this.#waitForChange(leftMs);
    }
  }

  /** Waits for the first results, then briefly for the others, and aborts the rest. */
  async finish(): Promise<void> {
    while (!this.#isEnough() && this.#isWaiting()) await this.#waitForChange(BACKEND_TIMEOUT_MS);
    const until = this.#clock.monotonic() + JOIN_MS;
    while (!this.#facts.enough.aborted && this.#isWaiting() && this.#clock.monotonic() < until) {
      await this.#waitForChange(until - this.#clock.monotonic());
    }
    for (const request of this.#calls) {
      if (request.report !== null) continue;
      request.report = this.#toReport(request, 'timeout', 'another engine responded first');
      request.breaker.recordSlow(this.#toTenantQuery());
      request.stop.abort();
    }
  }

  answers(): ChainResults['answers'] {
    return this.#calls.flatMap(({ backend, answer }) => (answer === null ? [] : [{ engine: backend.name, answer }]));
  }

  reports(): readonly EngineReport[] {
    return this.#calls.flatMap(({ report }) => report ?? []);
  }

  #isEnough(): boolean {
    const { kind, enough } = this.#facts;
    return enough.aborted || this.#calls.some(({ answer }) => answer !== null && answer[kind].length > 0);
  }

  #isWaiting(): boolean {
    return this.#calls.some(({ report }) => report === null);
  }

  async #waitForChange(ms: number): Promise<void> {
    const ended = new AbortController();
    await Promise.race([this.#changed.promise, this.#clock.sleep(ms, ended.signal).catch(() => undefined)]);
    ended.abort();
    this.#changed = Promise.withResolvers();
    if (this.#facts.call.signal.aborted) this.#facts.call.signal.throwIfAborted();
  }

  #handleResults(request: BackendCallState, answer: BackendResults): void {
    if (request.report !== null) return;
    request.breaker.succeed(this.#facts.call.tenant);
    const found = answer[this.#facts.kind].length;
    request.answer = answer;
    const { dropped } = answer;
    request.report = { ...this.#toReport(request, found === 0 ? 'empty' : 'ok', null), results: found, dropped };
  }

  #handleFailure(request: BackendCallState, error: unknown, signal: AbortSignal): void {
    // An aborted request says nothing about the backend.
    if (request.report !== null || this.#facts.call.signal.aborted) return;
    const failure = toBackendFailure(error, signal);
    request.breaker.fail(this.#toTenantQuery(), failure);
    request.report = this.#toReport(request, failure.status, failure.message);
  }

  #toTenantQuery(): TenantQuery {
    const { query, call } = this.#facts;
    return { tenant: call.tenant, query };
  }

  #toReport({ backend, startedAt }: BackendCallState, status: EngineStatus, reason: string | null): EngineReport {
    const tookMs = Math.round(this.#clock.monotonic() - startedAt);
    return { name: backend.name, status, reason, ...NOTHING_FOUND, tookMs, isBeyondLastPage: false };
  }
}

function toBackendFailure(error: unknown, signal: AbortSignal): BackendFailure {
  if (error instanceof BackendFailure) return error;
  if (signal.aborted) return new BackendFailure('timeout', `timed out after ${BACKEND_TIMEOUT_MS / 1000} s`);
  return new BackendFailure('error', 'could not be queried', { cause: error });
}

/** The error of a search without results because no engine responded; null if at least one engine did. */
export function checkEnginesAnswered(reports: readonly EngineReport[]): ServiceError | null {
  if (reports.some(({ status, isBeyondLastPage: isBeyond }) => status === 'ok' || status === 'empty' || isBeyond))
    return null;
  const reasons = reports.map(({ name, status, reason }) => `${name}: ${reason ?? status}`).join('; ');
  return new ServiceError(
    'backend_unavailable',
    `no search engine responded${reasons === '' ? '' : ` (${reasons})`}: configure one in QUERN_SEARCH_FILE, or set QUERN_SEARCH_INDEX=on to search the pages that this instance fetched`,
  );
}
