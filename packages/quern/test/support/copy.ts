import { cp, mkdir, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The folder of the workspace. */
export const ROOT = join(import.meta.dirname, '../../../..');

/** The workspace without its tests: the files of the program. */
const PROGRAM = [
  'package.json',
  'packages/console/package.json',
  'packages/console/src',
  'packages/extract/package.json',
  'packages/extract/src',
  'packages/sites/package.json',
  'packages/sites/src',
  'packages/quern/package.json',
  'packages/quern/bin',
  'packages/quern/src',
];

/** Copies the program and further files of the workspace into a folder; packages are shared. */
export async function copyProgram(folder: string, further: readonly string[] = []): Promise<void> {
  for (const path of [...PROGRAM, ...further]) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await cp(join(ROOT, path), join(folder, path), { recursive: true });
  }
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
}

/** The option that makes Node find the modules of a copy, not those of this workspace. */
export function toResolverOption(folder: string): string {
  return `--import=${pathToFileURL(join(folder, 'packages/quern/bin/resolve.mjs')).href}`;
}
