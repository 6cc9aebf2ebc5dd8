/** A host without a scheme, with optional port and path; a single-label name other than `localhost` needs a port. */
const URL_WITHOUT_SCHEME =
  /^(?:(?<local>localhost|\d{1,3}(?:\.\d{1,3}){3}|\[[\da-f:.]+\])(?<at>:\d{1,5})?|(?:[\p{L}\p{N}_-]+\.)+[\p{L}\p{N}-]{2,}\.?(?<port>:\d{1,5})?|[a-z\d][a-z\d-]*(?<single>:\d{2,5}))(?=[/?#]|$)/iu;

/**
 * Adds a scheme to a URL that a person typed without one, as browsers do: https, but http for `localhost`, IP addresses and
 * ports other than 443. Text that has a scheme, or is not a host, is returned unchanged.
 */
export function completeUrl(text: string): string {
  const address = text.trim();
  if (address.startsWith('//')) return `https:${address}`;
  const groups = URL_WITHOUT_SCHEME.exec(address)?.groups;
  if (groups === undefined) return text;
  const port = groups['at'] ?? groups['port'] ?? groups['single'];
  const isPlain = port === undefined ? groups['local'] !== undefined : port !== ':443';
  return `${isPlain ? 'http' : 'https'}://${address}`;
}
