import { readFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { parseHosts } from './local-names.ts';

/** Reads the addresses of the network interfaces and the names in the hosts file, for the guard. */
export function readMachine(): { readonly interfaces: readonly string[]; readonly hostsNames: ReadonlySet<string> } {
  const interfaces = Object.values(networkInterfaces()).flatMap((list) => (list ?? []).map((one) => one.address));
  return { interfaces, hostsNames: parseHosts(readHostsFile()) };
}

/** Reads the hosts file; empty if there is none. */
function readHostsFile(): string {
  try {
    return readFileSync('/etc/hosts', 'utf8');
  } catch {
    return '';
  }
}
