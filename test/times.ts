import { dirname } from 'node:path';
import type { TestEvent } from 'node:test/reporters';

const SLOWEST_COUNT = 10;

type TimedFile = { readonly file: string; readonly ms: number };

/** Collects the times of test files, each of which is a top-level suite. */
export function createTimes() {
  const files: TimedFile[] = [];
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
        ...sums.toSorted(compareTimes).map(formatLine),
        'slowest files',
        ...files.toSorted(compareTimes).slice(0, SLOWEST_COUNT).map(formatLine),
        '',
      ].join('\n');
    },
  };
}

function compareTimes(one: TimedFile, other: TimedFile): number {
  return other.ms - one.ms;
}

function formatLine({ file, ms }: TimedFile): string {
  return `  ${file.padEnd(48)} ${(ms / 1000).toFixed(1).padStart(6)} s`;
}
