/** A run of white space, or white space that is no space: single spaces, which most are, stay untouched. */
const UNEVEN = /\s\s+|[^\S ]/g;

/** Runs of white space as one space, ends trimmed. */
export function collapseSpace(text: string): string {
  return text.replaceAll(UNEVEN, ' ').trim();
}
