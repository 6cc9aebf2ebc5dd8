import { uint8s } from '#extract/html/scratch.ts';
import { TAG } from '#extract/html/tag-names.ts';
import { parentOf, subtreeEndOf, tagOf, type Tree } from '#extract/html/tree.ts';
import type { Block } from '#extract/content/features/blocks.ts';
import type { ScoredPage } from './scored-page.ts';

/** Words of consent that a notice has at least, and that it has among a hundred words. */
const FEWEST_WORDS = 6;
const PER_HUNDRED = 1;

/** A child of the body, from its first node to the end, and the words of consent in it. */
type BodyPart = { readonly from: number; readonly to: number; words: number };

/**
 * Tells the blocks of a notice that asks for consent, whatever its elements are called: a child of the body that says
 * much of consent, has a button, and does not hold the headline. A page without a headline may be about consent.
 */
export function consentOf(judged: ScoredPage): (block: Block) => boolean {
  const head = judged.blocks[judged.headline]?.node;
  if (head === undefined) return () => false;
  const notices = partsOf(judged).filter(
    (part) => (head < part.from || head >= part.to) && isNotice(judged, part) && hasButton(judged.tree, part),
  );
  if (notices.length === 0) return () => false;
  const inside = uint8s(judged.tree.count);
  for (const { from, to } of notices) inside.fill(1, from, to);
  return ({ node }) => inside[node] === 1;
}

function isNotice({ containers }: ScoredPage, { from, words }: BodyPart): boolean {
  return words >= FEWEST_WORDS && words * 100 >= PER_HUNDRED * (containers.words[from] ?? 0);
}

/** The children of the body that speak of consent, in order. */
function partsOf({ tree, blocks }: ScoredPage): readonly BodyPart[] {
  const parts: BodyPart[] = [];
  for (const { node, text } of blocks) {
    if (text.consentWords === 0) continue;
    let part = parts.at(-1);
    if (part === undefined || node >= part.to) {
      const from = childOfBody(tree, node);
      part = { from, to: subtreeEndOf(tree, from), words: 0 };
      parts.push(part);
    }
    part.words += text.consentWords;
  }
  return parts;
}

/** The outermost element around a node below the body. */
function childOfBody(tree: Tree, node: number): number {
  let child = node;
  for (let around = node; around !== 0 && tagOf(tree, around) !== TAG.body; around = parentOf(tree, around))
    child = around;
  return child;
}

function hasButton(tree: Tree, { from, to }: BodyPart): boolean {
  for (let node = from; node < to; node++) if (tagOf(tree, node) === TAG.button) return true;
  return false;
}
