import type { Frontier } from './frontier.ts';

/** A frontier that queues its parked URLs, whatever their depth, once no other page waits or is under way. */
export function withParkedLast(frontier: Frontier): Frontier {
  return {
    ...frontier,
    async claim(demand) {
      const claimed = await frontier.claim(demand);
      if (claimed.reason !== 'nothing' || (await frontier.progress()).active > 0) return claimed;
      // The last page under way may have brought links after the claim.
      const last = await frontier.claim(demand);
      if (last.reason !== 'nothing') return last;
      return (await frontier.unpark(Number.MAX_SAFE_INTEGER)) > 0 ? frontier.claim(demand) : last;
    },
  };
}
