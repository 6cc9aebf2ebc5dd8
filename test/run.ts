import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { finished } from 'node:stream/promises';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { pathToFileURL } from 'node:url';
import { planLane } from './lanes.ts';
import { globalSetup, globalTeardown } from './support/global-setup.ts';
import { childrenOf, killTrees } from './support/process-tree.ts';
import { openTimes } from './times.ts';

/** More than the two cores of a small machine: a test waits for half of its time. */
const AT_ONCE = 5;

/** Whatever its tests have left open, a process ends with them: a test that fails in the middle would hold up the run. */
const ENDS = ['--test-force-exit'];

/** The exit code of a run that was interrupted, as shells have it. */
const INTERRUPTED = 130;
const INTERRUPTIONS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Writes a module for each process of a plan: each test file is a suite in it. */
function writeEntries(plan: readonly (readonly string[])[], folder: string): string[] {
  return plan.map((files, at) => {
    const suites = files.map((file) => {
      const [name, url] = [nameOf(file), pathToFileURL(file).href].map((text) => JSON.stringify(text));
      return `suite(${name}, async () => void (await import(${url})));`;
    });
    const path = join(folder, `${at}.mjs`);
    writeFileSync(path, [`import { suite } from 'node:test';`, ...suites, ''].join('\n'));
    return path;
  });
}

/** Runs each list of test files in a process of its own, and answers whether every test passed. */
async function runPlan(plan: readonly (readonly string[])[], signal: AbortSignal): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'quern-run-'));
  const report = new spec();
  const times = openTimes();
  let passed = true;
  report.pipe(process.stdout, { end: false });
  try {
    for await (const event of run({
      files: writeEntries(plan, folder),
      concurrency: AT_ONCE,
      signal,
      execArgv: ENDS,
    })) {
      report.write(event);
      times.add(event);
      if (event.type === 'test:fail') passed = false;
    }
    report.end();
    await finished(report);
    process.stdout.write(times.describe());
    const missing = plan
      .flat()
      .map(nameOf)
      .filter((name) => !times.has(name));
    for (const name of signal.aborted ? [] : missing) process.stdout.write(`${name} did not come to its end\n`);
    return passed && missing.length === 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function nameOf(file: string): string {
  return relative(process.cwd(), file);
}

/**
 * Fires at an interruption, when the test processes and all that they started are killed: services, databases and
 * browsers would outlive them. What the run itself started before is left for its teardown.
 */
function openInterruption(): AbortSignal {
  const stop = new AbortController();
  const own = new Set(childrenOf(process.pid));
  for (const name of INTERRUPTIONS) {
    // A PostgreSQL that is started here hooks itself in, and would end this process while it still cleans up.
    process.removeAllListeners(name);
    process.on(name, () => {
      killTrees(childrenOf(process.pid).filter((pid) => !own.has(pid)));
      stop.abort(new Error(`interrupted by ${name}`));
    });
  }
  return stop.signal;
}

const [lane, ...files] = process.argv.slice(2);
if (lane !== 'quick' && lane !== 'all') throw new Error(`no lane ${lane}: quick or all`);
if (lane === 'quick') process.env['QUERN_TEST_STORES'] = 'sqlite';
const plan = files.length === 0 ? planLane(lane) : files.map((file) => [resolve(file)]);
try {
  await globalSetup();
  const interruption = openInterruption();
  const passed = await runPlan(plan, interruption);
  process.exitCode = interruption.aborted ? INTERRUPTED : passed ? 0 : 1;
} finally {
  await globalTeardown();
}
