import type { Clock } from './clock.ts';

/** Whose work it is. Turns go round by tenant; a tenant of weight 2 gets twice the time of one of weight 1. */
export type Party = { readonly tenant: string; readonly weight: number };

/** The party of work that the service does for no tenant. */
export const SERVICE_PARTY: Party = { tenant: '', weight: 1 };

/** Places for work, given by turns of tenants. */
export type Turns = {
  /** Resolves with what gives the place back, once; throws the signal's reason when that fires first. */
  readonly take: (party: Party, signal: AbortSignal) => Promise<() => void>;
  /** Taken places, and callers that wait for one. */
  readonly counts: () => { readonly taken: number; readonly waiting: number };
  /** Whether a tenant other than this one waits for a place. */
  readonly othersWait: (tenant: string) => boolean;
};

export type FairQueueOptions = {
  readonly places: number;
  /** Places beyond those, for a tenant without any while one other tenant has them all. */
  readonly spare: number;
  /** Places that a tenant may have at once; all of them unless given. */
  readonly placeLimit?: (tenant: string) => number;
  readonly clock: Pick<Clock, 'monotonic'>;
};

/** A tenant that has places or waits for some. */
type TenantShare = {
  readonly tenant: string;
  weight: number;
  taken: number;
  /** The time of its places so far, divided by its weight, ms; no less than where it joined the others. */
  used: number;
  readonly queue: WaitQueue;
};

/**
 * Opens places that go to the waiting tenant with the fewest places for its weight, and among those to the one that had the
 * least time for its weight, as start-time fair queueing has it (Goyal, Vin and Cheng, 1996). A tenant may have all places
 * while nobody else waits. A tenant that is not active leaves nothing behind.
 */
export function openTurns({ places, spare, placeLimit, clock }: FairQueueOptions): Turns {
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
    async take(party, signal) {
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
    counts: () => ({ taken, waiting }),
    othersWait: (tenant) => shares.entries().some(([name, { queue }]) => name !== tenant && queue.size > 0),
  };
}

/** The share of a tenant, from where the others are when it joins them. */
function getOrAddShare(shares: Map<string, TenantShare>, { tenant, weight }: Party): TenantShare {
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

/** The tenant whose turn it is; null where nobody waits that may have a place more. */
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

/** Joins a line at once, and resolves when called; leaves it and throws the signal's reason when that fires first. */
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
