import { setPriority } from 'node:os';
import { measureProcessorMs, readCommandLine } from './processes.ts';

/** How far the process of a page gives way that computes without rest, as nice(1) counts it: others get four times as much. */
export const BUSY_NICENESS = 12;
/** The part of the time between two looks that a busy process computes; several share the processors. */
const BUSY_SHARE = 0.2;
/** Looks in a row that find a process busy before it gives way: most pages are done by then. */
const BUSY_LOOKS = 2;

type Looked = { readonly at: number; readonly usedMs: number; readonly busyLooks: number };

/**
 * Makes pages whose scripts never rest give way to the pages of others, who would wait for the processors otherwise. It is
 * told by process, since a page has one of its own or shares it with pages of the same visit. On Linux alone.
 */
export class BusyPages {
  #looked: ReadonlyMap<number, Looked> = new Map();

  /** Looks at the processes of all browsers; `now` is an instant of the monotonic clock, ms. */
  look(pids: readonly number[], now: number): void {
    const looked = new Map<number, Looked>();
    for (const pid of pids) {
      const before = this.#looked.get(pid);
      if (before === undefined && !readCommandLine(pid).includes('--type=renderer')) continue;
      const usedMs = measureProcessorMs(pid);
      const isBusy = before !== undefined && usedMs - before.usedMs >= BUSY_SHARE * (now - before.at);
      const busyLooks = isBusy ? before.busyLooks + 1 : 0;
      if (busyLooks === BUSY_LOOKS) giveWay(pid);
      looked.set(pid, { at: now, usedMs, busyLooks });
    }
    this.#looked = looked;
  }
}

function giveWay(pid: number): void {
  try {
    setPriority(pid, BUSY_NICENESS);
  } catch {
    // It has ended, or the system does not let us.
  }
}
