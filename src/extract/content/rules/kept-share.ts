import { COMMENTS, CONSENT, FURNITURE, LANDMARK, RELATED } from '#extract/content/features/name-evidence.ts';
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

/**
 * The share of the visible words outside of chrome that is kept; null for a page with few of them. Chrome is what says so
 * by element, role or name, what rules know for it, and lines of links.
 */
export function keptShare(
  { blocks, surroundings }: Pick<PageParts, 'blocks' | 'surroundings'>,
  verdicts: readonly BlockVerdict[],
): number | null {
  let all = 0;
  let kept = 0;
  for (const { at, node, text, linked } of blocks) {
    const verdict = verdicts[at] ?? 'low_score';
    if (verdict === 'kept') kept += text.words;
    else if (APART.has(verdict) || surroundings.hidden[node] !== 0) continue;
    else if (((surroundings.allEvidence[node] ?? 0) & AROUND) !== 0 || linked >= 0.5 * text.characters) continue;
    all += text.words;
  }
  return all < LEAST_WORDS ? null : kept / all;
}
