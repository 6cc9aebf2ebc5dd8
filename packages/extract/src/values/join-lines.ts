import { cutBesideSpace, inPortions } from './portions.ts';

/** Begins where a run of white space does: tried at each of its characters, a run would be looked at as often as it is long. */
const LINE_BREAK = /(?<!\s)\s*\n\s*/g;

/** Lines put together, the white space around their ends replaced by `joint`. */
export function joinLines(text: string, joint: ' ' | '\n'): string {
  if (!text.includes('\n')) return text;
  return inPortions(text, cutBesideSpace, (part) => part.replace(LINE_BREAK, joint));
}
