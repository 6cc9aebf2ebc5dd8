import { type Block, type BlockFamily, isHeading } from '#extract/content/features/blocks.ts';
import { COMMENTS, CONSENT, RELATED } from '#extract/content/features/name-evidence.ts';
import { isSentenceEnd } from '#extract/content/features/text-counts.ts';
import { toProbability } from '#extract/content/model/forest.ts';
import { allocateFloat64s, allocateUint32s, allocateUint8s } from '#extract/html/scratch.ts';
import { TAG } from '#extract/html/tag-names.ts';
import { buildTagSet } from '#extract/html/tags.ts';
import {
  readCharacters,
  HAS_REFERENCE,
  isText,
  getParent,
  getSubtreeEnd,
  getTag,
  type Tree,
} from '#extract/html/tree.ts';
import { ARIA_HIDDEN, HIDDEN, WITHOUT_SCRIPT } from '#extract/view/hidden-elements.ts';
import { isDateLine, type ItemGroups, groupItems, isCommentGroup, isTeaserGroup } from './repeated-items.ts';
import {
  type BlockVerdict,
  isMostlyHidden,
  isForum,
  isArticleLike,
  isStoryLike,
  type ScoredPage,
} from './scored-page.ts';

/** Maximum words of a line that leads to another text. */
const MAX_LEAD_WORDS = 40;

/**
 * Whether a block is a line such as "Read also: …" within an article: a short line that is mostly or only a link. "See
 * the map of the harbour." is a sentence of the text, wherever it links to.
 */
function isLeadLine(tree: Tree, block: Block): boolean {
  const { node, text, linked } = block;
  if (text.words > MAX_LEAD_WORDS) return false;
  if (text.leadsOn && linked > 0.4 * text.characters) return !isSentence(tree, block);
  const onlyLinks = linked > 0.95 * text.characters && text.words >= 4;
  return onlyLinks && getTag(tree, node) === TAG.p && !isSentenceEnd(text) && !hasLineBreaks(tree, block);
}

/** Whether a block has line breaks, such as verses. The title of another text is one line. */
function hasLineBreaks(tree: Tree, { from, to }: Block): boolean {
  for (let node = from; node < to; node++) if (getTag(tree, node) === TAG.br) return true;
  return false;
}

/** Full stops, including those of East Asian scripts and of Hindi. */
const STOPS = [0x2e, 0x3002, 0xff0e, 0x0964];
const COLONS = /[:：]\s{0,9}$/u;

/** Whether a block ends with a full stop outside its links, and no colon precedes its first link. */
function isSentence(tree: Tree, { from, to, text }: Block): boolean {
  if (!STOPS.includes(text.last) || isInsideLink(tree, to - 1)) return false;
  let before = '';
  for (let node = from; node < to && !isInsideLink(tree, node); node++)
    if (isText(tree, node)) before = readCharacters(tree, node);
  return before.trim() !== '' && !COLONS.test(before);
}

/** Whether a text is inside a link, at most two levels up. */
function isInsideLink(tree: Tree, text: number): boolean {
  const ancestor = getParent(tree, text);
  return getTag(tree, ancestor) === TAG.a || getTag(tree, getParent(tree, ancestor)) === TAG.a;
}

const MARKUP = /^\s{0,99}<(?:a|div|iframe|img|link|script|span|style)\s[^>]{0,300}=/i;
const MAX_START_LENGTH = 500;
const CODE_TAGS = buildTagSet('code pre samp kbd tt');

/**
 * Whether a block is markup that the page shows as text by mistake, such as a tracking pixel that was escaped twice.
 */
function isMarkup(tree: Tree, { from }: Block): boolean {
  if (((tree.flags[from] ?? 0) & HAS_REFERENCE) === 0 || CODE_TAGS[getTag(tree, getParent(tree, from))] === 1)
    return false;
  return MARKUP.test(readCharacters(tree, from).slice(0, MAX_START_LENGTH));
}

const JAVASCRIPT = /\bjava\s?script\b/i;
/** Maximum length of a `noscript` notice. A longer text is content. */
const MAX_NOTICE_LENGTH = 2_000;

