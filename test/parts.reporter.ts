import { relative, sep } from 'node:path';
import type { TestEvent } from 'node:test/reporters';

const SLOWEST = 5;

/** Closes a run with the time of each part (folder below test/) and its slowest files; the spec reporter shows the rest. */
// The runner takes a reporter from the default export.
// oxlint-disable-next-line import/no-default-export
export default async function* reportParts(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const files: { readonly file: string; readonly ms: number; readonly tests: number }[] = [];
  for await (const { type, data } of source) {
    if (type !== 'test:summary' || data.file === undefined) continue;
    files.push({
      file: relative(`${process.cwd()}${sep}test`, data.file),
      ms: data.duration_ms,
      tests: data.counts.tests,
    });
  }
  const parts = Map.groupBy(files, ({ file }) => file.split(sep)[0] ?? file);
  const lines = [...parts].map(([part, members]) => ({
    part,
    ms: members.reduce((sum, { ms }) => sum + ms, 0),
    tests: members.reduce((sum, { tests }) => sum + tests, 0),
  }));
  yield '\ntime of each part (files run side by side; these are their own times, added up)\n';
  for (const { part, ms, tests } of lines.toSorted((a, b) => b.ms - a.ms))
    yield `  ${part.padEnd(24)} ${toSeconds(ms)}  ${String(tests).padStart(5)} tests\n`;
  yield 'slowest files\n';
  for (const { file, ms } of files.toSorted((a, b) => b.ms - a.ms).slice(0, SLOWEST))
    yield `  ${file.padEnd(40)} ${toSeconds(ms)}\n`;
}

function toSeconds(ms: number): string {
  return `${(ms / 1000).toFixed(1).padStart(6)} s`;
}
