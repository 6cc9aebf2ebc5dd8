import type { Clock } from './clock.ts';

/** A tenant without new work for this long is no longer active, ms. */
const ACTIVE_MS = 10_000;

type TenantActivity = { readonly tenant: string; readonly at: number };

/** Tells whether a tenant is the only active one, which may then use the whole service. Remembers only the last two tenants. */
export class ActiveTenants {
  readonly #clock: Pick<Clock, 'monotonic'>;
  /** The latest work, and the latest work of a different tenant. */
  #last: TenantActivity | null = null;
  #before: TenantActivity | null = null;

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  /** Records that a tenant has work to do. */
  noteActivity(tenant: string): void {
    if (this.#last?.tenant !== tenant) this.#before = this.#last;
    this.#last = { tenant, at: this.#clock.monotonic() };
  }

  /** Whether no other tenant had work in the last 10 seconds. */
  isAlone(tenant: string): boolean {
    const other = this.#last?.tenant === tenant ? this.#before : this.#last;
    return other === null || this.#clock.monotonic() - other.at > ACTIVE_MS;
  }
}
