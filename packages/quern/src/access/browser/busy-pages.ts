import { setPriority } from 'node:os';
import { isRendererProcess, measureProcessorMs } from './processes.ts';

/** How far the process of a busy page gives way, as nice(1) counts it: others get four times as much. */
export const BUSY_NICENESS = 12;
/** The processor time that a page may take like any other: most pages are done by then, ms. */
const MAX_COMPUTED_MS = 700;
/** The part of the time between two looks that a busy process computes; several share the processors. */
const BUSY_SHARE = 0.2;

type Looked = { readonly isRenderer: boolean; readonly usedMs: number };

/**
 * Makes pages that compute for long, or whose scripts never rest, give way to the pages of others, who would wait for the
 * processors otherwise. It is told by process, since a page has one of its own or shares it with pages of the same visit.
 * On Linux alone.
 */
export class BusyPages {
  #looked: ReadonlyMap<number, Looked> = new Map();
  #lookedAt = Number.NEGATIVE_INFINITY;

  /** Looks at the processes of all browsers; `now` is an instant of the monotonic clock, ms. */
  look(pids: readonly number[], now: number): void {
    const looked = pids.map((pid): readonly [number, Looked] => {
      const before = this.#looked.get(pid);
      const isRenderer = before?.isRenderer ?? isRendererProcess(pid);
      const usedMs = isRenderer ? measureProcessorMs(pid) : 0;
      const isBusy = usedMs - (before?.usedMs ?? 0) >= BUSY_SHARE * (now - this.#lookedAt);
      if (usedMs >= MAX_COMPUTED_MS && isBusy) giveWay(pid);
      return [pid, { isRenderer, usedMs }];
    });
    this.#looked = new Map(looked);
    this.#lookedAt = now;
  }
}

function giveWay(pid: number): void {
  try {
    setPriority(pid, BUSY_NICENESS);
  } catch {
    // It has ended, or the system does not let us.
  }
}