/** Whether a block is inside a `noscript` element that asks the reader to enable JavaScript. */
function isScriptNotice(tree: Tree, { node }: Block): boolean {
  let ancestor = node;
  while (ancestor !== 0 && getTag(tree, ancestor) !== TAG.noscript) ancestor = getParent(tree, ancestor);
  if (ancestor === 0) return false;
  const start = tree.start[ancestor] ?? 0;
  const end = tree.end[getSubtreeEnd(tree, ancestor) - 1] ?? 0;
  return end - start <= MAX_NOTICE_LENGTH && JAVASCRIPT.test(tree.source.slice(start, end));
}

/** Spellings of the ellipsis that marks a text as continued elsewhere. */
const ELLIPSES = ['…', '...', '&hellip;', '&#8230;'];
/** Characters that may follow it. */
const TRAILING_CHARACTERS = ' \n\t\r\u00A0)]”"»';

/** Whether a block starts with a link and ends with an ellipsis: a teaser with the first words of another page. */
function isBrokenOff(tree: Tree, { from, to }: Block): boolean {
  const ancestor = getParent(tree, from);
  if (getTag(tree, ancestor) !== TAG.a && getTag(tree, getParent(tree, ancestor)) !== TAG.a) return false;
  const { source, start, end } = tree;
  const first = start[to - 1] ?? 0;
  let last = end[to - 1] ?? 0;
  while (last > first && TRAILING_CHARACTERS.includes(source.charAt(last - 1))) last--;
  return ELLIPSES.some((sign) => source.endsWith(sign, last));
}

/** Maximum words of a line that is only a reply button. */
const MAX_REPLY_WORDS = 3;
/** Words of an article that must precede a comment on it. */
const MIN_ARTICLE_WORDS = 30;
/** Levels above a reply button among which its comment is searched. */
const MAX_COMMENT_LEVELS = 6;

/**
 * Finds comments that are too few to form a repeated group: after the text of an article, an element without a heading
 * that has a date line and ends with a line such as "Reply". Returns a test for blocks.
 */
function findLoneComments(page: ScoredPage): (block: Block) => boolean {
  const { blocks, kinds, headline } = page;
  const asking = isStoryLike(kinds) ? blocks.filter(({ text }) => text.answers && text.words <= MAX_REPLY_WORDS) : [];
  const isComment = allocateUint8s(blocks.length);
  let textWords = 0;
  let at = Math.max(0, headline);
  for (const { at: last } of asking) {
    const first = findCommentStart(page, last);
    for (; at < first; at++) textWords += (page.scores[at] ?? 0) > 0.5 ? (blocks[at]?.text.words ?? 0) : 0;
    if (first >= 0 && textWords >= MIN_ARTICLE_WORDS) isComment.fill(1, first, last + 1);
  }
  return (block) => isComment[block.at] === 1;
}

/**
 * The first block of the innermost element that ends with block `last` and contains a date but no heading. -1 if there
 * is none.
 */
function findCommentStart({ tree, blocks }: ScoredPage, last: number): number {
  let element = blocks[last]?.node ?? 0;
  let first = last;
  for (let level = 0; level < MAX_COMMENT_LEVELS && element !== 0; level++) {
    const next = blocks[last + 1];
    if (next !== undefined && next.from < getSubtreeEnd(tree, element)) return -1;
    for (let block = blocks[first - 1]; block !== undefined && block.from >= element; block = blocks[first - 1]) {
      if (isHeading(tree, block.node)) return -1;
      first--;
    }
    for (let at = first; at < last; at++) {
      const block = blocks[at];
      if (block !== undefined && isDateLine(block)) return first;
    }
    element = getParent(tree, element);
  }
  return -1;
}

/** Minimum words about consent in a consent notice, in total and per hundred words. */
const MIN_CONSENT_WORDS = 6;
const MIN_CONSENT_PER_HUNDRED = 1;

/** A child of the body as a range of nodes, with its number of words about consent. */
type BodyPart = { readonly from: number; readonly to: number; words: number };

/**
 * Finds the blocks of a consent notice, whatever its elements are called: a child of the body with many words about
 * consent and a button, but without the headline. A page without a headline may be about consent, so nothing is found
 * there. Returns a test for blocks.
 */
function findConsentBlocks(page: ScoredPage): (block: Block) => boolean {
  const head = page.blocks[page.headline]?.node;
  if (head === undefined) return () => false;
  const notices = listConsentParts(page).filter(
    (part) => (head < part.from || head >= part.to) && isNotice(page, part) && hasButton(page.tree, part),
  );
  if (notices.length === 0) return () => false;
  const inside = allocateUint8s(page.tree.count);
  for (const { from, to } of notices) inside.fill(1, from, to);
  return ({ node }) => inside[node] === 1;
}

