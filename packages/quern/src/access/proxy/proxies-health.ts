import type { Clock } from '#kernel/clock.ts';
import { afterResult, afterTake, type ExitResult, type Health, isFree, WELL } from './proxy-health.ts';

/** A result of a proxy, named by its place in the settings. */
export type ProxyResult = {
  readonly at: number;
  readonly tenant: string;
  readonly site: string;
  readonly result: ExitResult;
  /** Whether it counts for all tenants, because no caller can bring it about. */
  readonly isShared: boolean;
};

/** Tenants that met failures of late. */
const MAX_TENANTS = 500;

/** Keeps the health of proxies: one for all tenants, and what single tenants met. */
export function openProxiesHealth(clock: Pick<Clock, 'monotonic'>) {
  const shared = new Map<number, Health>();
  const own = new Map<string, Map<number, Health>>();

  const isFreeIn = (book: ReadonlyMap<number, Health> | undefined, at: number): boolean =>
    isFree(book?.get(at) ?? WELL, clock.monotonic());

  function noteIn(book: Map<number, Health>, { at, site }: ProxyResult, result: ExitResult): void {
    const health = book.get(at) ?? WELL;
    if (health !== WELL || result !== 'unclear')
      put(book, at, afterResult(health, { result, site }, clock.monotonic()));
  }

  function noteOwn(told: ProxyResult, result: ExitResult): void {
    const { tenant } = told;
    const book = own.get(tenant) ?? new Map<number, Health>();
    noteIn(book, told, result);
    own.delete(tenant);
    if (book.size > 0) own.set(tenant, book);
    const [oldest] = own.keys();
    if (own.size > MAX_TENANTS && oldest !== undefined) own.delete(oldest);
  }

  return {
    /** Whether a tenant may take a proxy now. */
    isFree: (at: number, tenant: string): boolean => isFreeIn(shared, at) && isFreeIn(own.get(tenant), at),
    /** Whether tenants may that met no failures of it. */
    isFreeForOthers: (at: number): boolean => isFreeIn(shared, at),
    noteTake(at: number, tenant: string): void {
      for (const book of [shared, own.get(tenant)])
        if (book?.has(at) === true) put(book, at, afterTake(book.get(at) ?? WELL, clock.monotonic()));
    },
    note(told: ProxyResult): void {
      const { result, isShared } = told;
      noteIn(shared, told, isShared || result === 'ok' ? result : 'unclear');
      noteOwn(told, isShared ? 'unclear' : result);
    },
  };
}

function put(book: Map<number, Health>, at: number, health: Health): void {
  if (health === WELL) book.delete(at);
  else book.set(at, health);
}
