import type { Clock } from '#kernel/clock.ts';
import { createFairQueue, type FairQueue } from '#kernel/fair-queue.ts';
import type { BackendFailure, SearchQuery } from './backend.ts';

/** The kind of a failure; `slow` means that other backends responded much earlier. */
type Fault = 'captcha' | 'limited' | 'other' | 'slow';

/** First pause per kind of fault, strictest first. */
const FIRST_REST_MS: Readonly<Record<Fault, number>> = {
  captcha: 60 * 60_000,
  limited: 3 * 60_000,
  other: 15_000,
  slow: 15_000,
};
const FAULTS: readonly Fault[] = ['captcha', 'limited', 'other', 'slow'];
const MAX_REST_MS = 60 * 60_000;
/** Failures other than captcha and limit after which a backend is paused. */
const MAX_FAILURES = 3;
/** Different tenants and different queries that must fail before the backend is paused for everyone. */
const MIN_DIFFERENT = 2;
/** Limits on remembered failing queries per tenant, tenants, and tenants with failures. */
const MAX_QUERIES = 3;
const MAX_TENANTS = 1000;
const MAX_FAILING_TENANTS = 16;

/** A query and the tenant that sent it. */
export type TenantQuery = { readonly tenant: string; readonly query: SearchQuery };

/** Until when a backend is paused, and how often it was paused since its last success. */
type Rest = { readonly until: number; readonly opened: number };

/** Failures of a backend for one tenant since its last success for that tenant. */
type TenantState = Rest & { readonly failures: number; readonly queries: ReadonlySet<string>; readonly last: string };

const NO_REST: Rest = { until: 0, opened: 0 };
const NEW_TENANT: TenantState = { ...NO_REST, failures: 0, queries: new Set(), last: '' };

/**
 * Circuit breaker of a backend. It pauses the backend for an hour after a captcha, for three minutes after a 429 or 403, and for
 * 15 seconds after three other failures of different queries or when it was slow; each further pause is twice as long.
 * After a pause, one query tries the backend again. Failures of a tenant pause the backend for that tenant only. It is paused
 * for everyone when different queries of different tenants failed without a success between them. Faults of the query itself
 * do not count.
 */
export class BackendBreaker {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #own = new Map<string, TenantState>();
  /** Failing queries per tenant since the last success for any tenant or the last shared pause. */
  readonly #failing = new Map<string, Map<string, Fault>>();
  /** Queries already counted: one query may request several kinds of results. */
  readonly #counted = new WeakSet<SearchQuery>();
  #shared = NO_REST;

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  /** Ms until a tenant may use the backend again; 0 if it may now. */
  restMs(tenant: string): number {
    const until = Math.max(this.#shared.until, this.#own.get(tenant)?.until ?? 0);
    return Math.max(0, until - this.#clock.monotonic());
  }

  succeed(tenant: string): void {
    this.#own.delete(tenant);
    this.#failing.clear();
    this.#shared = NO_REST;
  }

  /** Records that other backends responded long before it. */
  recordSlow(asking: TenantQuery): void {
    this.#count(asking, 'slow', 0);
  }

  fail(asking: TenantQuery, { why, waitSeconds }: Pick<BackendFailure, 'why' | 'waitSeconds'>): void {
    if (why !== 'query') this.#count(asking, why, (waitSeconds ?? 0) * 1000);
  }

  #count({ tenant, query }: TenantQuery, fault: Fault, waitMs: number): void {
    // Queries sent before the pause began say nothing new.
    if (this.#counted.has(query) || this.restMs(tenant) > 0) return;
    this.#counted.add(query);
    const name = JSON.stringify([query.search, query.country, query.language, query.page, query.safe, query.timeRange]);
    this.#countOwn(tenant, { name, fault, waitMs });
    this.#countShared(tenant, { name, fault, waitMs });
  }

  #countOwn(tenant: string, { name, fault, waitMs }: CountedFault): void {
    const known = this.#own.get(tenant) ?? NEW_TENANT;
    const failures = known.failures + 1;
    const queries = known.queries.size < MAX_QUERIES ? new Set([...known.queries, name]) : known.queries;
    const isEnough =
      isUnambiguous(fault) || known.opened > 0 || (failures >= MAX_FAILURES && queries.size >= MIN_DIFFERENT);
    // A repeated query does not lengthen the pause.
    const isSame = known.opened > 0 && name === known.last;
    const rest = isEnough ? this.#rest(known, { fault, waitMs, isSame }) : known;
    this.#own.delete(tenant);
    this.#own.set(tenant, { ...rest, failures, queries, last: isEnough ? name : known.last });
    dropOldest(this.#own, MAX_TENANTS);
  }

  #countShared(tenant: string, { name, fault, waitMs }: CountedFault): void {
    const own = this.#failing.get(tenant) ?? new Map<string, Fault>();
    if (own.size < MAX_QUERIES || own.has(name)) own.set(name, fault);
    this.#failing.set(tenant, own);
    dropOldest(this.#failing, MAX_FAILING_TENANTS);
    const shared = FAULTS.find((one) => this.#isShared(one));
    if (shared === undefined) return;
    this.#shared = this.#rest(this.#shared, { fault: shared, waitMs: shared === fault ? waitMs : 0, isSame: false });
    this.#failing.clear();
  }

  /** Whether different queries of different tenants had this fault or a stricter one. */
  #isShared(fault: Fault): boolean {
    const met = this.#failing
      .values()
      .map((own) => [...own].filter(([, one]) => FAULTS.indexOf(one) <= FAULTS.indexOf(fault)).map(([name]) => name))
      .filter((names) => names.length > 0)
      .toArray();
    const needed = isUnambiguous(fault) || this.#shared.opened > 0 ? MIN_DIFFERENT : MAX_FAILURES;
    const isMany = met.length >= MIN_DIFFERENT && new Set(met.flat()).size >= MIN_DIFFERENT;
    return isMany && met.flat().length >= needed;
  }

  #rest({ opened }: Rest, { fault, waitMs, isSame }: RestCause): Rest {
    const times = isSame ? opened - 1 : opened;
    const ms = Math.min(
      MAX_REST_MS,
      Math.max(FIRST_REST_MS[fault] * (fault === 'slow' ? 1 : 2 ** Math.min(times, 10)), waitMs),
    );
    return { until: this.#clock.monotonic() + ms, opened: fault === 'slow' ? opened : times + 1 };
  }
}

type CountedFault = { readonly name: string; readonly fault: Fault; readonly waitMs: number };
type RestCause = { readonly fault: Fault; readonly waitMs: number; readonly isSame: boolean };

/** Whether a single response is enough to pause the backend. */
function isUnambiguous(fault: Fault): boolean {
  return fault === 'captcha' || fault === 'limited';
}

function dropOldest(byTenant: Map<string, unknown>, most: number): void {
  const [oldest] = byTenant.keys();
  if (byTenant.size > most && oldest !== undefined) byTenant.delete(oldest);
}

/** Concurrent requests per backend; engines reject or slow down clients that send more. */
const MAX_CONCURRENT_CALLS = 16;

/** Slots for requests to one backend, shared fairly among tenants, with a spare slot for a tenant that has none. */
export function createBackendTurns(clock: Pick<Clock, 'monotonic'>): FairQueue {
  return createFairQueue({ places: MAX_CONCURRENT_CALLS, spare: 1, clock });
}