function isNotice({ containers }: ScoredPage, { from, words }: BodyPart): boolean {
  return words >= MIN_CONSENT_WORDS && words * 100 >= MIN_CONSENT_PER_HUNDRED * (containers.words[from] ?? 0);
}

/** The children of the body that mention consent, in document order. */
function listConsentParts({ tree, blocks }: ScoredPage): readonly BodyPart[] {
  const parts: BodyPart[] = [];
  for (const { node, text } of blocks) {
    if (text.consentWords === 0) continue;
    let part = parts.at(-1);
    if (part === undefined || node >= part.to) {
      const from = findBodyChild(tree, node);
      part = { from, to: getSubtreeEnd(tree, from), words: 0 };
      parts.push(part);
    }
    part.words += text.consentWords;
  }
  return parts;
}

/** The child of the body that contains a node. */
function findBodyChild(tree: Tree, node: number): number {
  let child = node;
  for (let ancestor = node; ancestor !== 0 && getTag(tree, ancestor) !== TAG.body; ancestor = getParent(tree, ancestor))
    child = ancestor;
  return child;
}

function hasButton(tree: Tree, { from, to }: BodyPart): boolean {
  for (let node = from; node < to; node++) if (getTag(tree, node) === TAG.button) return true;
  return false;
}

/** Divisor of log-odds: on sites outside the training set the model is less certain than its scores say. */
const CAUTION = 1.5;
/** Subtracted from log-odds on pages other than articles, whose scores are too high. */
const NON_ARTICLE_DOUBT = 0.3;
/** Log-odds are clamped to this value. */
const MAX_LOG_ODDS = 8;

/** The score that is compared with other scores and with thresholds. */
export function applyCaution(score: number): number {
  return toCautiousProbability(toLogOdds(score));
}

/** Converts a probability to log-odds within the limit. */
function toLogOdds(score: number): number {
  return Math.max(-MAX_LOG_ODDS, Math.min(MAX_LOG_ODDS, Math.log(score / (1 - score))));
}

function toCautiousProbability(logOdds: number): number {
  return toProbability(logOdds / CAUTION);
}

/**
 * On a page other than an article, hidden blocks with at least this many words are the text of tabs or answers. Shorter
 * ones are labels.
 */
const MIN_TEXT_WORDS = 5;

/** Adjusted scores. `causes` has the verdict of the rule that lowered a score, null for other blocks. */
type AdjustedScores = { readonly scores: Float32Array; readonly causes: readonly (BlockVerdict | null)[] };

/** Smooths the scores of a page and lowers those of blocks that a rule recognises. */
export function adjustScores(page: ScoredPage): AdjustedScores {
  const { tree, blocks, surroundings, kinds, order } = page;
  const causes: (BlockVerdict | null)[] = blocks.map(() => null);
  const { allEvidence } = surroundings;
  const isArticle = isArticleLike(kinds);
  const isStory = isStoryLike(kinds);
  const own = page.scores.map(toLogOdds);
  const together = isArticle
    ? own
    : smoothLogOdds(blocks, order.families, own).map((logOdds) => logOdds - NON_ARTICLE_DOUBT);
  const scores = together.map(toCautiousProbability);
  const isComment = findCommentBlocks(page);
  const isLoneComment = findLoneComments(page);
  const isHidden = findHiddenBlocks(page);
  const isConsent = findConsentBlocks(page);
  const groups = groupItems(page);
  const isTeaser = findTeaserBlocks(page, groups);
  const lower = ({ at }: Block, factor: number, cause: BlockVerdict) => {
    scores[at] = (scores[at] ?? 0) * factor;
    causes[at] = cause;
  };
  for (const block of blocks) {
    const bits = allEvidence[block.node] ?? 0;
    const group = groups[block.at];
    if (isHidden(block)) lower(block, 0.3, 'hidden');
    if (isComment(block) || isLoneComment(block)) lower(block, 0.1, 'comment');
    else if (!isForum(kinds) && group !== undefined && isCommentGroup(group)) lower(block, 0.1, 'comment');
    if (isArticle && (bits & RELATED) !== 0) lower(block, 0.6, 'related');
    if (isStory && (isLeadLine(tree, block) || isBrokenOff(tree, block))) lower(block, 0.2, 'related');
    if (isTeaser(block)) lower(block, 0.4, 'related');
    if ((bits & CONSENT) !== 0 || isConsent(block)) lower(block, 0.1, 'consent');
    else if (!isArticle && block.text.consentWords >= 2) lower(block, 0.4, 'consent');
    if (isMarkup(tree, block)) lower(block, 0, 'low_score');
    if (surroundings.hidden[block.node] === WITHOUT_SCRIPT && isScriptNotice(tree, block)) lower(block, 0, 'low_score');
  }
  return { scores, causes };
}

