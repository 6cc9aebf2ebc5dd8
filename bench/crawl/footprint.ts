import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks a second in /proc; Linux has shown 100 to user space since 2.6. */
const TICKS_PER_SECOND = 100;
const SAMPLE_MS = 100;

/** What a process and everything that it started has used. */
export type Footprint = {
  /** User and system time, of children that have ended too. */
  readonly cpuSeconds: number;
  /** Resident memory now, and the sum of the most that each process has held; MiB. */
  readonly rssMb: number;
  readonly peakMb: number;
};

export type Watch = {
  /** Ends the watch; answers what was used since it began, and the resident memory along the way. */
  readonly end: () => Omit<Footprint, 'rssMb'> & { readonly rssMb: readonly number[] };
};

/** Looks at a process and its children until told to end; Linux only. */
export function watch(pid: number): Watch {
  const begun = footprintOf(pid);
  const rssMb = [begun.rssMb];
  let peakMb = begun.peakMb;
  const timer = setInterval(() => {
    const now = footprintOf(pid);
    rssMb.push(now.rssMb);
    peakMb = Math.max(peakMb, now.peakMb);
  }, SAMPLE_MS);
  // A crawl that fails leaves nobody to end it.
  timer.unref();
  return {
    end() {
      clearInterval(timer);
      const now = footprintOf(pid);
      return { cpuSeconds: now.cpuSeconds - begun.cpuSeconds, peakMb: Math.max(peakMb, now.peakMb), rssMb };
    },
  };
}

function footprintOf(pid: number): Footprint {
  const all = familyOf(pid).map(readOne);
  const sum = (figure: (one: Footprint) => number): number => all.reduce((total, one) => total + figure(one), 0);
  return {
    cpuSeconds: sum(({ cpuSeconds }) => cpuSeconds),
    rssMb: sum(({ rssMb }) => rssMb),
    peakMb: sum(({ peakMb }) => peakMb),
  };
}

function familyOf(pid: number): readonly number[] {
  const children = list(`/proc/${pid}/task`).flatMap((thread) =>
    read(`/proc/${pid}/task/${thread}/children`).split(' ').filter(Boolean).map(Number),
  );
  return [pid, ...children.flatMap(familyOf)];
}

function readOne(pid: number): Footprint {
  const status = read(`/proc/${pid}/status`);
  // The name in parentheses may hold spaces; the times, of itself and of its ended children, are fields 14 to 17.
  const fields = read(`/proc/${pid}/stat`).split(') ')[1]?.split(' ') ?? [];
  const ticks = fields.slice(11, 15).reduce((sum, text) => sum + Number(text), 0);
  const toMb = (form: RegExp): number => Number(form.exec(status)?.[1] ?? 0) / 1024;
  return { cpuSeconds: ticks / TICKS_PER_SECOND, rssMb: toMb(/VmRSS:\s+(\d+)/), peakMb: toMb(/VmHWM:\s+(\d+)/) };
}

/** A process may be gone between two looks. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function list(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
