import { TAG } from '#extract/html/tag-names.ts';
import { tagSet } from '#extract/html/tags.ts';
import { parentOf, subtreeEndOf, tagOf, type Tree } from '#extract/html/tree.ts';
import { isHeading } from '#extract/content/features/blocks.ts';
import { COMMENTS, CONSENT, FURNITURE, LANDMARK, RELATED } from '#extract/content/features/name-evidence.ts';
import { isSentenceEnd } from '#extract/content/features/text-counts.ts';
import { isDateLine } from './repeated-items.ts';
import type { BlockVerdict, ScoredPage } from './scored-page.ts';

/** Verdicts by names or scores alone: what stands around a part may know better. */
const CHANGEABLE_VERDICTS: ReadonlySet<BlockVerdict> = new Set([
  'low_score',
  'related',
  'comment',
  'consent',
  'island',
]);
const NAMED_BITS = FURNITURE | COMMENTS | CONSENT | RELATED;
/** What asks a reader for something, or tells when a comment was written. */
const FORM_TAGS = tagSet('form input textarea select button iframe time');
/** Elements of running text: between kept text they are text. */
const TEXT_TAGS = tagSet('p ul ol dl table pre blockquote h2 h3 h4 h5 h6 details figure');
/** Score below which short lines are surely none. */
const MIN_POSSIBLE_SCORE = 0.125;
/** Words of a paragraph that makes a part prose. */
const MIN_PROSE_WORDS = 12;
/** The share of characters in links from which on a part leads elsewhere. */
const MIN_LEADING_SHARE = 0.4;
/** The same for a list of definitions, whose terms say what its links are, and for a quote, which links to its source. */
const MIN_QUOTE_LEADING_SHARE = 0.8;

/**
 * Keeps what stands between kept blocks unless something says that it is none of the text: a landmark, a form, a date of
 * its own line, links, or its name. A low score is no evidence there, and neither is the name of a section of prose, which
 * may be called after its subject (`related-work`, `comments`).
 */
export function keepTextBetween(judged: ScoredPage, verdicts: BlockVerdict[]): void {
  let before = verdicts.indexOf('kept');
  const last = verdicts.lastIndexOf('kept');
  while (before >= 0 && before < last) {
    let after = before + 1;
    while (verdicts[after] !== 'kept') after++;
    if (after > before + 1) fillGap(judged, verdicts, { before, after });
    before = after;
  }
}

type Gap = { readonly before: number; readonly after: number };

/** Judges each widest element that stands as a whole between two kept blocks. */
function fillGap(judged: ScoredPage, verdicts: BlockVerdict[], { before, after }: Gap): void {
  const { tree, blocks } = judged;
  const start = blocks[before]?.node ?? 0;
  const end = blocks[after]?.from ?? 0;
  let next = before + 1;
  while (next < after) {
    const from = next;
    const holder = blocks[from]?.node ?? 0;
    const part = findWidestBetween(tree, holder, { start, end });
    // The line below what is quoted says who said it.
    if (part === 0 && tagOf(tree, holder) === TAG.blockquote && start > holder && start < subtreeEndOf(tree, holder)) {
      if (CHANGEABLE_VERDICTS.has(verdicts[from] ?? 'kept')) verdicts[from] = 'kept';
      next++;
      continue;
    }
    const partEnd = subtreeEndOf(tree, part);
    next++;
    while (next < after && (blocks[next]?.from ?? 0) < partEnd) next++;
    if (part === 0 || !isPartOfText(judged, verdicts, { part, from, to: next, after })) continue;
    for (let at = from; at < next; at++) if (CHANGEABLE_VERDICTS.has(verdicts[at] ?? 'kept')) verdicts[at] = 'kept';
  }
}

/** The widest element around a node that begins behind `start` and ends before `end`; 0 where the node does not. */
function findWidestBetween(
  tree: Tree,
  node: number,
  { start, end }: { readonly start: number; readonly end: number },
): number {
  let part = 0;
  for (let around = node; around > start && subtreeEndOf(tree, around) <= end; around = parentOf(tree, around))
    part = around;
  return part;
}

/** An element with its blocks, and the kept block behind it. */
type BetweenPart = { readonly part: number; readonly from: number; readonly to: number; readonly after: number };

function isPartOfText(
  { tree, blocks, surroundings, scores }: ScoredPage,
  verdicts: readonly BlockVerdict[],
  { part, from, to, after }: BetweenPart,
): boolean {
  const first = blocks[from];
  const heads =
    first !== undefined && isHeading(tree, first.node) && first.linked < MIN_LEADING_SHARE * first.text.characters;
  const next = blocks[after]?.node ?? 0;
  if (heads && to === from + 1 && to === after && next < subtreeEndOf(tree, parentOf(tree, part))) return true;
  // A quote may say when it was said, with a link to where.
  const isQuote = tagOf(tree, part) === TAG.blockquote;
  let characters = 0;
  let linked = 0;
  let bits = 0;
  let hasProse = false;
  let best = 0;
  let isRelated = false;
  for (let at = from; at < to; at++) {
    const block = blocks[at];
    if (block === undefined || !CHANGEABLE_VERDICTS.has(verdicts[at] ?? 'kept')) continue;
    const { node, text } = block;
    if ((isDateLine(block) && !isQuote) || text.answers || text.rights || surroundings.hidden[node] !== 0) return false;
    characters += text.characters;
    linked += block.linked;
    best = Math.max(best, scores[at] ?? 0);
    isRelated ||= verdicts[at] === 'related';
    bits |= surroundings.allEvidence[node] ?? 0;
    hasProse ||=
      text.words >= MIN_PROSE_WORDS && isSentenceEnd(text) && block.linked < MIN_LEADING_SHARE * text.characters;
  }
  const tells = !isRelated && (isQuote || tagOf(tree, part) === TAG.dl);
  const leading = tells ? MIN_QUOTE_LEADING_SHARE : MIN_LEADING_SHARE;
  if ((bits & LANDMARK) !== 0 || linked >= leading * characters || hasForm(tree, part)) return false;
  if ((bits & NAMED_BITS) !== 0) return heads && hasProse;
  return hasProse || (TEXT_TAGS[tagOf(tree, part)] === 1 && best > MIN_POSSIBLE_SCORE);
}

/** Whether something in an element asks for an answer. */
function hasForm(tree: Tree, element: number): boolean {
  const end = subtreeEndOf(tree, element);
  for (let node = element; node < end; node++) if (FORM_TAGS[tagOf(tree, node)] === 1) return true;
  return false;
}
