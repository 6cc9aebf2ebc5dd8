import type { Clock } from '#kernel/clock.ts';
import type { Turns } from '#kernel/turns.ts';
import {
  type BackendAnswer,
  type BackendCall,
  BackendFailure,
  type EngineStatus,
  type ResultKind,
  type SearchBackend,
  type SearchQuery,
} from './backend.ts';
import { type AskedBy, BackendBreaker } from './breaker.ts';
import { openBackendTurns } from './backend-turns.ts';

/** What became of one backend in a query. */
export type EngineReport = {
  readonly name: string;
  readonly status: EngineStatus;
  /** Why, where the status alone does not say it. */
  readonly reason: string | null;
  readonly results: number;
  /** Results that were left out, as nobody may visit their address. */
  readonly dropped: number;
  readonly tookMs: number;
  /** Whether it was not asked because it has no such page. */
  readonly isBeyond: boolean;
};

/** What a chain came to. */
export type ChainAnswer = {
  readonly answers: readonly { readonly engine: string; readonly answer: BackendAnswer }[];
  readonly reports: readonly EngineReport[];
};

const NOTHING_FOUND = { results: 0, dropped: 0 };

/** After this long without an answer the next backends are asked too. */
export const HEDGE_MS = 800;
/** An answer waits this long for the others of its group, so that they can be joined. */
export const JOIN_MS = 150;
/** Time of one backend. */
const MAX_MS = 8000;

export type ChainParts = {
  readonly clock: Clock;
  /** Groups in their order; those of one group are asked together. */
  readonly groups: readonly (readonly SearchBackend[])[];
};

/** What keeps tenants from spoiling a backend for each other. */
type BackendGuards = { readonly breaker: BackendBreaker; readonly turns: Turns };

type AskedBackend = {
  readonly backend: SearchBackend;
  readonly breaker: BackendBreaker;
  /** When it was its turn, ms of the monotonic clock. */
  startedAt: number;
  readonly stop: AbortController;
  report: EngineReport | null;
  answer: BackendAnswer | null;
};

/** Backends in their order: the next are asked when those before have failed, found nothing, or are slow. */
export class SearchChain {
  readonly #parts: ChainParts;
  readonly #guards: ReadonlyMap<SearchBackend, BackendGuards>;

  constructor(parts: ChainParts) {
    this.#parts = parts;
    const all = parts.groups.flat();
    const open = (): BackendGuards => ({
      breaker: new BackendBreaker(parts.clock),
      turns: openBackendTurns(parts.clock),
    });
    this.#guards = new Map(all.map((backend) => [backend, open()]));
  }

  get backends(): readonly SearchBackend[] {
    return this.#parts.groups.flat();
  }

  /**
   * Asks for one kind of results until some backend has any, or nobody waits for them any more. Throws the reason of the
   * signal of the call alone.
   */
  async search(
    query: SearchQuery,
    kind: ResultKind,
    call: BackendCall,
    enough: AbortSignal = new AbortController().signal,
  ): Promise<ChainAnswer> {
    const run = new ChainRun(this.#parts.clock, { query, kind, call, enough });
    const reports: EngineReport[] = [];
    for (const group of this.#parts.groups) {
      call.signal.throwIfAborted();
      const open = group.filter((backend) => backend.kinds.includes(kind));
      for (const backend of open) {
        const reason = this.#reasonToSkip(backend, query, call);
        const isBeyond = query.page > backend.mostPages;
        const guards = this.#guards.get(backend);
        if (reason === null && guards !== undefined) run.ask(backend, guards);
        else reports.push({ name: backend.name, status: 'skipped', reason, ...NOTHING_FOUND, tookMs: 0, isBeyond });
      }
      if (await run.settles(HEDGE_MS)) break;
    }
    await run.finish();
    call.signal.throwIfAborted();
    return { answers: run.answers(), reports: [...run.reports(), ...reports] };
  }

  #reasonToSkip(backend: SearchBackend, { page }: SearchQuery, { tenant }: BackendCall): string | null {
    if (page > backend.mostPages) return `has ${backend.mostPages} pages at most`;
    const restMs = this.#guards.get(backend)?.breaker.restMs(tenant) ?? 0;
    return restMs === 0 ? null : `failed or was slow before, and is left alone for ${Math.ceil(restMs / 1000)} s more`;
  }
}

type RunFacts = {
  readonly query: SearchQuery;
  readonly kind: ResultKind;
  readonly call: BackendCall;
  readonly enough: AbortSignal;
};

/** One query on its way through a chain. */
class ChainRun {
  readonly #clock: Clock;
  readonly #facts: RunFacts;
  readonly #asked: AskedBackend[] = [];
  #news = Promise.withResolvers<void>();

