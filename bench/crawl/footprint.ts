import { readdirSync, readFileSync } from 'node:fs';
import { type ProcessStatus, readProcessStatus } from '#bench/processes.ts';

const SAMPLE_INTERVAL_MS = 100;

/** Resource usage of a process and its descendants. */
export type TreeFootprint = {
  /** User and system time, including exited children. */
  readonly cpuSeconds: number;
  /** Current resident memory, and the sum of the peaks of all processes, in MiB. */
  readonly rssMb: number;
  readonly peakMb: number;
};

export type FootprintWatch = {
  /** Stops; returns the usage since the start, and the samples of resident memory. */
  readonly end: () => Omit<TreeFootprint, 'rssMb'> & { readonly rssMb: readonly number[] };
};

/** Samples a process and its descendants until `end` is called; Linux only. */
export function watchFootprint(pid: number): FootprintWatch {
  const begun = readTreeFootprint(pid);
  const rssMb = [begun.rssMb];
  let peakMb = begun.peakMb;
  const timer = setInterval(() => {
    const now = readTreeFootprint(pid);
    rssMb.push(now.rssMb);
    peakMb = Math.max(peakMb, now.peakMb);
  }, SAMPLE_INTERVAL_MS);
  // After a failed crawl nobody calls `end`.
  timer.unref();
  return {
    end() {
      clearInterval(timer);
      const now = readTreeFootprint(pid);
      return { cpuSeconds: now.cpuSeconds - begun.cpuSeconds, peakMb: Math.max(peakMb, now.peakMb), rssMb };
    },
  };
}

/** Resource usage of a process and its descendants so far. */
export function readTreeFootprint(pid: number): TreeFootprint {
  const all = listProcessTree(pid).flatMap((one) => readOrDefault(() => [readProcessStatus(one)], []));
  const sum = (figure: (one: ProcessStatus) => number): number => all.reduce((total, one) => total + figure(one), 0);
  return {
    cpuSeconds: sum(({ ownSeconds, endedSeconds }) => ownSeconds + endedSeconds),
    rssMb: sum(({ rssMb }) => rssMb),
    peakMb: sum(({ peakMb }) => peakMb),
  };
}

/** The ids of a process and its descendants. */
export function listProcessTree(pid: number): readonly number[] {
  const threads = readOrDefault(() => readdirSync(`/proc/${pid}/task`), []);
  const children = threads.flatMap((thread) =>
    readOrDefault(() => readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8'), '')
      .split(' ')
      .filter(Boolean)
      .map(Number),
  );
  return [pid, ...children.flatMap(listProcessTree)];
}

/** Returns the default if the process has exited meanwhile. */
function readOrDefault<T>(look: () => T, nothing: T): T {
  try {
    return look();
  } catch {
    return nothing;
  }
}
