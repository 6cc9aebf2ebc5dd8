import { cpSync, existsSync, lstatSync, mkdirSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { progress } from '../../crawl/printing.ts';
import { hasStamp, run, stamp } from '../build.ts';

const DOWNLOAD_MS = 300_000;
/** A link may lead to a folder of links. */
const MAX_ROUNDS = 4;

/** Downloads Debian packages and unpacks them below a folder once; answers their root, null where they cannot be had. */
export function unpackPackages(packages: readonly string[], cache: string): string | null {
  const folder = join(cache, 'debian', packages[0] ?? '');
  const root = join(folder, 'root');
  if (hasStamp(folder, 'unpacked', packages.join())) return root;
  progress(`downloading ${packages.join(' ')}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  if (!run(['apt-get', 'download', ...packages], folder, DOWNLOAD_MS)) return null;
  const files = readdirSync(folder).filter((file) => file.endsWith('.deb'));
  if (!files.every((file) => run(['dpkg', '-x', file, 'root'], folder, DOWNLOAD_MS))) return null;
  stamp(folder, 'unpacked', packages.join());
  return root;
}

/** Copies a folder of unpacked packages, with what its links to other folders of the system mean. */
export function copyUnpacked(root: string, path: string, target: string): void {
  rmSync(target, { recursive: true, force: true });
  cpSync(join(root, path), target, { recursive: true, verbatimSymlinks: true });
  for (let round = 0; round < MAX_ROUNDS; round++) {
    for (const file of readdirSync(target, { recursive: true, encoding: 'utf8' })) {
      const at = join(target, file);
      if (!lstatSync(at).isSymbolicLink()) continue;
      const meant = readlinkSync(at);
      if (!meant.startsWith('/')) continue;
      rmSync(at);
      const own = join(root, meant);
      if (existsSync(own)) cpSync(own, at, { recursive: true, verbatimSymlinks: true });
    }
  }
}
