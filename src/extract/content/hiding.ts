import { ATTRIBUTE, TAG } from '#extract/html/tag-names.ts';
import { tagOf } from '#extract/html/tree.ts';
import type { Tree } from '#extract/html/tree.ts';

/** The page hides it, hides it from screen readers, or shows it only without scripts. */
export const HIDDEN = 1;
export const ARIA_HIDDEN = 2;
export const WITHOUT_SCRIPT = 3;

const INVISIBLE_STYLE = /(?:display\s{0,9}:\s{0,9}none|visibility\s{0,9}:\s{0,9}hidden)/i;
const LONGEST_STYLE = 300;

/** How an element hides what is in it, 0 when it does not. */
export function hidingOf(tree: Tree, node: number): number {
  if (tagOf(tree, node) === TAG.noscript) return WITHOUT_SCRIPT;
  const first = tree.attributeStart[node] ?? 0;
  const end = first + Math.min(tree.attributeCount[node] ?? 0, 50);
  for (let at = first; at < end; at++) {
    const id = tree.attributeId[at];
    if (id !== ATTRIBUTE.hidden && id !== ATTRIBUTE.ariaHidden && id !== ATTRIBUTE.style) continue;
    const start = tree.valueStart[at] ?? 0;
    const value = tree.source.slice(start, Math.min(tree.valueEnd[at] ?? 0, start + LONGEST_STYLE));
    if (id === ATTRIBUTE.hidden && value !== 'until-found') return HIDDEN;
    if (id === ATTRIBUTE.ariaHidden && value === 'true') return ARIA_HIDDEN;
    if (id === ATTRIBUTE.style && INVISIBLE_STYLE.test(value)) return HIDDEN;
  }
  return 0;
}
