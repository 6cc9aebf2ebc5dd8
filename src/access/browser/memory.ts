import { readFileSync, readdirSync } from 'node:fs';

const KIB = 1024;

/**
 * The bytes that the processes of a group keep for themselves: their anonymous and shared memory, without the program's
 * file that all of them map. Null where the system does not tell (proc(5): `stat`, `status`).
 */
export function memoryOf(group: number): number | null {
  const pids = processesOf(group);
  if (pids === null) return null;
  return pids.reduce((sum, pid) => sum + ownBytes(read(`/proc/${pid}/status`)), 0);
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

/** The third field after the name, which may hold anything and ends with the last `)`; the dead have no group. */
function groupOf(stat: string): number | null {
  const [state, , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
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
