import type { Party } from '#kernel/turns.ts';

/** A tenant that has asked for nothing for this time is forgotten, ms. */
const KEPT_MS = 60_000;

/** A tenant that visits a host, or waits for it. */
export type Visitor = {
  readonly tenant: string;
  weight: number;
  inFlight: number;
  /** Files that wait before its pages. */
  ahead: number;
  /** Its starts, divided by its weight; no fewer than those of the others when it joined them. */
  starts: number;
  /** It wants to start a visit from `dueAt` on, as far as its own pauses decide, and until `wantsUntil`. */
  dueAt: number;
  wantsUntil: number;
};

type Want = { readonly now: number; readonly dueAt: number; readonly withinMs: number };

/** The tenants at one host. Places and starts go round by tenant; all of them are for one that is alone. */
export class HostTurns {
  readonly #visitors = new Map<string, Visitor>();

  /** The visitor of a tenant, and whether it has just come to others. */
  join({ tenant, weight }: Party, now: number): { readonly visitor: Visitor; readonly isNew: boolean } {
    const known = this.#visitors.get(tenant);
    if (known !== undefined) {
      known.weight = weight;
      return { visitor: known, isNew: false };
    }
    for (const [name, one] of this.#visitors) if (isIdle(one, now - KEPT_MS)) this.#visitors.delete(name);
    const visitor = { tenant, weight, inFlight: 0, ahead: 0, starts: 0, dueAt: 0, wantsUntil: 0 };
    const isNew = this.#visitors.size > 0;
    this.#visitors.set(tenant, visitor);
    return { visitor, isNew };
  }

  /** Whether no tenant has a visit under way, or waits. */
  isFree(): boolean {
    return this.#visitors.values().every(({ inFlight, ahead }) => inFlight + ahead === 0);
  }

  isShared(): boolean {
    return this.#visitors.size > 1;
  }

  inFlight(): number {
    return this.#visitors.values().reduce((sum, { inFlight }) => sum + inFlight, 0);
  }

  /** Notes that a tenant wants to start a visit; one that has paused begins where the others are. */
  want(visitor: Visitor, { now, dueAt, withinMs }: Want): void {
    if (isIdle(visitor, now)) {
      const others = this.#wanting(visitor, now).map(({ starts }) => starts);
      if (others.length > 0) visitor.starts = Math.max(visitor.starts, Math.min(...others));
    }
    visitor.dueAt = dueAt;
    visitor.wantsUntil = now + withinMs;
  }

  /**
   * Whether a tenant may have one more of `limit` places: of those that want some each has its part, and where one has all
   * of them there is one more for another.
   */
  hasPlace(visitor: Visitor, limit: number, now: number): boolean {
    const taken = this.inFlight();
    if (taken < limit) return visitor.inFlight < this.#partOf(visitor, limit, now);
    if (visitor.inFlight > 0 || taken > limit) return false;
    return this.#visitors.values().some((other) => other !== visitor && other.inFlight >= limit);
  }

  /** Whether another tenant that could start a visit now has had fewer starts. */
  givesWay(visitor: Visitor, limit: number, now: number): boolean {
    return this.#wanting(visitor, now).some(
      (other) => other.starts < visitor.starts && other.inFlight < this.#partOf(other, limit, now),
    );
  }

  begin(visitor: Visitor): void {
    visitor.inFlight += 1;
    visitor.starts += 1 / visitor.weight;
  }

  #partOf(visitor: Visitor, limit: number, now: number): number {
    const others = this.#wanting(visitor, now);
    if (others.length === 0) return limit;
    const weights = others.reduce((sum, { weight }) => sum + weight, visitor.weight);
    return Math.max(1, Math.floor((limit * visitor.weight) / weights));
  }

  #wanting(besides: Visitor, now: number): readonly Visitor[] {
    return [...this.#visitors.values()].filter((one) => one !== besides && one.wantsUntil > now && one.dueAt <= now);
  }
}

function isIdle({ inFlight, ahead, wantsUntil }: Visitor, now: number): boolean {
  return inFlight + ahead === 0 && wantsUntil < now;
}
