import { listProcesses } from '#access/browser/processes.ts';
import { childrenOf, readProcess } from './process-tree.ts';

/** The browsers that a service started: the ids of their groups. */
export function browsersUnder(service: number): readonly number[] {
  return childrenOf(service).filter((pid) => readProcess(pid, 'cmdline').includes('--remote-debugging-pipe'));
}

/** Ends the processes that show pages, as a page does that crashes its tab. */
export function killRenderers(group: number): void {
  for (const pid of listProcesses(group) ?? [])
    if (readProcess(pid, 'cmdline').includes('--type=renderer')) process.kill(pid, 'SIGKILL');
}
