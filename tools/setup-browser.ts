import type { Binaries } from '#access/browser/binaries.ts';
import { binariesOf, getBrowsers } from '#access/browser/setup.ts';
import { marketOf } from '#compose/browser-setup.ts';
import { environmentForOthers, loadConfig } from '#kernel/config.ts';

const { config } = loadConfig();

function say(line: string): void {
  process.stderr.write(`browser: ${line}\n`);
}

async function setUp(): Promise<Binaries | null> {
  const { signal } = new AbortController();
  // Whoever names a program wants that one alone.
  const wanted = config.QUERN_CHROMIUM === undefined ? 'both' : 'any';
  return getBrowsers({ ...marketOf(config), wanted, environment: environmentForOthers(), say }, signal);
}

function report(found: Binaries | null): number {
  if (found === null) {
    say(
      'there is none; install the packages chromium and chromium-headless-shell, or name a program in QUERN_CHROMIUM',
    );
    return 1;
  }
  say(`light: ${found.shell.path}`);
  say(`full: ${found.full.path}`);
  if (binariesOf(found).length === 1) say('one program does the work of both');
  return 0;
}

if (config.QUERN_CHROMIUM === 'off') say('QUERN_CHROMIUM is off: nothing to set up');
else process.exitCode = report(await setUp());
