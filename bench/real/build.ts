import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { printProgress } from '#bench/command-line.ts';

/** How a generator builds a static site. */
export type SiteGenerator = {
  /** npm packages with versions. */
  readonly packages: readonly string[];
  /** Configuration and pages by path. */
  readonly files: Readonly<Record<string, string>>;
  /** A program of its packages with arguments. */
  readonly command: readonly [program: string, ...args: string[]];
  /** Output folder. */
  readonly output: string;
};

const INSTALL_TIMEOUT_MS = 600_000;
const BUILD_TIMEOUT_MS = 1_200_000;

/** Builds a site, unless it is cached; returns its static folder, or null if installation or build fails. */
export function buildSite(
  name: string,
  { packages, files, command, output }: SiteGenerator,
  cache: string,
): string | null {
  const folder = join(cache, name);
  const site = join(folder, output);
  mkdirSync(folder, { recursive: true });
  if (!hasStamp(folder, 'installed', packages.join())) {
    printProgress(`installing ${name}`);
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true }));
    const flags = ['--no-audit', '--no-fund', '--loglevel=error', '--save-exact'];
    if (!runCommand(['npm', 'install', ...flags, ...packages], folder, INSTALL_TIMEOUT_MS)) return null;
    writeStamp(folder, 'installed', packages.join());
  }
  const made = JSON.stringify([files, command]);
  if (hasStamp(folder, 'built', made) && existsSync(site)) return site;
  printProgress(`building ${name}`);
  for (const path of new Set([...Object.keys(files).map((file) => file.split('/', 1)[0] ?? ''), output])) {
    rmSync(join(folder, path), { recursive: true, force: true });
  }
  for (const [path, text] of Object.entries(files)) writeTextFile(join(folder, path), text);
  const [program, ...args] = command;
  if (!runCommand([join(folder, 'node_modules/.bin', program), ...args], folder, BUILD_TIMEOUT_MS)) return null;
  writeStamp(folder, 'built', made);
  return site;
}

/** Runs a command with low priority and its output on standard error; returns whether it succeeded. */
export function runCommand(command: readonly string[], cwd: string, timeout: number): boolean {
  const path = `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`;
  const env = { ...process.env, PATH: path, CI: 'true', NODE_OPTIONS: '', NODE_ENV: 'production' };
  const { status } = spawnSync('nice', ['-n', '5', ...command], { cwd, timeout, stdio: ['ignore', 2, 2], env });
  return status === 0;
}

export function hasStamp(folder: string, name: string, text: string): boolean {
  const file = join(folder, `.${name}`);
  return existsSync(file) && readFileSync(file, 'utf8') === text;
}

export function writeStamp(folder: string, name: string, text: string): void {
  writeFileSync(join(folder, `.${name}`), text);
}

export function writeTextFile(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