  constructor(clock: Clock, facts: RunFacts) {
    this.#clock = clock;
    this.#facts = facts;
    facts.enough.addEventListener('abort', () => this.#news.resolve(), { once: true });
  }

  ask(backend: SearchBackend, { breaker, turns }: BackendGuards): void {
    const stop = new AbortController();
    const asked: AskedBackend = {
      backend,
      breaker,
      startedAt: this.#clock.monotonic(),
      stop,
      report: null,
      answer: null,
    };
    this.#asked.push(asked);
    void this.#askInTurn(asked, turns).finally(() => this.#news.resolve());
  }

  /** Asks once it is the turn of the tenant; a wait for that says nothing of the backend. */
  async #askInTurn(asked: AskedBackend, turns: Turns): Promise<void> {
    const { query, call } = this.#facts;
    const within = AbortSignal.any([call.signal, asked.stop.signal]);
    const leave = await turns.take(call, within).catch(() => null);
    if (leave === null) return;
    asked.startedAt = this.#clock.monotonic();
    const signal = this.#clock.deadline(MAX_MS, within);
    try {
      this.#take(asked, await asked.backend.search(query, { ...call, signal }));
    } catch (error) {
      this.#fail(asked, error, signal);
    } finally {
      leave();
    }
  }

  /** Waits until one has results, or all have ended, or the time is up; answers whether no other need be asked. */
  async settles(ms: number): Promise<boolean> {
    const until = this.#clock.monotonic() + ms;
    for (;;) {
      if (this.#isEnough()) return true;
      const leftMs = until - this.#clock.monotonic();
      if (this.#asked.every(({ report }) => report !== null) || leftMs <= 0) return false;
      await this.#next(leftMs);
    }
  }

  /** Waits for the first results, then shortly for the others; ends what still runs. */
  async finish(): Promise<void> {
    while (!this.#isEnough() && this.#isAsking()) await this.#next(MAX_MS);
    const until = this.#clock.monotonic() + JOIN_MS;
    while (!this.#facts.enough.aborted && this.#isAsking() && this.#clock.monotonic() < until) {
      await this.#next(until - this.#clock.monotonic());
    }
    for (const asked of this.#asked) {
      if (asked.report !== null) continue;
      asked.report = this.#toReport(asked, 'timeout', 'another answered before it');
      asked.breaker.outrun(this.#asking());
      asked.stop.abort();
    }
  }

  answers(): ChainAnswer['answers'] {
    return this.#asked.flatMap(({ backend, answer }) => (answer === null ? [] : [{ engine: backend.name, answer }]));
  }

  reports(): readonly EngineReport[] {
    return this.#asked.flatMap(({ report }) => report ?? []);
  }

  #isEnough(): boolean {
    const { kind, enough } = this.#facts;
    return enough.aborted || this.#asked.some(({ answer }) => answer !== null && answer[kind].length > 0);
  }

  #isAsking(): boolean {
    return this.#asked.some(({ report }) => report === null);
  }

  async #next(ms: number): Promise<void> {
    const ended = new AbortController();
    await Promise.race([this.#news.promise, this.#clock.sleep(ms, ended.signal).catch(() => undefined)]);
    ended.abort();
    this.#news = Promise.withResolvers();
    if (this.#facts.call.signal.aborted) this.#facts.call.signal.throwIfAborted();
  }

  #take(asked: AskedBackend, answer: BackendAnswer): void {
    if (asked.report !== null) return;
    asked.breaker.succeed(this.#facts.call.tenant);
    const found = answer[this.#facts.kind].length;
    asked.answer = answer;
    const { dropped } = answer;
    asked.report = { ...this.#toReport(asked, found === 0 ? 'empty' : 'ok', null), results: found, dropped };
  }

  #fail(asked: AskedBackend, error: unknown, signal: AbortSignal): void {
    // One that was ended because another had answered says nothing of itself.
    if (asked.report !== null || this.#facts.call.signal.aborted) return;
    const failure = toFailure(error, signal);
    asked.breaker.fail(this.#asking(), failure);
    asked.report = this.#toReport(asked, failure.status, failure.message);
  }

  #asking(): AskedBy {
    const { query, call } = this.#facts;
    return { tenant: call.tenant, query };
  }

  #toReport({ backend, startedAt }: AskedBackend, status: EngineStatus, reason: string | null): EngineReport {
    const tookMs = Math.round(this.#clock.monotonic() - startedAt);
    return { name: backend.name, status, reason, ...NOTHING_FOUND, tookMs, isBeyond: false };
  }
}

function toFailure(error: unknown, signal: AbortSignal): BackendFailure {
  if (error instanceof BackendFailure) return error;
  if (signal.aborted) return new BackendFailure('timeout', `did not answer within ${MAX_MS / 1000} s`);
  return new BackendFailure('error', 'could not be asked', { cause: error });
}
