import { isIP } from 'node:net';
import { OperatorError } from '#kernel/errors.ts';
import { isInRange, isBlockedRange, parseRange, type AddressRange } from './addresses.ts';
import { removeRootDot } from './local-names.ts';

type NameEntry = { readonly name: string; readonly port: number | null };
type RangeEntry = { readonly range: AddressRange; readonly port: number | null };

/** The targets that the operator allowed in addition to the public internet; `port` null means every port. */
export type AllowedTargets = { readonly names: readonly NameEntry[]; readonly ranges: readonly RangeEntry[] };

/**
 * Parses QUERN_ALLOW_TARGETS: a comma-separated list of `host`, `host:port`, address, `[v6]:port`, CIDR or `CIDR:port`. Throws
 * `OperatorError` with the entry if it is invalid or can never be allowed.
 */
export function parseAllowTargets(text: string): AllowedTargets {
  const entries = text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .map(parseEntry);
  return {
    names: entries.filter((entry) => 'name' in entry),
    ranges: entries.filter((entry) => 'range' in entry),
  };
}

/** Whether a name is allowed on this port. */
export function isNameAllowed(allowed: AllowedTargets, name: string, port: number): boolean {
  return allowed.names.some((entry) => entry.name === name && (entry.port === null || entry.port === port));
}

/** Whether an address lies in an allowed range, on this port. */
export function isAddressAllowed(allowed: AllowedTargets, address: string, port: number): boolean {
  return allowed.ranges.some(
    (entry) => (entry.port === null || entry.port === port) && isInRange(entry.range, address),
  );
}

function parseEntry(entry: string): NameEntry | RangeEntry {
  const { host, port } = splitEntry(entry);
  const range = parseRange(host);
  if (range !== null && isBlockedRange(range))
    throw new OperatorError(`QUERN_ALLOW_TARGETS: ${entry} can never be allowed`);
  if (range !== null) return { range, port };
  return { name: parseName(host, entry), port };
}

/** Splits an entry into host or range, and port; a bare IPv6 address has colons but no port. */
function splitEntry(entry: string): { readonly host: string; readonly port: number | null } {
  if (isIP(entry) !== 0) return { host: entry, port: null };
  const bracketed = /^\[([^\]]*)\](?::(\d{1,5}))?$/.exec(entry);
  const parts = bracketed ?? /^(.*?\/\d{1,3}|[^:/]*)(?::(\d{1,5}))?$/.exec(entry);
  const host = parts?.[1] ?? '';
  const port = parts?.[2] === undefined ? null : Number(parts[2]);
  if (host === '' || port === 0 || (port !== null && port > 65_535)) throw buildMalformedEntry(entry);
  return { host, port };
}

/** The name as the URL parser writes it, so that the comparison is exact. */
function parseName(host: string, entry: string): string {
  const url = URL.parse(`http://${host}/`);
  if (url === null || /[\s/@?#\\]/.test(host) || isIP(url.hostname) !== 0) throw buildMalformedEntry(entry);
  return removeRootDot(url.hostname);
}

function buildMalformedEntry(entry: string): OperatorError {
  return new OperatorError(`QUERN_ALLOW_TARGETS: ${entry} is not a host, host:port, address, CIDR or CIDR:port`);
}
