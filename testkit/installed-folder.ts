import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const INSTALL_TIMEOUT_MS = 300_000;

/** Installs the packages in the lock file of a folder if needed; returns whether they are installed. */
export function installFolder(folder: string, flags: readonly string[] = []): boolean {
  const hash = createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex');
  const stamp = join(folder, 'node_modules/.installed-lock');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return true;
  process.stderr.write(`installing other programs into ${folder} …\n`);
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error', ...flags], {
    cwd: folder,
    stdio: ['ignore', 2, 2],
    timeout: INSTALL_TIMEOUT_MS,
  });
  if (status !== 0) return false;
  writeFileSync(stamp, hash);
  return true;
}
