import { readFileSync, readdirSync } from 'node:fs';

const KIB = 1024;

/**
 * The bytes that a process keeps for itself: its anonymous and shared memory, without the program's file that all of them
 * map (proc(5): `status`).
 */
export function measureMemory(pid: number): number {
  return ownBytes(read(`/proc/${pid}/status`));
}

/** The processor time of a process so far, ms (proc(5): `stat`, whose ticks are hundredths of a second). */
export function measureProcessorMs(pid: number): number {
  const stat = read(`/proc/${pid}/stat`);
  const [user = 0, system = 0] = afterName(stat).slice(11, 13).map(Number);
  return (user + system) * 10;
}

/** The command line of a process, empty where it has ended. */
export function readCommandLine(pid: number): string {
  return read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ');
}

/** Whether a process of a browser is one that shows pages. */
export function isRendererProcess(pid: number): boolean {
  return readCommandLine(pid).includes('--type=renderer');
}

/** The processes of a group, or null where the system does not tell. */
export function processesOf(group: number): readonly number[] | null {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name) && groupOf(read(`/proc/${name}/stat`)) === group)
      .map(Number);
  } catch {
    return null;
  }
}

/** The fields after the name, which may hold anything and ends with the last `)`. */
function afterName(stat: string): readonly string[] {
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** The group of a process; the dead have none. */
function groupOf(stat: string): number | null {
  const [state, , group] = afterName(stat);
  return state === undefined || state === 'Z' || group === undefined ? null : Number(group);
}

function ownBytes(status: string): number {
  const [anonymous, shared] = [/^RssAnon:\s+(\d+)/m, /^RssShmem:\s+(\d+)/m].map((line) => line.exec(status)?.[1]);
  return (Number(anonymous ?? 0) + Number(shared ?? 0)) * KIB;
}

/** A process may end while it is looked at. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
