import type { Family } from './block-order.ts';
import type { Block } from './blocks.ts';

/** How far a block goes along with its family. */
const SHARE = 0.6;
/** Blocks from which on they are a family. */
const FEWEST = 3;

/**
 * The log-odds of blocks, each drawn towards the mean of the blocks of its shape: posts, cards and sections of one list
 * are content together or not at all, and where one alone is doubted, the others know better. Longer texts have more say.
 */
export function inUnison(
  blocks: readonly Block[],
  families: readonly Family[],
  logOdds: Float32Array<ArrayBuffer>,
): Float32Array<ArrayBuffer> {
  const sums = new Float64Array(blocks.length);
  const weights = new Float64Array(blocks.length);
  for (const { at, text } of blocks) {
    const first = families[at]?.first ?? at;
    const weight = Math.sqrt(text.words + 1);
    sums[first] = (sums[first] ?? 0) + weight * (logOdds[at] ?? 0);
    weights[first] = (weights[first] ?? 0) + weight;
  }
  return logOdds.map((own, at) => {
    const { members, first } = families[at] ?? { members: 1, first: at };
    return members < FEWEST ? own : own + SHARE * ((sums[first] ?? 0) / (weights[first] ?? 1) - own);
  });
}
