/** A host without a scheme, with or without a port and a path; a name of one label needs its port, unless it is `localhost`. */
const URL_WITHOUT_SCHEME =
  /^(?:(?<local>localhost|\d{1,3}(?:\.\d{1,3}){3}|\[[\da-f:.]+\])(?<at>:\d{1,5})?|(?:[\p{L}\p{N}_-]+\.)+[\p{L}\p{N}-]{2,}\.?(?<port>:\d{1,5})?|[a-z\d][a-z\d-]*(?<single>:\d{2,5}))(?=[/?#]|$)/iu;

/**
 * An address as a person types it, with a scheme: https, but http for `localhost`, an IP address and a host with another
 * port than 443, as browsers complete them. An address with a scheme, and any other text, stays as it is.
 */
export function completeAddress(text: string): string {
  const address = text.trim();
  if (address.startsWith('//')) return `https:${address}`;
  const groups = URL_WITHOUT_SCHEME.exec(address)?.groups;
  if (groups === undefined) return text;
  const port = groups['at'] ?? groups['port'] ?? groups['single'];
  const isPlain = port === undefined ? groups['local'] !== undefined : port !== ':443';
  return `${isPlain ? 'http' : 'https'}://${address}`;
}
