import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { finished } from 'node:stream/promises';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { pathToFileURL } from 'node:url';
import { LANES, planLane } from './lanes.ts';
import { globalSetup, globalTeardown } from '#support/global-setup.ts';
import { listChildProcesses, killTrees } from '#support/process-tree.ts';
import { createTimes } from './times.ts';

/** More processes than cores, because tests spend half of the time waiting. */
const CONCURRENCY = 4;

/** Limit of files per run that are retried once. */
const MAX_FLAKY = 3;

/** Time limit of one process in ms, because a failed test may leave handles open that keep it alive. */
const MAX_FILE_MS = 900_000;

/** The exit code of an interrupted run, as in shells. */
const INTERRUPTED = 130;
const INTERRUPTIONS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The compile cache is flushed after loading, for processes that start before this one has ended. */
const HEAD = [
  `import { flushCompileCache } from 'node:module';`,
  `import { before, suite } from 'node:test';`,
  'before(() => flushCompileCache());',
];

/** Writes a module for each process of a plan: each test file is a suite in it. */
function writeEntries(plan: readonly (readonly string[])[], folder: string): string[] {
  return plan.map((files, at) => {
    const suites = files.map((file) => {
      const [name, url] = [getFileName(file), pathToFileURL(file).href].map((text) => JSON.stringify(text));
      return `suite(${name}, async () => void (await import(${url})));`;
    });
    const path = join(folder, `${at}.mjs`);
    writeFileSync(path, [...HEAD, ...suites, ''].join('\n'));
    return path;
  });
}

/** Runs each list of test files in its own process; returns the files that failed or did not finish. */
async function runPlan(
  plan: readonly (readonly string[])[],
  { signal, concurrency }: { readonly signal: AbortSignal; readonly concurrency: number },
): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'quern-run-'));
  const report = new spec();
  const times = createTimes();
  const failed = new Set<string>();
  report.pipe(process.stdout, { end: false });
  try {
    for await (const event of run({ files: writeEntries(plan, folder), concurrency, signal, timeout: MAX_FILE_MS })) {
      report.write(event);
      times.add(event);
      if (event.type === 'test:fail' && event.data.nesting === 0) failed.add(event.data.name);
    }
    report.end();
    await finished(report);
    process.stdout.write(times.describe());
    const files = plan.flat();
    for (const file of files.filter((one) => !times.has(getFileName(one)))) {
      if (!signal.aborted) process.stdout.write(`${getFileName(file)} did not come to its end\n`);
      failed.add(getFileName(file));
    }
    return files.filter((file) => failed.has(getFileName(file)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Runs a plan, and a few failed files once more, one at a time: some tests race real browsers and services, and the
 * load of the machine decides such a race. A file that passes only then is reported as flaky and must be fixed.
 */
async function runsClean(plan: readonly (readonly string[])[], signal: AbortSignal): Promise<boolean> {
  const failed = await runPlan(plan, { signal, concurrency: CONCURRENCY });
  if (signal.aborted || failed.length === 0 || failed.length > MAX_FLAKY) return failed.length === 0;
  process.stdout.write(`\nonce more, alone: ${failed.map(getFileName).join(', ')}\n`);
  const again = await runPlan(
    failed.map((file) => [file]),
    { signal, concurrency: 1 },
  );
  const flaky = failed.filter((file) => !again.includes(file));
  if (flaky.length > 0) process.stdout.write(`\nFLAKY, must be fixed: ${flaky.map(getFileName).join(', ')}\n`);
  return again.length === 0;
}

function getFileName(file: string): string {
  return relative(process.cwd(), file);
}

/**
 * Aborts on an interruption, after killing the test processes and their descendants: services, databases and browsers
 * would outlive them. Processes that the run itself started are left for its teardown.
 */
function handleInterruptions(): AbortSignal {
  const stop = new AbortController();
  const own = new Set(listChildProcesses(process.pid));
  for (const name of INTERRUPTIONS) {
    // A PostgreSQL started here installs signal handlers that would end this process during its cleanup.
    process.removeAllListeners(name);
    process.on(name, () => {
      killTrees(listChildProcesses(process.pid).filter((pid) => !own.has(pid)));
      stop.abort(new Error(`interrupted by ${name}`));
    });
  }
  return stop.signal;
}

const [name = '', ...files] = process.argv.slice(2);
const lane = LANES.find((one) => one === name);
if (lane === undefined) throw new Error(`no lane ${name}: ${LANES.join(', ')}`);
if (lane !== 'all') process.env['QUERN_TEST_STORES'] = 'sqlite';
const plan = files.length === 0 ? planLane(lane) : files.map((file) => [resolve(file)]);
try {
  // Pure code needs neither a browser nor a database.
  if (lane !== 'unit') await globalSetup();
  const interruption = handleInterruptions();
  const passed = await runsClean(plan, interruption);
  process.exitCode = interruption.aborted ? INTERRUPTED : passed ? 0 : 1;
} finally {
  await globalTeardown();
}
