import ipaddr from 'ipaddr.js';

/** An IP address and its family. */
export type IpAddress = { readonly address: string; readonly family: 4 | 6 };

type Ip = ReturnType<typeof ipaddr.parse>;
export type AddressRange = readonly [Ip, number];

/**
 * Metadata addresses that return credentials of the machine or cloud, and IPv6 forms that contain an IPv4 address (mapped,
 * SIIT, NAT64, 6to4, Teredo, compatible). No setting can allow them.
 */
const BLOCKED_RANGES: readonly AddressRange[] = [
  '169.254.0.0/16',
  '168.63.129.16/32',
  '192.0.0.192/32',
  '100.100.100.200/32',
  'fd00:ec2::254/128',
  'fe80::/10',
  '::ffff:0:0/96',
  '::ffff:0:0:0/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '2002::/16',
  '2001::/32',
].map((text) => ipaddr.parseCIDR(text));

const GLOBAL_UNICAST: AddressRange = ipaddr.parseCIDR('2000::/3');
const IPV4_COMPATIBLE: AddressRange = ipaddr.parseCIDR('::/96');

/** Parses a CIDR such as `10.0.0.0/8` or a single address; null if the text is neither. */
export function parseRange(text: string): AddressRange | null {
  if (ipaddr.IPv4.isValidCIDRFourPartDecimal(text) || ipaddr.IPv6.isValidCIDR(text)) return ipaddr.parseCIDR(text);
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return [ipaddr.parse(text), 32];
  return ipaddr.IPv6.isValid(text) ? [ipaddr.parse(text), 128] : null;
}

/** Whether the whole range lies in the ranges that no setting can allow. */
export function isBlockedRange(range: AddressRange): boolean {
  return BLOCKED_RANGES.some((never) => range[1] >= never[1] && isWithinRange(never, range[0]));
}

/** Whether no setting can allow this address. */
export function isBlockedAddress(address: string): boolean {
  const ip = ipaddr.parse(address);
  return BLOCKED_RANGES.some((never) => isWithinRange(never, ip)) || (isIpv4Compatible(ip) && !isLoopback(ip));
}

/** Whether the address lies in the range. */
export function isInRange(range: AddressRange, address: string): boolean {
  return isWithinRange(range, ipaddr.parse(address));
}

/**
 * Whether an address is public: not in the IANA special-purpose registries, and for IPv6 within 2000::/3 without an ISATAP
 * interface id, which would contain an IPv4 address.
 */
export function isPublic(address: string): boolean {
  const ip = ipaddr.parse(address);
  if (ip.range() !== 'unicast' || BLOCKED_RANGES.some((never) => isWithinRange(never, ip))) return false;
  if (!(ip instanceof ipaddr.IPv6)) return true;
  return isWithinRange(GLOBAL_UNICAST, ip) && !isIsatap(ip.parts);
}

/** Whether the address is loopback or unspecified, so that it leads to this machine. */
export function isThisMachine(address: string): boolean {
  const ip = ipaddr.process(address);
  return isLoopback(ip) || ip.range() === 'unspecified';
}

/** Whether the address is unspecified: every interface for a listener, this machine for a client. */
export function isUnspecified(address: string): boolean {
  return ipaddr.process(address).range() === 'unspecified';
}

/** Whether two texts are the same address. */
export function isSameAddress(left: string, right: string): boolean {
  return ipaddr.process(left).toNormalizedString() === ipaddr.process(right).toNormalizedString();
}

function isWithinRange([base, bits]: AddressRange, ip: Ip): boolean {
  return base.kind() === ip.kind() && ip.match(base, bits);
}

function isLoopback(ip: Ip): boolean {
  return ip.range() === 'loopback';
}

function isIpv4Compatible(ip: Ip): boolean {
  return isWithinRange(IPV4_COMPATIBLE, ip) && ip.range() !== 'unspecified';
}

/** RFC 5214: an interface id of `0:5efe` or `200:5efe` and an IPv4 address. */
function isIsatap(parts: readonly number[]): boolean {
  return parts[5] === 0x5efe && (parts[4] === 0 || parts[4] === 0x200);
}
