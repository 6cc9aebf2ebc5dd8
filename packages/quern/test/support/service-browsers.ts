import { listProcesses } from '#access/browser/processes.ts';
import { listChildProcesses, readProcess } from './process-tree.ts';

/** The process group ids of the browsers that a service started. */
export function browsersUnder(service: number): readonly number[] {
  return listChildProcesses(service).filter((pid) => readProcess(pid, 'cmdline').includes('--remote-debugging-pipe'));
}

/** Kills the renderer processes, like a page that crashes its tab. */
export function killRenderers(group: number): void {
  for (const pid of listProcesses(group) ?? [])
    if (readProcess(pid, 'cmdline').includes('--type=renderer')) process.kill(pid, 'SIGKILL');
}
