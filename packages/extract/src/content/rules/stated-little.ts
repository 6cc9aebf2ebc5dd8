import { uint8s } from '#extract/html/scratch.ts';
import { isText, parentOf, subtreeEndOf } from '#extract/html/tree.ts';
import { FURNITURE, LANDMARK, MAIN } from '#extract/content/features/name-evidence.ts';
import type { PageParts } from '#extract/content/features/page-facts.ts';

/** Words outside of links that a page has at least to say something. */
const FEW_WORDS = 20;

/**
 * What a page has to say of which no block looks like content: the element that it states to be its main part, without
 * navigation in it, however little that is; null where it states none, or has all of its text there.
 */
export function statedLittle({
  tree,
  blocks,
  surroundings,
  containers,
}: Pick<PageParts, 'tree' | 'blocks' | 'surroundings' | 'containers'>): {
  readonly kept: Uint8Array;
  readonly isLittle: boolean;
} | null {
  let main = 0;
  for (let node = 1; node < tree.count; node++) {
    if (isText(tree, node) || ((surroundings.evidence[node] ?? 0) & MAIN) === 0) continue;
    if ((containers.words[node] ?? 0) > (containers.words[main] ?? 0) || main === 0) main = node;
  }
  const words = containers.words[main] ?? 0;
  if (main === 0 || words === 0 || words === containers.words[0]) return null;
  const kept = uint8s(tree.count);
  const around = surroundings.allEvidence[main] ?? 0;
  const end = subtreeEndOf(tree, main);
  let told = 0;
  for (const { node, from, to, text, linked } of blocks) {
    if (from < main || from >= end || surroundings.hidden[node] !== 0) continue;
    if (((surroundings.allEvidence[node] ?? 0) & ~around & (LANDMARK | FURNITURE)) !== 0) continue;
    told += text.characters === 0 ? 0 : text.words * (1 - linked / text.characters);
    for (let inside = from; inside < to; inside++) {
      for (let at = inside; at !== 0 && kept[at] !== 1; at = parentOf(tree, at)) kept[at] = 1;
    }
  }
  kept[0] = 1;
  return { kept, isLittle: told < FEW_WORDS };
}
