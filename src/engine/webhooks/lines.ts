import type { Claimed } from './delivery-rows.ts';

/** How many deliveries may be on their way at once. */
export type Places = {
  /** In all, and of them to endpoints that have not answered well the last time. */
  readonly most: number;
  readonly mostDoubtful: number;
  /** To one endpoint. */
  readonly each: number;
  /** Claimed ahead for an endpoint that answers well, beside those on their way. */
  readonly ahead: number;
  /** Bodies of all that is claimed, bytes. */
  readonly bytes: number;
  /** An endpoint that takes longer than this with one delivery is in doubt, ms. */
  readonly slowMs: number;
};

/** Dead receivers hold their places for a whole attempt each, and some are always left for those that answer. */
export const PLACES: Places = {
  most: 1536,
  mostDoubtful: 1024,
  each: 4,
  ahead: 28,
  bytes: 64 * 2 ** 20,
  slowMs: 1000,
};

/** Endpoints whose last answer is remembered. */
const REMEMBERED = 5000;

type Line = {
  readonly waiting: Claimed[];
  /** Each by when it began. */
  readonly sending: Set<{ readonly began: number }>;
};

/** The claimed deliveries by their endpoints, and which of them may go now. */
export function buildLines(places: Places, now: () => number) {
  const lines = new Map<string, Line>();
  /** Endpoints that answered well the last time. */
  const trusted = new Set<string>();
  let sending = 0;
  let doubtful = 0;
  let bytes = 0;

  function isTrusted(endpoint: string): boolean {
    const line = lines.get(endpoint);
    const isSlow = line !== undefined && [...line.sending].some(({ began }) => now() - began > places.slowMs);
    return trusted.has(endpoint) && !isSlow;
  }

  return {
    /** How many more may be claimed in all, and for an endpoint. */
    appetite: () => (bytes >= places.bytes ? 0 : places.most - sending),
    roomOf(endpoint: string): number {
      const line = lines.get(endpoint);
      const held = line === undefined ? 0 : line.waiting.length + line.sending.size;
      if (isTrusted(endpoint)) return Math.max(0, places.each + places.ahead - held);
      return doubtful < places.mostDoubtful ? Math.max(0, 1 - held) : 0;
    },

    add(claimed: Claimed): void {
      const line = lines.get(claimed.endpoint) ?? { waiting: [], sending: new Set() };
      line.waiting.push(claimed);
      lines.set(claimed.endpoint, line);
      bytes += claimed.body.length;
    },

    /** The next delivery to the endpoint, and what to call when it has ended; null when none may go now. */
    begin(endpoint: string): { readonly claimed: Claimed; readonly end: (isWell: boolean) => void } | null {
      const line = lines.get(endpoint);
      if (line === undefined || line.sending.size >= places.each) return null;
      const doubt = isTrusted(endpoint) ? 0 : 1;
      if (doubt === 1 && line.sending.size > 0) return null;
      const claimed = line.waiting.shift();
      if (claimed === undefined) return null;
      const one = { began: now() };
      line.sending.add(one);
      sending += 1;
      doubtful += doubt;
      return {
        claimed,
        end(isWell) {
          line.sending.delete(one);
          sending -= 1;
          doubtful -= doubt;
          bytes -= claimed.body.length;
          trusted.delete(endpoint);
          if (isWell) remember(endpoint);
          if (line.waiting.length === 0 && line.sending.size === 0) lines.delete(endpoint);
        },
      };
    },

    /** Takes out all that waits for the endpoint, or for all of them. */
    drop(endpoint: string | null): readonly Claimed[] {
      const dropped: Claimed[] = [];
      for (const [name, line] of lines) {
        if (endpoint !== null && name !== endpoint) continue;
        dropped.push(...line.waiting.splice(0));
        if (line.sending.size === 0) lines.delete(name);
      }
      for (const { body } of dropped) bytes -= body.length;
      return dropped;
    },
  };

  function remember(endpoint: string): void {
    const [oldest] = trusted;
    if (trusted.size >= REMEMBERED && oldest !== undefined) trusted.delete(oldest);
    trusted.add(endpoint);
  }
}
