import { accessSync, constants, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { OperatorError } from '#kernel/errors.ts';

/** `shell` is the light headless shell; `full` is the normal browser, without a window. */
export type BrowserKind = 'shell' | 'full';

export type Binary = { readonly kind: BrowserKind; readonly path: string };

/** The browsers of this machine; if one kind is missing, both entries are the other one. */
export type Binaries = Readonly<Record<BrowserKind, Binary>>;

export type MachineInfo = {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  /** Folders with browsers that Quern downloaded. */
  readonly own?: readonly string[];
};

/** Possible paths of programs, in order of preference. */
type ProgramPaths = Readonly<Record<BrowserKind, readonly string[]>>;

/** The programs, not their wrapper scripts, which add flags. */
const INSTALLED_PROGRAMS: ProgramPaths = {
  shell: ['/usr/lib/chromium/chromium-headless-shell', '/usr/lib/chromium/headless_shell'],
  full: [
    '/usr/lib/chromium/chromium',
    '/usr/lib/chromium-browser/chromium-browser',
    '/opt/google/chrome/chrome',
    '/opt/chromium.org/chromium/chromium',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  ],
};

/** Path of the headless shell from the npm package, below a download folder. */
export const PACKAGED_SHELL = 'packaged/chromium';

/** Folder names in Playwright's cache (with revision), and the programs in them by platform. */
const PLAYWRIGHT_BUILDS: Readonly<
  Record<BrowserKind, { readonly folder: RegExp; readonly programs: readonly string[] }>
> = {
  shell: {
    folder: /^chromium_headless_shell-(\d+)$/,
    programs: [
      'chrome-headless-shell-linux64/chrome-headless-shell',
      'chrome-linux/headless_shell',
      'chrome-headless-shell-mac-arm64/chrome-headless-shell',
      'chrome-headless-shell-mac-x64/chrome-headless-shell',
      'chrome-mac/headless_shell',
    ],
  },
  full: {
    folder: /^chromium-(\d+)$/,
    programs: [
      'chrome-linux64/chrome',
      'chrome-linux/chrome',
      'chrome-mac-arm64/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing',
      'chrome-mac-x64/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing',
      'chrome-mac/Chromium.app/Contents/MacOS/Chromium',
    ],
  },
};

/**
 * Finds the browsers of this machine: the one of `setting` (QUERN_CHROMIUM), else installed ones, else those that Quern
 * downloaded, else those in Playwright's cache. Returns null if there is none or `setting` is `off`; throws `OperatorError`
 * if `setting` is not a program.
 */
export function findBrowsers(
  setting: string | undefined,
  machine: MachineInfo,
  installed: ProgramPaths = INSTALLED_PROGRAMS,
): Binaries | null {
  if (setting === 'off') return null;
  if (setting !== undefined) {
    if (!isProgram(setting)) throw new OperatorError(`QUERN_CHROMIUM ${setting}: is not an executable program`);
    return useForBoth({ kind: /headless[-_]shell/.test(setting) ? 'shell' : 'full', path: setting });
  }
  const shell = findBinary('shell', [...installed.shell, ...listDownloads('shell', machine)]);
  const full = findBinary('full', [...installed.full, ...listDownloads('full', machine)]);
  if (shell !== null && full !== null) return { shell, full };
  const only = shell ?? full;
  return only === null ? null : useForBoth(only);
}

function useForBoth(binary: Binary): Binaries {
  return { shell: binary, full: binary };
}

function findBinary(kind: BrowserKind, paths: readonly string[]): Binary | null {
  const path = paths.find(isProgram);
  return path === undefined ? null : { kind, path };
}

function listDownloads(kind: BrowserKind, { platform, home, own = [] }: MachineInfo): readonly string[] {
  const cache = join(home, platform === 'darwin' ? 'Library/Caches/ms-playwright' : '.cache/ms-playwright');
  const packaged = kind === 'shell' ? own.map((folder) => join(folder, PACKAGED_SHELL)) : [];
  return [...[...own, cache].flatMap((folder) => listBuilds(folder, kind)), ...packaged];
}

/** The programs among Playwright's builds in a folder, the newest first. */
function listBuilds(parent: string, kind: BrowserKind): readonly string[] {
  const { folder, programs } = PLAYWRIGHT_BUILDS[kind];
  const revision = (name: string): number => Number(folder.exec(name)?.[1] ?? -1);
  return listNames(parent)
    .filter((name) => revision(name) >= 0)
    .toSorted((a, b) => revision(b) - revision(a))
    .flatMap((name) => programs.map((program) => join(parent, name, program)));
}

function listNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
