import { readFileSync, readdirSync } from 'node:fs';
import { processesOf } from '#access/browser/memory.ts';

/** The browsers that a service started: the ids of their groups. */
export function browsersUnder(service: number): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => parentOf(pid) === service && read(`/proc/${pid}/cmdline`).includes('--remote-debugging-pipe'));
}

/** Ends the processes that show pages, as a page does that crashes its tab. */
export function killRenderers(group: number): void {
  for (const pid of processesOf(group) ?? [])
    if (read(`/proc/${pid}/cmdline`).includes('--type=renderer')) process.kill(pid, 'SIGKILL');
}

/** The second field after the name, which may hold anything and ends with the last `)`. */
function parentOf(pid: number): number {
  const stat = read(`/proc/${pid}/stat`);
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
