/** A run of white space, or white space that is no space: single spaces, which most are, stay untouched. */
const UNEVEN = /\s\s+|[^\S ]/g;
/** Whether there is any: to ask is cheaper than to replace nothing. */
const ANY_UNEVEN = /\s\s|[^\S ]/;

/** Runs of white space as one space, ends trimmed. */
export function collapseSpace(text: string): string {
  const trimmed = text.trim();
  return ANY_UNEVEN.test(trimmed) ? trimmed.replaceAll(UNEVEN, ' ') : trimmed;
}
