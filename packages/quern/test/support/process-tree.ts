import { readFileSync, readdirSync } from 'node:fs';

/** The child processes of a process; empty if the system does not report them (proc(5): `stat`). */
export function listChildProcesses(parent: number): readonly number[] {
  return listProcesses().filter((pid) => readParent(pid) === parent);
}

/** Kills processes and all their descendants. */
export function killTrees(roots: readonly number[]): void {
  const held = new Set<number>();
  let fresh = roots;
  // A stopped process starts no further children, and its children stay listed until all are known.
  while (fresh.length > 0) {
    for (const pid of fresh) signal(pid, 'SIGSTOP');
    for (const pid of fresh) held.add(pid);
    fresh = listProcesses().filter((pid) => !held.has(pid) && held.has(readParent(pid)));
  }
  for (const pid of held) signal(pid, 'SIGKILL');
}

/** Sends a signal to a process that may have ended. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended.
  }
}

function listProcesses(): readonly number[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

/** The second field after the name; the name may contain any character and ends with the last `)`. */
function readParent(pid: number): number {
  const stat = readProcess(pid, 'stat');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
}

/** A file about a process, empty if it has ended. */
export function readProcess(pid: number, name: 'stat' | 'cmdline'): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
}
