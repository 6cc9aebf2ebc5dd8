import { parseArgs } from 'node:util';
import type { Binaries } from '#access/browser/binaries.ts';
import { listBinaries, findOrInstallBrowsers } from '#access/browser/install.ts';
import { findBrowserSources } from '#compose/browser-setup.ts';
import { buildChildEnvironment, loadConfig } from '#kernel/config.ts';

const { config } = loadConfig();
const { system } = parseArgs({ options: { system: { type: 'boolean', default: false } } }).values;

function printLine(line: string): void {
  process.stderr.write(`browser: ${line}\n`);
}

async function setUpBrowser(): Promise<Binaries | null> {
  const { signal } = new AbortController();
  // If the settings name a program, only that one is used.
  const wanted = config.QUERN_CHROMIUM === undefined ? 'both' : 'any';
  return findOrInstallBrowsers(
    { ...findBrowserSources(config, { system }), wanted, environment: buildChildEnvironment(), onLine: printLine },
    signal,
  );
}

function printReport(found: Binaries | null): number {
  if (found === null) {
    printLine(
      'there is none; npm run setup:browser -- --system installs packages (as root, with apt), QUERN_CHROMIUM names a program',
    );
    return 1;
  }
  printLine(`light: ${found.shell.path}`);
  printLine(`full: ${found.full.path}`);
  if (listBinaries(found).length === 1) printLine('one program does the work of both');
  return 0;
}

if (config.QUERN_CHROMIUM === 'off') printLine('QUERN_CHROMIUM is off: nothing to set up');
else process.exitCode = printReport(await setUpBrowser());
