import { readFileSync } from 'node:fs';

/** Clock ticks a second in /proc; Linux has shown 100 to user space since 2.6. */
const TICKS_PER_SECOND = 100;

/** What Linux tells of one process (proc(5): `stat`, `status`). */
export type ProcessStatus = {
  /** User and system time of itself, and of its children that have ended. */
  readonly ownSeconds: number;
  readonly endedSeconds: number;
  /** Resident memory now, and the most that it has held; MiB. */
  readonly rssMb: number;
  readonly peakMb: number;
};

/** Throws for a process that is gone. */
export function readProcess(pid: number): ProcessStatus {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  // The name in parentheses may hold spaces; the times, of itself and of its ended children, are fields 14 to 17.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  const seconds = (from: number): number => (Number(fields[from]) + Number(fields[from + 1])) / TICKS_PER_SECOND;
  const toMb = (form: RegExp): number => Number(form.exec(status)?.[1] ?? 0) / 1024;
  return {
    ownSeconds: seconds(11),
    endedSeconds: seconds(13),
    rssMb: toMb(/VmRSS:\s+(\d+)/),
    peakMb: toMb(/VmHWM:\s+(\d+)/),
  };
}
