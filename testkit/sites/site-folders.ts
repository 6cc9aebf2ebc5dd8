import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The folder with one folder for each site. */
export const SITES_FOLDER = join(import.meta.dirname, '../../packages/sites/src');

/** The folders of all sites by the name of the site, which differs from the folder's: `shop-a` is in `amazon`. */
export function listSiteFolders(root: string = SITES_FOLDER): ReadonlyMap<string, string> {
  const folders = readdirSync(root, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return new Map(
    folders.flatMap(({ name: folder }) => {
      const site = readSiteName(join(root, folder, 'site.ts'));
      return site === null ? [] : [[site, join(root, folder)]];
    }),
  );
}

/** The name in a site's declaration; null if there is no such file. */
function readSiteName(file: string): string | null {
  if (!existsSync(file)) return null;
  return /defineSite\(\{\s*name: '([^']+)'/.exec(readFileSync(file, 'utf8'))?.[1] ?? null;
}
