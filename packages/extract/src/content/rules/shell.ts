import { isHeading } from '#extract/content/features/block-order.ts';
import type { Block } from '#extract/content/features/blocks.ts';
import type { ScoredPage } from './scored-page.ts';
import { hasEmptyMain } from './stated-main.ts';

/** A page with as many words has content, whatever it looks like. */
const MAX_WORDS = 300;
/** Words of content that a page promises at least, by the scores of its blocks, and the share of its words. */
const PROMISED_WORDS = 8;
const PROMISED_SHARE = 0.05;
/** The furniture of a site has as many words; fewer may be all that a small page has to say. */
const FURNITURE_WORDS = 100;
const FEW_WORDS = 20;

/**
 * Whether a page has next to no content of its own, only what surrounds it, because scripts fill it: a short page that
 * promises none, without a heading that its title confirms, and with links to elsewhere; or one whose main part is empty.
 */
export function isShell(judged: ScoredPage): boolean {
  const { blocks, scores, scripted } = judged;
  const sum = (of: (block: Block, at: number) => number) =>
    blocks.reduce((total, block, at) => total + of(block, at), 0);
  const words = sum(({ text }) => text.words);
  if (hasEmptyMain(judged) && !isHeaded(judged)) return true;
  if (words >= MAX_WORDS) return false;
  const promised = sum(({ text }, at) => text.words * promiseOf(scores[at] ?? 0));
  if (promised >= PROMISED_WORDS || isHeaded(judged)) return false;
  const linked = sum((block) => block.linked);
  if (words >= FURNITURE_WORDS && promised < PROMISED_SHARE * words) return true;
  return linked > 0 && (scripted || (words > FEW_WORDS && linked > 0.5 * sum(({ text }) => text.characters)));
}

/** Scores count for little up to near three quarters: a doubt in each of many words is no promise. */
const DOUBT = 7;

function promiseOf(score: number): number {
  const inFavour = score ** 2;
  return inFavour / (inFavour + DOUBT * (1 - score) ** 2);
}

/** Whether a heading that can be seen is made of words of the page's title. */
function isHeaded({ tree, blocks, surroundings }: ScoredPage): boolean {
  return blocks.some(({ node, text, linked }) => {
    if (!isHeading(tree, node) || surroundings.hidden[node] !== 0 || linked >= 0.5 * text.characters) return false;
    return text.titleWords > 0 && text.titleWords >= 0.5 * text.words;
  });
}
