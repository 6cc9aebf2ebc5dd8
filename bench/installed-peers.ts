import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const INSTALL_TIMEOUT_MS = 300_000;

/** Folder of the programs that use other libraries. */
export const PEERS_FOLDER = join(import.meta.dirname, 'peers');

/** Installs the dependencies of bench/peers if needed; returns whether they are installed. */
export function installPeers(): boolean {
  const hash = createHash('sha256')
    .update(readFileSync(join(PEERS_FOLDER, 'package-lock.json')))
    .digest('hex');
  const stamp = join(PEERS_FOLDER, 'node_modules/.bench-lock');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return true;
  process.stderr.write('installing other programs into bench/peers …\n');
  const flags = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status } = spawnSync('npm', flags, {
    cwd: PEERS_FOLDER,
    stdio: ['ignore', 2, 2],
    timeout: INSTALL_TIMEOUT_MS,
  });
  if (status !== 0) return false;
  writeFileSync(stamp, hash);
  return true;
}
