import type { Clock } from './clock.ts';

/** A tenant that has asked for nothing for this long holds up nobody and is held up by nobody, ms. */
const ACTIVE_MS = 10_000;

type TenantActivity = { readonly tenant: string; readonly at: number };

/** Whether a tenant has the service for itself: it may use all of it then. Holds two tenants, however many there are. */
export class ActiveTenants {
  readonly #clock: Pick<Clock, 'monotonic'>;
  /** The last work, and the last one of another tenant. */
  #last: TenantActivity | null = null;
  #before: TenantActivity | null = null;

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  /** A tenant has work to do. */
  meet(tenant: string): void {
    if (this.#last?.tenant !== tenant) this.#before = this.#last;
    this.#last = { tenant, at: this.#clock.monotonic() };
  }

  /** Whether no other tenant has had work lately. */
  isAlone(tenant: string): boolean {
    const other = this.#last?.tenant === tenant ? this.#before : this.#last;
    return other === null || this.#clock.monotonic() - other.at > ACTIVE_MS;
  }
}
