/** Decodes the percent escapes of a URL part; returns it unchanged if the escapes are not UTF-8. */
export function decodeUrlPart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
