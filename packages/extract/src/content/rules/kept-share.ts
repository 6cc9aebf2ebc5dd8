import { COMMENTS, CONSENT, FURNITURE, LANDMARK, RELATED } from '#extract/content/features/name-evidence.ts';
import type { Block } from '#extract/content/features/blocks.ts';
import type { PageParts } from '#extract/content/features/page-facts.ts';
import type { KindScores } from '#extract/content/model/model.ts';
import type { Decision } from './decide.ts';
import type { BlockVerdict } from './scored-page.ts';

/** A page that promises fewer words of main text says too little for its share to mean anything. */
const MIN_WORDS = 50;
/** Verdicts that are certain: such blocks are no main text, whatever they score. */
const EXCLUDED_VERDICTS: ReadonlySet<BlockVerdict> = new Set(['chrome', 'shell']);
/** Verdicts by score and place alone. */
const DOUBTFUL_VERDICTS: ReadonlySet<BlockVerdict> = new Set(['low_score', 'island']);
const OUTSIDE_TEXT = LANDMARK | FURNITURE | COMMENTS | CONSENT | RELATED;

/** Scores of left-out blocks are raised to this power: the many low scores of navigation must not add up to a text. */
const SHARPNESS = 1.5;
/** The probability of documentation from which on scores are too low: much of a reference looks like boilerplate. */
const MIN_REFERENCE_PROBABILITY = 0.15;
/** How likely text is main text there that is kept, and that is left out although nothing says that it is chrome. */
const KEPT_PROBABILITY = 0.9;
const EXCLUDED_PROBABILITY = 0.7;

type ShareFeatures = Pick<PageParts, 'blocks' | 'surroundings'>;
type ShareDecision = Pick<Decision, 'verdicts' | 'weighed'> & { readonly kinds: KindScores };

/**
 * The share of the main text that is kept, by how likely each block is part of it; null for a page that promises few
 * words.
 */
export function computeKeptShare(
  { blocks, surroundings }: ShareFeatures,
  { verdicts, weighed, kinds }: ShareDecision,
): number | null {
  const isReference = kinds.documentation > MIN_REFERENCE_PROBABILITY;
  let kept = 0;
  let lost = 0;
  for (const block of blocks) {
    const verdict = verdicts[block.at] ?? 'low_score';
    const score = weighed[block.at] ?? 0;
    if (verdict === 'kept') kept += block.text.words * (isReference ? Math.max(score, KEPT_PROBABILITY) : score);
    else if (!EXCLUDED_VERDICTS.has(verdict)) {
      const likely = score ** SHARPNESS;
      const isText = isReference && DOUBTFUL_VERDICTS.has(verdict) && isPlainText(block, surroundings);
      lost += block.text.words * (isText ? Math.max(likely, EXCLUDED_PROBABILITY) : likely);
    }
  }
  return kept + lost < MIN_WORDS ? null : kept / (kept + lost);
}

/** Whether nothing but a score speaks against a block: no name, landmark, link or copyright, and it can be seen. */
function isPlainText({ node, text, linked }: Block, { allEvidence, hidden }: ShareFeatures['surroundings']): boolean {
  if (((allEvidence[node] ?? 0) & OUTSIDE_TEXT) !== 0 || hidden[node] !== 0 || text.rights) return false;
  return linked < 0.5 * text.characters;
}
