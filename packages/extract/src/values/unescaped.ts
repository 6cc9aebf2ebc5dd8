/** A part of a URL with its percent escapes decoded; unchanged if it has none, or if they are not UTF-8. */
export function unescaped(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
