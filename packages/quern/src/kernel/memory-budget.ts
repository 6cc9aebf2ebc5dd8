import { totalmem } from 'node:os';
import { waitInQueue, type WaitQueue } from './fair-queue.ts';

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
    for (const [entry, allocation] of shares) {
      all += allocation.bytes;
      if (allocation.owner !== owner) continue;
      own += allocation.bytes;
      firstOwn ??= entry;
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
          const shareBytes = shares.get(share);
          if (shareBytes === undefined) shares.set(share, { owner, bytes });
          else shareBytes.bytes += bytes;
          return true;
        },
        async grow(bytes, signal) {
          while (!share.tryGrow(bytes)) await waitInQueue(line, signal);
        },
        shrink(bytes) {
          const shareBytes = shares.get(share);
          if (shareBytes === undefined) return;
          shareBytes.bytes = Math.max(0, shareBytes.bytes - bytes);
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

/** A view that leaves out at most this many bytes of its buffer counts as its only view. */
const MAX_UNUSED_BYTES = 64;

/**
 * Frees the memory of a buffer immediately, unless the array is a view into a larger buffer. Leaving the buffers of pages
 * to the garbage collector would cause a full collection about every 40 pages of a crawl.
 */
export function freeBuffer({ buffer, byteLength }: Uint8Array<ArrayBuffer>): void {
  if (buffer.byteLength - byteLength <= MAX_UNUSED_BYTES) buffer.transfer(0);
}

/**
 * Runs a full garbage collection and returns the freed memory to the system, which V8 and malloc would otherwise keep. Used
 * after start, when half of the heap is garbage from loading modules, and after load peaks. Takes about 60 ms; does nothing
 * without `--expose-gc`.
 */
export function collectGarbage(): void {
  if (globalThis.gc === undefined) return;
  globalThis.gc({ type: 'major', flavor: 'last-resort', execution: 'sync' });
  trimMalloc ??= loadMallocTrim();
  trimMalloc();
}

let trimMalloc: (() => void) | null = null;

/**
 * Loads `malloc_trim` of glibc, which returns free memory between memory in use to the system; `free` only returns what is
 * free at the end. The compiler of V8 leaves over 100 MiB of it after a load. The result does nothing on other systems, and
 * on Node below 26, which has no `node:ffi`.
 */
function loadMallocTrim(): () => void {
  try {
    const ffi = process.getBuiltinModule('node:ffi');
    const { functions } = ffi.dlopen(null, { malloc_trim: { arguments: ['u64'], return: 'i32' } });
    return () => functions.malloc_trim(0n);
  } catch {
    return () => undefined;
  }
}

const MIB = 1024 * 1024;
const MAX_BUDGET_BYTES = 256 * MIB;

/** The memory that this process may use at once for pages and responses of all callers. */
export type MemoryBudgets = {
  /** For pages that are being downloaded or parsed. */
  readonly pages: MemoryBudget;
  /** For responses that are being collected, serialized or sent. */
  readonly answers: MemoryBudget;
};

/** Creates the budgets as fractions of the memory that this process may use. */
export function createMemoryBudgets(): MemoryBudgets {
  return {
    pages: createMemoryBudget(computeMemoryLimit(16, { least: 32 * MIB, most: MAX_BUDGET_BYTES })),
    answers: createMemoryBudget(computeMemoryLimit(8, { least: 64 * MIB, most: MAX_BUDGET_BYTES })),
  };
}
