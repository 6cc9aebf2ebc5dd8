import { dirname } from 'node:path';
import type { TestEvent } from 'node:test/reporters';

const SLOWEST = 10;

type Timed = { readonly file: string; readonly ms: number };

/** The times of the test files of a run, each of which is a suite at the top. */
export function openTimes() {
  const files: Timed[] = [];
  return {
    add({ type, data }: TestEvent): void {
      if ((type === 'test:pass' || type === 'test:fail') && data.nesting === 0 && data.details.type === 'suite')
        files.push({ file: data.name, ms: data.details.duration_ms });
    },
    has: (name: string): boolean => files.some(({ file }) => file === name),
    /** The time of each folder of tests, and the slowest files. */
    describe(): string {
      const folders = Map.groupBy(files, ({ file }) => dirname(file));
      const sums = [...folders].map(([file, members]) => ({ file, ms: members.reduce((sum, { ms }) => sum + ms, 0) }));
      return [
        '\ntime of each folder (files run side by side; these are their own times, added up)',
        ...sums.toSorted(byTime).map(toLine),
        'slowest files',
        ...files.toSorted(byTime).slice(0, SLOWEST).map(toLine),
        '',
      ].join('\n');
    },
  };
}

function byTime(one: Timed, other: Timed): number {
  return other.ms - one.ms;
}

function toLine({ file, ms }: Timed): string {
  return `  ${file.padEnd(48)} ${(ms / 1000).toFixed(1).padStart(6)} s`;
}
