import type { Clock } from '#kernel/clock.ts';
import type { BackendFailure, SearchQuery } from './backend.ts';

/** What became of a query, as far as it speaks of the backend: `slow` where others were quicker. */
type Fault = 'captcha' | 'limited' | 'other' | 'slow';

/** The first rest after each fault, the strictest first. */
const FIRST_MS: Readonly<Record<Fault, number>> = {
  captcha: 60 * 60_000,
  limited: 3 * 60_000,
  other: 15_000,
  slow: 15_000,
};
const FAULTS: readonly Fault[] = ['captcha', 'limited', 'other', 'slow'];
const MAX_MS = 60 * 60_000;
/** Failures without a captcha or a limit after which a backend is left alone. */
const MAX_FAILURES = 3;
/** Tenants and queries whose failures let it rest for all. */
const MIN_DIFFERENT = 2;
/** Failing queries that are kept of one tenant, and tenants that are known, for themselves and for all. */
const MAX_QUERIES = 3;
const MAX_TENANTS = 1000;
const MAX_FAILING_TENANTS = 16;

/** A query and the tenant that asks it. */
export type AskedBy = { readonly tenant: string; readonly query: SearchQuery };

/** How long a backend rests, and how often it had to since it last answered. */
type Rest = { readonly until: number; readonly opened: number };

/** What one tenant saw of a backend since it last answered that tenant. */
type OwnState = Rest & { readonly failures: number; readonly queries: ReadonlySet<string>; readonly last: string };

const AWAKE: Rest = { until: 0, opened: 0 };
const UNSEEN: OwnState = { ...AWAKE, failures: 0, queries: new Set(), last: '' };

/**
 * Leaves a backend alone that does not want or cannot serve: an hour after a captcha, three minutes after a 429 or 403, some
 * seconds after three other failures of different queries or when others were three times quicker, and twice as long each
 * further time; then one query tries it again. A tenant's failures let it rest for that tenant alone. For all it rests when
 * different queries of different tenants failed and none was answered between them. What speaks of the query counts nothing.
 */
export class BackendBreaker {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #own = new Map<string, OwnState>();
  /** The failing queries of each tenant since it last answered anybody, or began to rest. */
  readonly #failing = new Map<string, Map<string, Fault>>();
  /** One query asks for several lists, and counts once. */
  readonly #counted = new WeakSet<SearchQuery>();
  #shared = AWAKE;

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  /** Ms until a tenant may ask the backend again, 0 where it may. */
  restMs(tenant: string): number {
    const until = Math.max(this.#shared.until, this.#own.get(tenant)?.until ?? 0);
    return Math.max(0, until - this.#clock.monotonic());
  }

  succeed(tenant: string): void {
    this.#own.delete(tenant);
    this.#failing.clear();
    this.#shared = AWAKE;
  }

  /** Takes note that others had answered long before it, so that waiting for it helped nobody. */
  outrun(asking: AskedBy): void {
    this.#count(asking, 'slow', 0);
  }

  fail(asking: AskedBy, { why, waitSeconds }: Pick<BackendFailure, 'why' | 'waitSeconds'>): void {
    if (why !== 'query') this.#count(asking, why, (waitSeconds ?? 0) * 1000);
  }

  #count({ tenant, query }: AskedBy, fault: Fault, waitMs: number): void {
    // What was asked before it began to rest says nothing new.
    if (this.#counted.has(query) || this.restMs(tenant) > 0) return;
    this.#counted.add(query);
    const name = JSON.stringify([query.search, query.country, query.language, query.page, query.safe, query.timeRange]);
    this.#countOwn(tenant, { name, fault, waitMs });
    this.#countShared(tenant, { name, fault, waitMs });
  }

  #countOwn(tenant: string, { name, fault, waitMs }: Counted): void {
    const known = this.#own.get(tenant) ?? UNSEEN;
    const failures = known.failures + 1;
    const queries = known.queries.size < MAX_QUERIES ? new Set([...known.queries, name]) : known.queries;
    const isEnough = isClear(fault) || known.opened > 0 || (failures >= MAX_FAILURES && queries.size >= MIN_DIFFERENT);
    // The same query again is no reason to rest for longer.
    const isSame = known.opened > 0 && name === known.last;
    const rest = isEnough ? this.#rest(known, { fault, waitMs, isSame }) : known;
    this.#own.delete(tenant);
    this.#own.set(tenant, { ...rest, failures, queries, last: isEnough ? name : known.last });
    dropBeyond(this.#own, MAX_TENANTS);
  }

  #countShared(tenant: string, { name, fault, waitMs }: Counted): void {
    const own = this.#failing.get(tenant) ?? new Map<string, Fault>();
    if (own.size < MAX_QUERIES || own.has(name)) own.set(name, fault);
    this.#failing.set(tenant, own);
    dropBeyond(this.#failing, MAX_FAILING_TENANTS);
    const shown = FAULTS.find((one) => this.#isShown(one));
    if (shown === undefined) return;
    this.#shared = this.#rest(this.#shared, { fault: shown, waitMs: shown === fault ? waitMs : 0, isSame: false });
    this.#failing.clear();
  }

  /** Whether different queries of different tenants met a fault, or a stricter one. */
  #isShown(fault: Fault): boolean {
    const met = this.#failing
      .values()
      .map((own) => [...own].filter(([, one]) => FAULTS.indexOf(one) <= FAULTS.indexOf(fault)).map(([name]) => name))
      .filter((names) => names.length > 0)
      .toArray();
    const needed = isClear(fault) || this.#shared.opened > 0 ? MIN_DIFFERENT : MAX_FAILURES;
    const isMany = met.length >= MIN_DIFFERENT && new Set(met.flat()).size >= MIN_DIFFERENT;
    return isMany && met.flat().length >= needed;
  }

  #rest({ opened }: Rest, { fault, waitMs, isSame }: Cause): Rest {
    const times = isSame ? opened - 1 : opened;
    const ms = Math.min(MAX_MS, Math.max(FIRST_MS[fault] * (fault === 'slow' ? 1 : 2 ** Math.min(times, 10)), waitMs));
    return { until: this.#clock.monotonic() + ms, opened: fault === 'slow' ? opened : times + 1 };
  }
}

type Counted = { readonly name: string; readonly fault: Fault; readonly waitMs: number };
type Cause = { readonly fault: Fault; readonly waitMs: number; readonly isSame: boolean };

/** Whether a single answer says that the backend wants to be left alone. */
function isClear(fault: Fault): boolean {
  return fault === 'captcha' || fault === 'limited';
}

function dropBeyond(byTenant: Map<string, unknown>, most: number): void {
  const [oldest] = byTenant.keys();
  if (byTenant.size > most && oldest !== undefined) byTenant.delete(oldest);
}
