import { totalmem } from 'node:os';
import { waitInQueue, type WaitQueue } from './turns.ts';

/** The memory that one page or answer takes of a budget; it grows with its bytes, and `leave` gives all of it back. */
export type MemoryShare = {
  /** Grows at once if there is memory left, and answers whether it did. */
  readonly tryGrow: (bytes: number) => boolean;
  /** Grows when there is memory left; throws the signal's reason when that fires first. */
  readonly grow: (bytes: number, signal: AbortSignal) => Promise<void>;
  readonly shrink: (bytes: number) => void;
  readonly leave: () => void;
};

/** A budget of memory that all pages, or all answers, of this process share. */
export type MemoryBudget = { readonly enter: (owner: string) => MemoryShare; readonly held: () => number };

/**
 * Opens a budget of `whole` bytes, of which one owner gets half. The oldest share of all, and the oldest of its owner, may
 * grow beyond that, since shares that wait for each other would deadlock; the limit of a single share still bounds them.
 */
export function openMemoryBudget(whole: number): MemoryBudget {
  /** The shares that hold memory, the oldest first. */
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

  /** Wakes all waiting shares, in the order of their arrival. */
  function announce(): void {
    const waiting = [...line];
    line.clear();
    for (const look of waiting) look();
  }

  return {
    held: () => [...shares.values()].reduce((sum, { bytes }) => sum + bytes, 0),
    enter(owner) {
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
        leave() {
          if (shares.delete(share)) announce();
        },
      };
      return share;
    },
  };
}

/** Bytes of memory that this process may have: those of its container, or of the machine. */
export function getMemoryBytes(): number {
  const constrained = process.constrainedMemory();
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}

/** One `part`-th of the memory, within bounds. */
export function partOfMemory(part: number, { least, most }: { readonly least: number; readonly most: number }): number {
  return Math.min(most, Math.max(least, Math.floor(getMemoryBytes() / part)));
}
