const LONGEST = 8192;
const SCHEMES: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:', 'tel:', 'ftp:']);

/** A reference as an absolute URL of a scheme that a link may have; null for anything else. */
export function toAbsoluteUrl(reference: string, baseUrl: string): string | null {
  const trimmed = reference.trim();
  if (trimmed === '' || trimmed.length > LONGEST) return null;
  const url = URL.parse(trimmed, baseUrl);
  return url !== null && SCHEMES.has(url.protocol) ? url.href : null;
}
