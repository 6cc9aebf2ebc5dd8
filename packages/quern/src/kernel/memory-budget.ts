import { totalmem } from 'node:os';
import { waitInQueue, type WaitQueue } from './turns.ts';

/** The part of a memory budget that one page or response uses; `leave` returns all of it. */
export type MemoryShare = {
  /** Reserves more bytes if they are available; returns whether it did. */
  readonly tryGrow: (bytes: number) => boolean;
  /** Waits until the bytes are available and reserves them; throws the signal's reason if the signal fires first. */
  readonly grow: (bytes: number, signal: AbortSignal) => Promise<void>;
  readonly shrink: (bytes: number) => void;
  readonly release: () => void;
};

/** A memory budget shared by all pages, or all responses, of this process; `held` returns the bytes in use. */
export type MemoryBudget = { readonly createShare: (owner: string) => MemoryShare; readonly usedBytes: () => number };

/**
 * Creates a budget of `whole` bytes; one owner may use half of it. The oldest share of all may always grow, and the oldest
 * share of an owner may exceed that half: shares that wait for each other would deadlock.
 */
export function createMemoryBudget(whole: number): MemoryBudget {
  /** Shares with reserved memory, oldest first. */
  const shares = new Map<MemoryShare, { readonly owner: string; bytes: number }>();
  const line: WaitQueue = new Set();

  function mayGrow(share: MemoryShare, owner: string, bytes: number): boolean {
    let all = 0;
    let own = 0;
    let firstOwn: MemoryShare | null = null;
    for (const [one, held] of shares) {
      all += held.bytes;
      if (held.owner !== owner) continue;
      own += held.bytes;
      firstOwn ??= one;
    }
    const [first = share] = shares.keys();
    if (first === share) return true;
    const isWithinOwn = own + bytes <= whole / 2 || firstOwn === null || firstOwn === share;
    return isWithinOwn && all + bytes <= whole;
  }

  /** Wakes all waiting shares in order of arrival. */
  function announce(): void {
    const waiting = [...line];
    line.clear();
    for (const look of waiting) look();
  }

  return {
    usedBytes: () => [...shares.values()].reduce((sum, { bytes }) => sum + bytes, 0),
    createShare(owner) {
      const share: MemoryShare = {
        tryGrow(bytes) {
          if (!mayGrow(share, owner, bytes)) return false;
          const held = shares.get(share);
          if (held === undefined) shares.set(share, { owner, bytes });
          else held.bytes += bytes;
          return true;
        },
        async grow(bytes, signal) {
          while (!share.tryGrow(bytes)) await waitInQueue(line, signal);
        },
        shrink(bytes) {
          const held = shares.get(share);
          if (held === undefined) return;
          held.bytes = Math.max(0, held.bytes - bytes);
          announce();
        },
        release() {
          if (shares.delete(share)) announce();
        },
      };
      return share;
    },
  };
}

/** Memory that this process may use, bytes: the limit of its container, or the memory of the machine. */
export function getMemoryBytes(): number {
  const constrained = process.constrainedMemory();
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}

/** One `part`-th of that memory, bytes, clamped to `least` and `most`. */
export function computeMemoryLimit(
  part: number,
  { least, most }: { readonly least: number; readonly most: number },
): number {
  return Math.min(most, Math.max(least, Math.floor(getMemoryBytes() / part)));
}
