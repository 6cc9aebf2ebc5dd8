import type { Clock } from './clock.ts';

/** The tenant that work belongs to; a tenant of weight 2 gets twice the time of one of weight 1. */
export type WorkOwner = { readonly tenant: string; readonly weight: number };

/** The owner of work that the service does for itself. */
export const SERVICE_OWNER: WorkOwner = { tenant: '', weight: 1 };

/** A queue for a limited number of slots that shares them fairly among tenants. */
export type FairQueue = {
  /** Waits for a slot; resolves with a function that releases it. Throws the signal's reason if the signal fires first. */
  readonly acquire: (party: WorkOwner, signal: AbortSignal) => Promise<() => void>;
  /** The number of slots in use, and of callers that wait for one. */
  readonly getCounts: () => { readonly taken: number; readonly waiting: number };
  /** Whether another tenant waits for a slot. */
  readonly hasOtherWaiting: (tenant: string) => boolean;
};

export type FairQueueOptions = {
  readonly places: number;
  /** Extra slots for a tenant without any while a single other tenant uses all others. */
  readonly spare: number;
  /** Maximum number of slots of a tenant; all slots by default. */
  readonly placeLimit?: (tenant: string) => number;
  readonly clock: Pick<Clock, 'monotonic'>;
};

/** A tenant that uses slots or waits for one. */
type TenantShare = {
  readonly tenant: string;
  weight: number;
  taken: number;
  /** Slot time used so far divided by the weight, ms (virtual time); starts at the lowest value of the other tenants. */
  used: number;
  readonly queue: WaitQueue;
};

/**
 * Creates a fair queue: a free slot goes to the waiting tenant with the fewest slots for its weight, then to the one that used
 * the least time for its weight (start-time fair queueing; Goyal, Vin and Cheng, 1996). A tenant may use all slots while
 * nobody else waits. Inactive tenants take no memory.
 */
export function createFairQueue({ places, spare, placeLimit, clock }: FairQueueOptions): FairQueue {
  const shares = new Map<string, TenantShare>();
  let taken = 0;
  let waiting = 0;

  function mayTake(share: TenantShare): boolean {
    if (taken < places) return true;
    if (share.taken > 0 || taken >= places + spare) return false;
    return shares.values().some((other) => other.taken >= places);
  }

  function admit(): void {
    while (waiting > 0) {
      const share = findNextShare(shares, placeLimit);
      const [turn] = share?.queue ?? [];
      if (share === null || turn === undefined || !mayTake(share)) return;
      share.queue.delete(turn);
      share.taken += 1;
      taken += 1;
      waiting -= 1;
      turn();
    }
  }

  function leave(tenant: string, share: TenantShare): void {
    if (share.taken === 0 && share.queue.size === 0) shares.delete(tenant);
  }

  return {
    async acquire(party, signal) {
      signal.throwIfAborted();
      const { tenant } = party;
      const share = getOrAddShare(shares, party);
      const turn = waitInQueue(share.queue, signal);
      waiting += 1;
      admit();
      try {
        await turn;
      } catch (error) {
        waiting -= 1;
        leave(tenant, share);
        throw error;
      }
      const since = clock.monotonic();
      let isTaken = true;
      return () => {
        if (!isTaken) return;
        isTaken = false;
        share.used += (clock.monotonic() - since) / share.weight;
        share.taken -= 1;
        taken -= 1;
        admit();
        leave(tenant, share);
      };
    },
    getCounts: () => ({ taken, waiting }),
    hasOtherWaiting: (tenant) => shares.entries().some(([name, { queue }]) => name !== tenant && queue.size > 0),
  };
}

/** The share of a tenant; a new one starts with the lowest virtual time of the others. */
function getOrAddShare(shares: Map<string, TenantShare>, { tenant, weight }: WorkOwner): TenantShare {
  const known = shares.get(tenant);
  if (known !== undefined) {
    known.weight = weight;
    return known;
  }
  const used = shares.size === 0 ? 0 : Math.min(...shares.values().map((one) => one.used));
  const share = { tenant, weight, taken: 0, used, queue: new Set<() => void>() };
  shares.set(tenant, share);
  return share;
}

/** The tenant that gets the next slot; null if no waiting tenant may have one. */
function findNextShare(
  shares: ReadonlyMap<string, TenantShare>,
  placeLimit: FairQueueOptions['placeLimit'],
): TenantShare | null {
  let first: TenantShare | null = null;
  for (const share of shares.values()) {
    if (share.queue.size === 0 || (placeLimit !== undefined && share.taken >= placeLimit(share.tenant))) continue;
    if (first === null || comesBefore(share, first)) first = share;
  }
  return first;
}

function comesBefore(one: TenantShare, other: TenantShare): boolean {
  const [own, its] = [one.taken / one.weight, other.taken / other.weight];
  return own === its ? one.used < other.used : own < its;
}

/** A FIFO queue of callbacks that wait for a slot; the owner of a freed slot removes the first one and calls it. */
export type WaitQueue = Set<() => void>;

/** Joins a queue and resolves when called; leaves it and throws the signal's reason if the signal fires first. */
export async function waitInQueue(line: WaitQueue, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const onAbort = (): void => {
      line.delete(onTurn);
      reject(signal.reason);
    };
    const onTurn = (): void => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    };
    line.add(onTurn);
    signal.addEventListener('abort', onAbort, { once: true });
  });
}
