/** A part of a URL with its percent escapes undone; as it is where they are none, or no UTF-8. */
export function unescaped(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
