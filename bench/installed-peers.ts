import { join } from 'node:path';
import { installFolder } from '#testkit/installed-folder.ts';

/** Folder of the programs that use other libraries. */
export const PEERS_FOLDER = join(import.meta.dirname, 'peers');

/** Installs the dependencies of bench/peers if needed; returns whether they are installed. */
export function installPeers(): boolean {
  return installFolder(PEERS_FOLDER);
}