/**
 * Finds permanently hidden blocks. If most of the page is hidden, a script will show it, and nothing is found. Returns
 * a test for blocks.
 */
function findHiddenBlocks({ blocks, surroundings, kinds }: ScoredPage): (block: Block) => boolean {
  if (isMostlyHidden(blocks, surroundings)) return () => false;
  const isArticle = isArticleLike(kinds);
  return ({ node, text }) => {
    const hidden = surroundings.hidden[node];
    const isLabel = text.words < MIN_TEXT_WORDS;
    return (hidden === HIDDEN && (isArticle || isLabel)) || (hidden === ARIA_HIDDEN && isLabel);
  };
}

/**
 * A page with fewer words outside its comments is about them. A short post, which may have many more words in its
 * comments, has the lower limit.
 */
const MIN_OTHER_WORDS = 200;
const MIN_OTHER_STORY_WORDS = 30;

/**
 * Finds blocks inside elements that are named as comments. Finds nothing in a forum, or if comments are most of the
 * page. Returns a test for blocks.
 */
function findCommentBlocks({ blocks, surroundings, scores, kinds }: ScoredPage): (block: Block) => boolean {
  const isNamed = ({ node }: Block) => ((surroundings.allEvidence[node] ?? 0) & COMMENTS) !== 0;
  let named = 0;
  let all = 0;
  for (const block of blocks) {
    if ((scores[block.at] ?? 0) <= 0.5) continue;
    all += block.text.words;
    if (isNamed(block)) named += block.text.words;
  }
  const few = isStoryLike(kinds) ? MIN_OTHER_STORY_WORDS : MIN_OTHER_WORDS;
  return isForum(kinds) || (named >= 0.8 * all && all - named < few) ? () => false : isNamed;
}

/** Finds the teasers in an article. Finds nothing if they are most of the page. Returns a test for blocks. */
function findTeaserBlocks({ blocks, scores, kinds }: ScoredPage, groups: ItemGroups): (block: Block) => boolean {
  const isTeaser = ({ at }: Block): boolean => {
    const group = groups[at];
    return group !== undefined && isTeaserGroup(group);
  };
  let teasers = 0;
  let others = 0;
  for (const block of blocks) {
    const words = (scores[block.at] ?? 0) * block.text.words;
    if (isTeaser(block)) teasers += words;
    else others += words;
  }
  return isStoryLike(kinds) && others > teasers ? isTeaser : () => false;
}

/** How far the log-odds of a block move towards the mean of its family. */
const FAMILY_SHARE = 0.6;
/** Minimum blocks of a family. */
const MIN_FAMILY_BLOCKS = 3;

/**
 * Moves the log-odds of each block towards the mean of the blocks of its shape: the posts, cards or sections of a list
 * are usually content together or not at all. Longer texts have more weight. Blocks that are mostly links and other
 * blocks of the same shape, such as the cells of a layout table, are averaged separately.
 */
export function smoothLogOdds(
  blocks: readonly Block[],
  families: readonly BlockFamily[],
  logOdds: Float32Array<ArrayBuffer>,
): Float32Array<ArrayBuffer> {
  const groups = Uint32Array.from(blocks, ({ at, linked, text }) => {
    const isMostlyLinks = linked > 0.5 * text.characters;
    return 2 * (families[at]?.first ?? at) + Number(isMostlyLinks);
  });
  const sums = allocateFloat64s(2 * blocks.length);
  const weights = allocateFloat64s(2 * blocks.length);
  const members = allocateUint32s(2 * blocks.length);
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
    return (members[group] ?? 0) < MIN_FAMILY_BLOCKS ? own : own + FAMILY_SHARE * (mean - own);
  });
}
