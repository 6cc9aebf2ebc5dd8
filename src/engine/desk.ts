/** The largest id that a desk can hold. */
export const MOST_ID = 2 ** 31 - 1;

/** A page that a parser thread reads now: 0 and 0 ms when it reads none. */
export type OnDesk = { readonly id: number; readonly spentMs: number };

/** Memory shared with a parser thread, in which it says what it reads, also when it no longer answers. */
export type Desk = {
  readonly shared: SharedArrayBuffer;
  /** For the thread: begins a page, or with 0 ends it. */
  readonly lay: (id: number) => void;
  readonly look: () => OnDesk;
};

const PAGE = 0;
const SINCE = 1;

/** A desk of its own, or the one that is shared. */
export function openDesk(shared: SharedArrayBuffer = new SharedArrayBuffer(8)): Desk {
  const cells = new Int32Array(shared);
  return {
    shared,
    lay(id) {
      Atomics.store(cells, SINCE, machineMs());
      Atomics.store(cells, PAGE, id);
    },
    look() {
      const id = Atomics.load(cells, PAGE);
      return id === 0 ? { id, spentMs: 0 } : { id, spentMs: (machineMs() - Atomics.load(cells, SINCE)) | 0 };
    },
  };
}

/** Ms on the clock that all threads share; wraps at 2^32, which a difference undoes. */
function machineMs(): number {
  return Math.floor(performance.timeOrigin + performance.now()) | 0;
}
