/** A run of white space, or white space that is no space: single spaces, which most are, stay untouched. */
const UNEVEN_SPACE = /\s\s+|[^\S ]/g;
/** Whether there is any: to ask is cheaper than to replace nothing. */
const HAS_UNEVEN_SPACE = /\s\s|[^\S ]/;

/** Runs of white space as one space, ends trimmed. */
export function collapseSpace(text: string): string {
  const trimmed = text.trim();
  return HAS_UNEVEN_SPACE.test(trimmed) ? trimmed.replaceAll(UNEVEN_SPACE, ' ') : trimmed;
}
