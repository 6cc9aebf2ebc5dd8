import {
  copyFileSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { z } from 'zod';
import { ROOT } from '../house/house.ts';
import { listCopies, type Instruction } from './dockerfile.ts';

const Lock = z.object({
  packages: z.record(
    z.string(),
    z.object({ dev: z.boolean().default(false), link: z.boolean().default(false), resolved: z.string().default('') }),
  ),
});

/**
 * Fills a folder like the file system of the last stage: the copies from the checkout and, instead of the packages of
 * the install stage, our installed production packages.
 */
export function buildImageFolder(stage: readonly Instruction[], to: string): void {
  for (const { stage: from, sources, folder } of listCopies(stage)) {
    const target = join(to, folder);
    mkdirSync(target, { recursive: true });
    if (from !== null) {
      for (const { name, workspace } of productionPackages()) {
        const place = join(target, '..', name);
        if (workspace === null) linkTree(join(ROOT, name), place);
        else rewriteLink(join(target, '..', workspace), place);
      }
      continue;
    }
    for (const source of sources) {
      const isFolder = statSync(join(ROOT, source)).isDirectory();
      cpSync(join(ROOT, source), isFolder ? target : join(target, basename(source)), { recursive: true });
    }
  }
}

/**
 * The folders that `npm install --omit=dev` fills on this platform, including nested ones; for a package of the
 * workspace its own folder, which npm links to.
 */
function productionPackages(): readonly { readonly name: string; readonly workspace: string | null }[] {
  const { packages } = Lock.parse(JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')));
  return Object.entries(packages)
    .filter(([name, { dev }]) => name !== '' && !dev && name.lastIndexOf('node_modules/') === 0)
    .map(([name, { link: isLink, resolved }]) => ({ name, workspace: isLink ? resolved : null }))
    .filter(({ name }) => existsSync(join(ROOT, name)));
}

function rewriteLink(folder: string, place: string): void {
  mkdirSync(dirname(place), { recursive: true });
  symlinkSync(relative(dirname(place), folder), place);
}

/** Links, as a copy would be hundreds of megabytes; only of files, because modules resolve from real paths. */
function linkTree(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) linkTree(source, target);
    else linkPath(source, target);
  }
}

function linkPath(source: string, target: string): void {
  try {
    linkSync(source, target);
  } catch {
    // The temporary folder is on another volume.
    copyFileSync(source, target);
  }
}
