import { readFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';

/** Zones that no public resolver serves: RFC 6762, 8375, 7686, 6761 and ICANN's private-use zone. */
const LOCAL_ZONES = ['localhost', 'local', 'internal', 'home.arpa', 'onion'];

/** Names of cloud metadata services outside of those zones. */
const METADATA_NAMES: ReadonlySet<string> = new Set(['metadata.goog', 'metadata.azure.com', 'kubernetes.default.svc']);

/** Removes the trailing dot of a fully qualified name. */
export function removeRootDot(host: string): string {
  return host.endsWith('.') ? host.slice(0, -1) : host;
}

/** Whether a host is a domain or one of its subdomains. */
export function isWithinDomain(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`);
}

/** Checks a name against RFC 1035; returns the problem or null. */
export function checkName(name: string): string | null {
  if (name.length > 253) return 'is longer than 253 characters';
  const labels = name.split('.');
  if (labels.some((label) => label.length > 63)) return 'has a label longer than 63 characters';
  return labels.some((label) => label === '') ? 'has an empty label' : null;
}

/** Checks whether a name (lower case, no trailing dot) is a local one; returns the reason or null. */
export function checkLocalName(name: string, hostsNames: ReadonlySet<string>): string | null {
  if (!name.includes('.')) return 'is a local name';
  if (hostsNames.has(name)) return "is in this machine's hosts file";
  if (METADATA_NAMES.has(name)) return 'is a metadata service';
  return LOCAL_ZONES.some((zone) => isWithinDomain(name, zone)) ? 'is a local name' : null;
}

/** Parses the names of a hosts file, in lower case (hosts(5): an address, then names; `#` starts a comment). */
export function parseHosts(text: string): ReadonlySet<string> {
  const names = text.split('\n').flatMap((line) => (line.split('#', 1)[0] ?? '').trim().split(/\s+/).slice(1));
  return new Set(names.map((name) => removeRootDot(name.toLowerCase())));
}

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
