import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { findBrowsers } from '#access/browser/binaries.ts';
import type { Binaries } from '#access/browser/binaries.ts';
import { loadConfig } from '#kernel/config.ts';

/** Whose builds are downloaded: one version, so that every machine gets the same browsers. */
const PLAYWRIGHT = 'playwright-core@1.65.1';
const PATIENCE_MS = 15 * 60_000;

const setting = loadConfig().config.QUERN_CHROMIUM;

function find(): Binaries | null {
  return findBrowsers(setting, { platform: process.platform, home: homedir() });
}

function isWhole(found: Binaries | null): boolean {
  return found !== null && (setting !== undefined || found.shell.path !== found.full.path);
}

/** Runs a program in sight of the user; answers whether it did what it was to do. */
function run(program: string, args: readonly string[]): boolean {
  say(`runs ${[program, ...args].join(' ')}`);
  const { status, error } = spawnSync(program, args, { stdio: ['ignore', 2, 2], timeout: PATIENCE_MS });
  if (status !== 0) say(`${program} failed: ${error?.message ?? `status ${status}`}`);
  return status === 0;
}

/** Into the user's cache, where they are found. */
function download(): boolean {
  return run('npx', ['--yes', PLAYWRIGHT, 'install', 'chromium', 'chromium-headless-shell']);
}

function installPackages(): boolean {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
    say('cannot install packages: that needs root and apt');
    return false;
  }
  return (
    run('apt-get', ['update', '-qq']) &&
    run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium', 'chromium-headless-shell'])
  );
}

function say(line: string): void {
  process.stderr.write(`browser: ${line}\n`);
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
  if (found.shell.path === found.full.path) say('one program does the work of both');
  return 0;
}

if (setting === 'off') say('QUERN_CHROMIUM is off: nothing to set up');
else {
  if (!isWhole(find())) say('looks for a light and a full Chromium, and finds not both');
  if (!isWhole(find()) && !download()) installPackages();
  process.exitCode = report(find());
}
