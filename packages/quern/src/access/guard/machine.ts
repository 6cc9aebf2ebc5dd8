import { readFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { parseHosts } from './local-names.ts';

/** The machine as the guard must know it: the addresses of its interfaces and the names in its hosts file. */
export function readMachine(): { readonly interfaces: readonly string[]; readonly hostsNames: ReadonlySet<string> } {
  const interfaces = Object.values(networkInterfaces()).flatMap((list) => (list ?? []).map((one) => one.address));
  return { interfaces, hostsNames: parseHosts(readHostsFile()) };
}

/** A machine without the file has no such names. */
function readHostsFile(): string {
  try {
    return readFileSync('/etc/hosts', 'utf8');
  } catch {
    return '';
  }
}
