import { COMMENTS, CONSENT, FURNITURE, LANDMARK, RELATED } from '#extract/content/features/name-evidence.ts';
import { parentOf, subtreeEndOf } from '#extract/html/tree.ts';
import type { PageParts } from '#extract/content/features/page-facts.ts';
import type { BlockVerdict } from './scored-page.ts';

/** A page with fewer words outside of chrome says too little for its share to tell anything. */
const LEAST_WORDS = 100;
/** Verdicts on what is no part of the text, whatever its elements are called. */
const APART: ReadonlySet<BlockVerdict> = new Set([
  'chrome',
  'comment',
  'consent',
  'hidden',
  'related',
  'repeated',
  'shell',
]);
const AROUND = LANDMARK | FURNITURE | COMMENTS | CONSENT | RELATED;

/** The share of kept words at either end that may stand apart from the others, as a headline does. */
const ENDS = 0.05;
/** Below this share of all visible text, what stands outside of the element of the text counts as well. */
const LITTLE = 0.6;

/**
 * The share of the main text that is kept; null for a page with few words. The main text is what stands in the innermost
 * element around the kept blocks, but for what says that it is chrome by element, role or name, what rules know for it,
 * and lines of links. Where less of the whole page is kept than {@link LITTLE}, its text elsewhere is main text too.
 */
export function keptShare(page: SharedParts, verdicts: readonly BlockVerdict[]): number | null {
  const all = shareWithin(page, verdicts, 0);
  if (all === null) return null;
  const inside = shareWithin(page, verdicts, textElement(page, verdicts)) ?? all;
  return all < LITTLE ? Math.min(all, inside) : inside;
}

type SharedParts = Pick<PageParts, 'tree' | 'blocks' | 'surroundings'>;

function shareWithin(
  { tree, blocks, surroundings }: SharedParts,
  verdicts: readonly BlockVerdict[],
  element: number,
): number | null {
  const end = element === 0 ? tree.count : subtreeEndOf(tree, element);
  let all = 0;
  let kept = 0;
  for (const { at, node, text, linked } of blocks) {
    if (node < element || node >= end) continue;
    const verdict = verdicts[at] ?? 'low_score';
    if (verdict === 'kept') kept += text.words;
    else if (APART.has(verdict) || surroundings.hidden[node] !== 0) continue;
    else if (((surroundings.allEvidence[node] ?? 0) & AROUND) !== 0 || linked >= 0.5 * text.characters) continue;
    all += text.words;
  }
  return all < LEAST_WORDS ? null : kept / all;
}

/** The innermost element around the kept blocks, apart from a few words at either end. */
function textElement({ tree, blocks }: SharedParts, verdicts: readonly BlockVerdict[]): number {
  let kept = 0;
  for (const { at, text } of blocks) if (verdicts[at] === 'kept') kept += text.words;
  let words = 0;
  let first = 0;
  let last = 0;
  for (const { at, node, text } of blocks) {
    if (verdicts[at] !== 'kept') continue;
    words += text.words;
    if (first === 0 && words > ENDS * kept) first = node;
    if (words - text.words < (1 - ENDS) * kept) last = node;
  }
  let element = first;
  while (element !== 0 && subtreeEndOf(tree, element) <= last) element = parentOf(tree, element);
  return element;
}
