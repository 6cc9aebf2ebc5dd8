import type { Clock } from '#kernel/clock.ts';
import { openTurns, type Turns } from '#kernel/turns.ts';

/** Questions that one backend has at once; engines refuse, or answer slowly, who sends more. */
const MAX_AT_ONCE = 16;

/** Places at one backend, given by turns of tenants; one more for a tenant that has none while another has all. */
export function openBackendTurns(clock: Pick<Clock, 'monotonic'>): Turns {
  return openTurns({ places: MAX_AT_ONCE, spare: 1, clock });
}
