import { readdirSync, readFileSync } from 'node:fs';
import { type ProcessStatus, readProcessStatus } from '#bench/child.ts';

const SAMPLE_INTERVAL_MS = 100;

/** What a process and everything that it started has used. */
export type TreeFootprint = {
  /** User and system time, of children that have ended too. */
  readonly cpuSeconds: number;
  /** Resident memory now, and the sum of the most that each process has held; MiB. */
  readonly rssMb: number;
  readonly peakMb: number;
};

export type FootprintWatch = {
  /** Ends the watch; answers what was used since it began, and the resident memory along the way. */
  readonly end: () => Omit<TreeFootprint, 'rssMb'> & { readonly rssMb: readonly number[] };
};

/** Looks at a process and its children until told to end; Linux only. */
export function watchFootprint(pid: number): FootprintWatch {
  const begun = readTreeFootprint(pid);
  const rssMb = [begun.rssMb];
  let peakMb = begun.peakMb;
  const timer = setInterval(() => {
    const now = readTreeFootprint(pid);
    rssMb.push(now.rssMb);
    peakMb = Math.max(peakMb, now.peakMb);
  }, SAMPLE_INTERVAL_MS);
  // A crawl that fails leaves nobody to end it.
  timer.unref();
  return {
    end() {
      clearInterval(timer);
      const now = readTreeFootprint(pid);
      return { cpuSeconds: now.cpuSeconds - begun.cpuSeconds, peakMb: Math.max(peakMb, now.peakMb), rssMb };
    },
  };
}

/** What a process and all that it started have used until now. */
export function readTreeFootprint(pid: number): TreeFootprint {
  const all = listProcessTree(pid).flatMap((one) => readOrDefault(() => [readProcessStatus(one)], []));
  const sum = (figure: (one: ProcessStatus) => number): number => all.reduce((total, one) => total + figure(one), 0);
  return {
    cpuSeconds: sum(({ ownSeconds, endedSeconds }) => ownSeconds + endedSeconds),
    rssMb: sum(({ rssMb }) => rssMb),
    peakMb: sum(({ peakMb }) => peakMb),
  };
}

/** A process and all that it started, and what these started. */
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

/** A process may be gone between two looks. */
function readOrDefault<T>(look: () => T, nothing: T): T {
  try {
    return look();
  } catch {
    return nothing;
  }
}
