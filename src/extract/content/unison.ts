import { float64s, uint32s } from '#extract/html/scratch.ts';
import type { Family } from './block-order.ts';
import type { Block } from './blocks.ts';

/** How far a block goes along with its family. */
const SHARE = 0.6;
/** Blocks from which on they are a family. */
const FEWEST = 3;

/**
 * The log-odds of blocks, each drawn towards the mean of the blocks of its shape: posts, cards and sections of one list
 * are content together or not at all, and where one alone is doubted, the others know better. Longer texts have more say.
 * Links and texts of one shape, as the cells of a page that tables lay out, go each with their own.
 */
export function inUnison(
  blocks: readonly Block[],
  families: readonly Family[],
  logOdds: Float32Array<ArrayBuffer>,
): Float32Array<ArrayBuffer> {
  const groups = Uint32Array.from(blocks, ({ at, linked, text }) => {
    const leads = linked > 0.5 * text.characters;
    return 2 * (families[at]?.first ?? at) + Number(leads);
  });
  const sums = float64s(2 * blocks.length);
  const weights = float64s(2 * blocks.length);
  const members = uint32s(2 * blocks.length);
  for (const { at, text } of blocks) {
    const group = groups[at] ?? 0;
    const weight = Math.sqrt(text.words + 1);
    sums[group] = (sums[group] ?? 0) + weight * (logOdds[at] ?? 0);
    weights[group] = (weights[group] ?? 0) + weight;
    members[group] = (members[group] ?? 0) + 1;
  }
  return logOdds.map((own, at) => {
    const group = groups[at] ?? 0;
    const mean = (sums[group] ?? 0) / (weights[group] ?? 1);
    return (members[group] ?? 0) < FEWEST ? own : own + SHARE * (mean - own);
  });
}
