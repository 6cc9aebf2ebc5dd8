import { readdirSync, readFileSync } from 'node:fs';
import { setPriority } from 'node:os';

const KIB = 1024;

/**
 * The memory of a process, bytes: anonymous and shared memory, without the program file that all processes map (proc(5):
 * `status`).
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

/** The command line of a process; empty if it has ended. */
export function readCommandLine(pid: number): string {
  return readFileIfExists(`/proc/${pid}/cmdline`).replaceAll('\0', ' ');
}

/** Whether a browser process is a renderer. */
export function isRendererProcess(pid: number): boolean {
  return readCommandLine(pid).includes('--type=renderer');
}

/** The processes of a group; null if the system has no `/proc`. */
export function listProcesses(group: number): readonly number[] | null {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name) && parseGroup(readFileIfExists(`/proc/${name}/stat`)) === group)
      .map(Number);
  } catch {
    return null;
  }
}

/** The fields after the process name, which may contain anything and ends at the last `)`. */
function splitStat(stat: string): readonly string[] {
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** The group of a process; null for a zombie. */
function parseGroup(stat: string): number | null {
  const [state, , group] = splitStat(stat);
  return state === undefined || state === 'Z' || group === undefined ? null : Number(group);
}

function parseOwnBytes(status: string): number {
  const [anonymous, shared] = [/^RssAnon:\s+(\d+)/m, /^RssShmem:\s+(\d+)/m].map((line) => line.exec(status)?.[1]);
  return (Number(anonymous ?? 0) + Number(shared ?? 0)) * KIB;
}

/** Reads a file; empty if it does not exist, because the process may have ended. */
function readFileIfExists(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** Niceness of busy pages, as in nice(1): others get about four times as much CPU time. */
export const BUSY_NICENESS = 12;
/** CPU time below which a page never counts as busy; most pages need less. */
const MIN_BUSY_CPU_MS = 700;
/** Minimum CPU share of a busy process between two samples. */
const BUSY_SHARE = 0.2;

type ProcessSample = { readonly isRenderer: boolean; readonly usedMs: number };

/**
 * Lowers the priority of pages that compute for long, so that other pages do not wait for the CPU. It works by process: a
 * page has its own process or shares it with pages of the same visit. Linux only.
 */
export class BusyPages {
  #looked: ReadonlyMap<number, ProcessSample> = new Map();
  #lookedAt = Number.NEGATIVE_INFINITY;

  /** Samples the processes of all browsers; `now` is monotonic, ms. */
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
    // It has ended, or the system does not allow it.
  }
}
