import { COMMENTS, CONSENT, FURNITURE, LANDMARK, RELATED } from '#extract/content/features/name-evidence.ts';
import type { Block } from '#extract/content/features/blocks.ts';
import type { PageParts } from '#extract/content/features/page-facts.ts';
import type { KindScores } from '#extract/content/model/model.ts';
import type { Decision } from './decide.ts';
import type { BlockVerdict } from './scored-page.ts';

/** With fewer expected words of main text, the share means nothing. */
const MIN_WORDS = 50;
/** Verdicts that are certain: such blocks are not main text, whatever their score. */
const EXCLUDED_VERDICTS: ReadonlySet<BlockVerdict> = new Set(['chrome', 'shell']);
/** Verdicts by score and position alone. */
const DOUBTFUL_VERDICTS: ReadonlySet<BlockVerdict> = new Set(['low_score', 'island']);
const OUTSIDE_TEXT = LANDMARK | FURNITURE | COMMENTS | CONSENT | RELATED;

/**
 * Scores of excluded blocks are raised to this power, so that the many low scores of navigation do not add up to a
 * text.
 */
const SHARPNESS = 1.5;
/**
 * From this probability of documentation on, scores are too low, because much of a reference looks like boilerplate.
 */
const MIN_REFERENCE_PROBABILITY = 0.15;
/**
 * The probability of main text in documentation: for kept blocks, and for excluded blocks that nothing marks as chrome.
 */
const KEPT_PROBABILITY = 0.9;
const EXCLUDED_PROBABILITY = 0.7;

type ShareFeatures = Pick<PageParts, 'blocks' | 'surroundings'>;
type ShareDecision = Pick<Decision, 'verdicts' | 'adjustedScores'> & { readonly kinds: KindScores };

/**
 * The estimated share of the main text that is kept, by the probability of each block. Null if few words are expected.
 */
export function computeKeptShare(
  { blocks, surroundings }: ShareFeatures,
  { verdicts, adjustedScores, kinds }: ShareDecision,
): number | null {
  const isReference = kinds.documentation > MIN_REFERENCE_PROBABILITY;
  let kept = 0;
  let lost = 0;
  for (const block of blocks) {
    const verdict = verdicts[block.at] ?? 'low_score';
    const score = adjustedScores[block.at] ?? 0;
    if (verdict === 'kept') kept += block.text.words * (isReference ? Math.max(score, KEPT_PROBABILITY) : score);
    else if (!EXCLUDED_VERDICTS.has(verdict)) {
      const likely = score ** SHARPNESS;
      const isText = isReference && DOUBTFUL_VERDICTS.has(verdict) && isPlainText(block, surroundings);
      lost += block.text.words * (isText ? Math.max(likely, EXCLUDED_PROBABILITY) : likely);
    }
  }
  return kept + lost < MIN_WORDS ? null : kept / (kept + lost);
}

/**
 * Whether only the score speaks against a block: it is visible and has no name, landmark, links or copyright notice
 * that would.
 */
function isPlainText({ node, text, linked }: Block, { allEvidence, hidden }: ShareFeatures['surroundings']): boolean {
  if (((allEvidence[node] ?? 0) & OUTSIDE_TEXT) !== 0 || hidden[node] !== 0 || text.rights) return false;
  return linked < 0.5 * text.characters;
}
