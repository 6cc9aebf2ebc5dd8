import { setTimeout as wait } from 'node:timers/promises';
import type { Attack } from './attacks.ts';
import type { Deed, Tenant } from './victims.ts';

/** The delay in ms between two calls on one connection of a victim. */
const PAUSE_MS = 100;

/** The calls of one kind of a victim: number, failures and 95th percentile of the duration. */
export type Seen = { readonly calls: number; readonly failed: number; readonly p95Ms: number };

/** Repeats each kind of call for `seconds`, all kinds concurrently. */
export async function measure(
  deeds: readonly Deed[],
  tenant: Tenant,
  seconds: number,
): Promise<ReadonlyMap<string, Seen>> {
  const last = performance.now() + seconds * 1000;
  const lines = deeds.map(async ({ name, run }): Promise<[string, Seen]> => {
    const times: number[] = [];
    let failed = 0;
    while (performance.now() < last) {
      const begun = performance.now();
      turns += 1;
      if (!(await run(tenant, turns))) failed += 1;
      times.push(performance.now() - begun);
      await wait(PAUSE_MS);
    }
    return [name, { calls: times.length, failed, p95Ms: percentile(times, 0.95) }];
  });
  return new Map(await Promise.all(lines));
}

let turns = 0;

/** A running attack. */
export type Attacking = {
  /** Stops starting calls. */
  readonly stop: () => void;
  /** Resolves when the last call has ended. */
  readonly ended: Promise<void>;
};

/** Attacks on `lines` connections until it is stopped. */
export function startAttack(attack: Attack, tenant: Tenant, lines: number): Attacking {
  const over = new AbortController();
  const all = Array.from({ length: lines }, async () => {
    while (!over.signal.aborted) {
      turns += 1;
      await attack.run(tenant, turns);
    }
  });
  const ended = Promise.all(all).then(() => undefined);
  // The caller that awaits the end gets a failure; calls interrupted by a kill are ignored.
  ended.catch(() => undefined);
  return { stop: () => over.abort(), ended };
}

function percentile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
