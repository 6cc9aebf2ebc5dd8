/** A well-formed copy of a text: V8 makes a slice a view, which keeps the whole text in memory. */
export function copyText(text: string): string {
  return Buffer.from(text).toString();
}
