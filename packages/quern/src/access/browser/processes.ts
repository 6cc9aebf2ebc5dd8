import { readdirSync, readFileSync } from 'node:fs';
import { setPriority } from 'node:os';

const KIB = 1024;

/**
 * The bytes that a process keeps for itself: its anonymous and shared memory, without the program's file that all of them
 * map (proc(5): `status`).
 */
export function measureMemory(pid: number): number {
  return parseOwnBytes(readFileIfExists(`/proc/${pid}/status`));
}

/** The processor time of a process so far, ms (proc(5): `stat`, whose ticks are hundredths of a second). */
export function measureProcessorMs(pid: number): number {
  const stat = readFileIfExists(`/proc/${pid}/stat`);
  const [user = 0, system = 0] = splitStat(stat).slice(11, 13).map(Number);
  return (user + system) * 10;
}

/** The command line of a process, empty where it has ended. */
export function readCommandLine(pid: number): string {
  return readFileIfExists(`/proc/${pid}/cmdline`).replaceAll('\0', ' ');
}

/** Whether a process of a browser is one that shows pages. */
export function isRendererProcess(pid: number): boolean {
  return readCommandLine(pid).includes('--type=renderer');
}

/** The processes of a group, or null where the system does not tell. */
export function processesOf(group: number): readonly number[] | null {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name) && parseGroup(readFileIfExists(`/proc/${name}/stat`)) === group)
      .map(Number);
  } catch {
    return null;
  }
}

/** The fields after the name, which may hold anything and ends with the last `)`. */
function splitStat(stat: string): readonly string[] {
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** The group of a process; the dead have none. */
function parseGroup(stat: string): number | null {
  const [state, , group] = splitStat(stat);
  return state === undefined || state === 'Z' || group === undefined ? null : Number(group);
}

function parseOwnBytes(status: string): number {
  const [anonymous, shared] = [/^RssAnon:\s+(\d+)/m, /^RssShmem:\s+(\d+)/m].map((line) => line.exec(status)?.[1]);
  return (Number(anonymous ?? 0) + Number(shared ?? 0)) * KIB;
}

/** A process may end while it is looked at. */
function readFileIfExists(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** How far the process of a busy page gives way, as nice(1) counts it: others get four times as much. */
export const BUSY_NICENESS = 12;
/** The processor time that a page may take like any other: most pages are done by then, ms. */
const MIN_BUSY_CPU_MS = 700;
/** The part of the time between two looks that a busy process computes; several share the processors. */
const BUSY_SHARE = 0.2;

type ProcessSample = { readonly isRenderer: boolean; readonly usedMs: number };

/**
 * Makes pages that compute for long, or whose scripts never rest, give way to the pages of others, who would wait for the
 * processors otherwise. It is told by process, since a page has one of its own or shares it with pages of the same visit.
 * On Linux alone.
 */
export class BusyPages {
  #looked: ReadonlyMap<number, ProcessSample> = new Map();
  #lookedAt = Number.NEGATIVE_INFINITY;

  /** Looks at the processes of all browsers; `now` is an instant of the monotonic clock, ms. */
  update(pids: readonly number[], now: number): void {
    const looked = pids.map((pid): readonly [number, ProcessSample] => {
      const before = this.#looked.get(pid);
      const isRenderer = before?.isRenderer ?? isRendererProcess(pid);
      const usedMs = isRenderer ? measureProcessorMs(pid) : 0;
      const isBusy = usedMs - (before?.usedMs ?? 0) >= BUSY_SHARE * (now - this.#lookedAt);
      if (usedMs >= MIN_BUSY_CPU_MS && isBusy) lowerPriority(pid);
      return [pid, { isRenderer, usedMs }];
    });
    this.#looked = new Map(looked);
    this.#lookedAt = now;
  }
}

function lowerPriority(pid: number): void {
  try {
    setPriority(pid, BUSY_NICENESS);
  } catch {
    // It has ended, or the system does not let us.
  }
}
