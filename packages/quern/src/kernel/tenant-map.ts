/**
 * A bounded map by tenant and key. When it is full, the oldest entry of the tenant with the most entries is removed, so that a
 * tenant cannot evict entries of one that has fewer. Every operation takes constant time.
 */
export class TenantMap<V> {
  readonly #bound: number;
  readonly #entries = new Map<string, Map<string, V>>();
  /** Tenants by their number of entries. */
  readonly #byCount = new Map<number, Set<string>>();
  #most = 0;
  #size = 0;

  constructor(bound: number) {
    this.#bound = bound;
  }

  get(tenant: string, key: string): V | undefined {
    return this.#entries.get(tenant)?.get(key);
  }

  /** Sets the newest entry of a tenant. */
  set(tenant: string, key: string, value: V): void {
    this.delete(tenant, key);
    const own = this.#entries.get(tenant) ?? new Map<string, V>();
    this.#entries.set(tenant, own);
    own.set(key, value);
    this.#size += 1;
    this.#move(tenant, own.size - 1, own.size);
    if (this.#size > this.#bound) this.#makeRoom();
  }

  delete(tenant: string, key: string): void {
    const own = this.#entries.get(tenant);
    if (own === undefined || !own.delete(key)) return;
    this.#size -= 1;
    this.#move(tenant, own.size + 1, own.size);
    if (own.size === 0) this.#entries.delete(tenant);
  }

  #makeRoom(): void {
    // Among tenants with equally many, the one that reached that number first.
    const [tenant] = this.#byCount.get(this.#most) ?? [];
    const [oldest] = this.#entries.get(tenant ?? '')?.keys() ?? [];
    if (tenant !== undefined && oldest !== undefined) this.delete(tenant, oldest);
  }

  #move(tenant: string, from: number, to: number): void {
    const before = this.#byCount.get(from);
    before?.delete(tenant);
    if (before?.size === 0) this.#byCount.delete(from);
    if (to > 0) {
      const after = this.#byCount.get(to) ?? new Set();
      this.#byCount.set(to, after.add(tenant));
    }
    // Counts change by one, so if the highest count is gone, this tenant has the next highest.
    this.#most = Math.max(to, this.#byCount.has(this.#most) ? this.#most : to);
  }
}
