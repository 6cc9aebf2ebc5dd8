import { TAG } from '#extract/html/tag-names.ts';
import { buildTagSet } from '#extract/html/tags.ts';
import { getParent, getSubtreeEnd, getTag, type Tree } from '#extract/html/tree.ts';
import { isHeading } from '#extract/content/features/blocks.ts';
import { COMMENTS, CONSENT, FURNITURE, LANDMARK, RELATED } from '#extract/content/features/name-evidence.ts';
import { isSentenceEnd } from '#extract/content/features/text-counts.ts';
import { isDateLine } from './repeated-items.ts';
import type { BlockVerdict, ScoredPage } from './scored-page.ts';

/** Verdicts by name or score alone, which the surroundings of a block may overrule. */
const CHANGEABLE_VERDICTS: ReadonlySet<BlockVerdict> = new Set([
  'low_score',
  'related',
  'comment',
  'consent',
  'island',
]);
const NAMED_BITS = FURNITURE | COMMENTS | CONSENT | RELATED;
/** Elements of forms and of comments: controls, and the time of a comment. */
const FORM_TAGS = buildTagSet('form input textarea select button iframe time');
/** Elements of running text. Between kept texts they are text. */
const TEXT_TAGS = buildTagSet('p ul ol dl table pre blockquote h2 h3 h4 h5 h6 details figure');
/** A short line with a lower score is certainly not text. */
const MIN_POSSIBLE_SCORE = 0.125;
/** Minimum words of a paragraph that makes a part prose. */
const MIN_PROSE_WORDS = 12;
/** From this share of characters in links on, a part is navigation. */
const MIN_LEADING_SHARE = 0.4;
/** The same for definition lists and quotes, whose terms and sources are often links. */
const MIN_QUOTE_LEADING_SHARE = 0.8;

/**
 * Keeps what is between kept blocks unless there is evidence against it: a landmark, a form, a date line, links, or its
 * name. A low score is not evidence there, and neither is the name of a section of prose, which may be named after its
 * subject (`related-work`, `comments`).
 */
export function keepTextBetween(page: ScoredPage, verdicts: BlockVerdict[]): void {
  let before = verdicts.indexOf('kept');
  const last = verdicts.lastIndexOf('kept');
  while (before >= 0 && before < last) {
    let after = before + 1;
    while (verdicts[after] !== 'kept') after++;
    if (after > before + 1) fillGap(page, verdicts, { before, after });
    before = after;
  }
}

type Gap = { readonly before: number; readonly after: number };

/** Decides for each outermost element that is completely between two kept blocks. */
function fillGap(page: ScoredPage, verdicts: BlockVerdict[], { before, after }: Gap): void {
  const { tree, blocks } = page;
  const start = blocks[before]?.node ?? 0;
  const end = blocks[after]?.from ?? 0;
  let next = before + 1;
  while (next < after) {
    const from = next;
    const holder = blocks[from]?.node ?? 0;
    const part = findWidestBetween(tree, holder, { start, end });
    // The line after a quotation names its source.
    if (
      part === 0 &&
      getTag(tree, holder) === TAG.blockquote &&
      start > holder &&
      start < getSubtreeEnd(tree, holder)
    ) {
      if (CHANGEABLE_VERDICTS.has(verdicts[from] ?? 'kept')) verdicts[from] = 'kept';
      next++;
      continue;
    }
    const partEnd = getSubtreeEnd(tree, part);
    next++;
    while (next < after && (blocks[next]?.from ?? 0) < partEnd) next++;
    if (part === 0 || !isPartOfText(page, verdicts, { part, from, to: next, after })) continue;
    for (let at = from; at < next; at++) if (CHANGEABLE_VERDICTS.has(verdicts[at] ?? 'kept')) verdicts[at] = 'kept';
  }
}

/** The outermost element around a node that starts after `start` and ends before `end`. 0 if there is none. */
function findWidestBetween(
  tree: Tree,
  node: number,
  { start, end }: { readonly start: number; readonly end: number },
): number {
  let part = 0;
  for (
    let ancestor = node;
    ancestor > start && getSubtreeEnd(tree, ancestor) <= end;
    ancestor = getParent(tree, ancestor)
  )
    part = ancestor;
  return part;
}

/** An element with its range of blocks, and the kept block after it. */
type BetweenPart = { readonly part: number; readonly from: number; readonly to: number; readonly after: number };

function isPartOfText(
  { tree, blocks, surroundings, scores }: ScoredPage,
  verdicts: readonly BlockVerdict[],
  { part, from, to, after }: BetweenPart,
): boolean {
  const first = blocks[from];
  const startsWithHeading =
    first !== undefined && isHeading(tree, first.node) && first.linked < MIN_LEADING_SHARE * first.text.characters;
  const next = blocks[after]?.node ?? 0;
  if (startsWithHeading && to === from + 1 && to === after && next < getSubtreeEnd(tree, getParent(tree, part)))
    return true;
  // A quote may have a date and a link to its source.
  const isQuote = getTag(tree, part) === TAG.blockquote;
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
  const mayHaveManyLinks = !isRelated && (isQuote || getTag(tree, part) === TAG.dl);
  const minLinkShare = mayHaveManyLinks ? MIN_QUOTE_LEADING_SHARE : MIN_LEADING_SHARE;
  if ((bits & LANDMARK) !== 0 || linked >= minLinkShare * characters || hasForm(tree, part)) return false;
  if ((bits & NAMED_BITS) !== 0) return startsWithHeading && hasProse;
  return hasProse || (TEXT_TAGS[getTag(tree, part)] === 1 && best > MIN_POSSIBLE_SCORE);
}

/** Whether an element contains a form control or a time. */
function hasForm(tree: Tree, element: number): boolean {
  const end = getSubtreeEnd(tree, element);
  for (let node = element; node < end; node++) if (FORM_TAGS[getTag(tree, node)] === 1) return true;
  return false;
}
