import { readFileSync, readdirSync } from 'node:fs';

/** The processes that a process started; none where the system does not tell (proc(5): `stat`). */
export function childrenOf(parent: number): readonly number[] {
  return listProcesses().filter((pid) => parentOf(pid) === parent);
}

/** Kills processes and all that they and theirs started. */
export function killTrees(roots: readonly number[]): void {
  const held = new Set<number>();
  let fresh = roots;
  // What is halted starts nothing more, and keeps its children findable until all are known.
  while (fresh.length > 0) {
    for (const pid of fresh) signal(pid, 'SIGSTOP');
    for (const pid of fresh) held.add(pid);
    fresh = listProcesses().filter((pid) => !held.has(pid) && held.has(parentOf(pid)));
  }
  for (const pid of held) signal(pid, 'SIGKILL');
}

/** Sends a signal, also to what may have ended. */
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

/** The second field after the name, which may hold anything and ends with the last `)`. */
function parentOf(pid: number): number {
  const stat = readProcess(pid, 'stat');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
}

/** A file that tells of a process, empty when it has ended. */
export function readProcess(pid: number, name: 'stat' | 'cmdline'): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
}
