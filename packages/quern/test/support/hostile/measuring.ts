import { setTimeout as wait } from 'node:timers/promises';
import type { Attack } from './attacks.ts';
import type { Deed, Tenant } from './victims.ts';

/** Between two calls of one line of a victim, ms. */
const PAUSE_MS = 100;

/** What a victim's calls of one kind took. */
export type Seen = { readonly calls: number; readonly failed: number; readonly p95Ms: number };

/** Runs each deed again and again on a line of its own for so long, all lines at once. */
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

/** An attack under way. */
export type Attacking = {
  /** Begins no further call. */
  readonly stop: () => void;
  /** Resolves when the last call has ended. */
  readonly ended: Promise<void>;
};

/** Attacks on so many lines until it is stopped. */
export function startAttack(attack: Attack, tenant: Tenant, lines: number): Attacking {
  const over = new AbortController();
  const all = Array.from({ length: lines }, async () => {
    while (!over.signal.aborted) {
      turns += 1;
      await attack.run(tenant, turns);
    }
  });
  const ended = Promise.all(all).then(() => undefined);
  // Whoever waits for the end hears of a failure; calls that a service leaves behind when it is killed are nobody's.
  ended.catch(() => undefined);
  return { stop: () => over.abort(), ended };
}

function percentile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
