import {
  readCollapsedText,
  getAttribute,
  isText,
  getKnownAttribute,
  getParent,
  getSubtreeEnd,
  getTag,
  type Tree,
} from '#extract/html/tree.ts';
import { ATTRIBUTE, TAG } from '#extract/html/tag-names.ts';
import type { Block } from '#extract/content/features/blocks.ts';
import { CONSENT, LANDMARK, RELATED } from '#extract/content/features/name-evidence.ts';
import { hasThread } from '#extract/view/row-levels.ts';
import { isDateLine } from './repeated-items.ts';
import { type BlockVerdict, isForum, type ScoredPage } from './scored-page.ts';

/** Verdicts that this rule may change. */
const CHANGEABLE_VERDICTS: ReadonlySet<BlockVerdict> = new Set(['low_score', 'comment', 'island']);
const OUTSIDE_TEXT = LANDMARK | CONSENT | RELATED;
/** Maximum words of a line with only the author and date of a post. */
const MAX_BYLINE_WORDS = 16;
/** Maximum lines between that line and the post. */
const MAX_LINES_BETWEEN = 2;
/** Maximum nodes of such a line. */
const MAX_BYLINE_NODES = 60;
const MAX_TEXT_LENGTH = 200;
/** Forum texts about a member, shown next to each post. */
const MEMBERSHIP =
  /\b(?:join(?:ed)?|registered|member since|posts|mitglied|registriert|inscrit|registrado|iscritto)\b/i;
const AUTHOR_NAME = /(?:^|[\s_-])(?:author|creator|user-?(?:name)?|hnuser|nick(?:name)?|poster|byline)(?:$|[\s_-])/i;

/**
 * Keeps the lines with the author or date of kept posts, in a discussion laid out as a table. Each precedes a post, and
 * a line of the same shape precedes another post. A post is of little use without its author.
 */
export function keepBylines(page: ScoredPage, verdicts: BlockVerdict[]): void {
  const { tree, blocks, kinds, order, surroundings } = page;
  if (!isForum(kinds) || !hasThread(tree)) return;
  keepTopic(page, verdicts);
  const isBefore = markBeforePosts(page, verdicts);
  const lines = blocks.filter(
    (block) =>
      CHANGEABLE_VERDICTS.has(verdicts[block.at] ?? 'kept') &&
      isBefore[block.at] === 1 &&
      ((surroundings.allEvidence[block.node] ?? 0) & OUTSIDE_TEXT) === 0 &&
      surroundings.hidden[block.node] === 0 &&
      isByline(tree, block),
  );
  for (const { at } of lines) if ((order.families[at]?.members ?? 0) > 1) verdicts[at] = 'kept';
}

/**
 * Keeps the line with most words of the page's title if there is no heading, and the line below it with the author of
 * the discussion.
 */
function keepTopic(page: ScoredPage, verdicts: BlockVerdict[]): void {
  const { tree, blocks, surroundings, headline } = page;
  const first = blocks.findIndex(
    ({ at, text, linked }) =>
      verdicts[at] === 'kept' && text.words > MAX_BYLINE_WORDS && linked < 0.5 * text.characters,
  );
  if (headline >= 0 || first <= 0) return;
  let topic = -1;
  let mostTitleWords = 1;
  for (const { at, node, text } of blocks.slice(0, first)) {
    const isApart = ((surroundings.allEvidence[node] ?? 0) & OUTSIDE_TEXT) !== 0 || surroundings.hidden[node] !== 0;
    if (isApart || text.titleWords <= mostTitleWords || 2 * text.titleWords < text.words) continue;
    topic = at;
    mostTitleWords = text.titleWords;
  }
  if (topic < 0) return;
  for (let at = topic; at <= topic + 1; at++) {
    const block = blocks[at];
    if (block === undefined || (at > topic && !isByline(tree, block))) return;
    if (CHANGEABLE_VERDICTS.has(verdicts[at] ?? 'kept')) verdicts[at] = 'kept';
  }
}

/** 1 for each block that is shortly before a kept block and shares an element with it other than the body. */
function markBeforePosts({ tree, blocks }: ScoredPage, verdicts: readonly BlockVerdict[]): Uint8Array {
  const isBefore = new Uint8Array(blocks.length);
  let next = -1;
  for (let at = blocks.length - 1; at >= 0; at--) {
    if (verdicts[at] === 'kept') next = at;
    else if (next >= 0 && next - at <= MAX_LINES_BETWEEN + 1) {
      let ancestor = getParent(tree, blocks[at]?.node ?? 0);
      const post = blocks[next]?.node ?? 0;
      while (ancestor !== 0 && getSubtreeEnd(tree, ancestor) <= post) ancestor = getParent(tree, ancestor);
      if (getTag(tree, ancestor) !== TAG.body && ancestor !== 0) isBefore[at] = 1;
    }
  }
  return isBefore;
}

/** Whether a short line has a date, or an element that is marked as the author. */
function isByline(tree: Tree, block: Block): boolean {
  const { node, to, text } = block;
  if (text.words > MAX_BYLINE_WORDS || MEMBERSHIP.test(readCollapsedText(tree, node, MAX_TEXT_LENGTH))) return false;
  if (isDateLine(block) || (text.dated && text.words <= MAX_BYLINE_WORDS)) return true;
  for (let at = node; at < Math.min(to, node + MAX_BYLINE_NODES); at++) if (isAuthor(tree, at)) return true;
  return false;
}

function isAuthor(tree: Tree, node: number): boolean {
  if (isText(tree, node) || tree.attributeCount[node] === 0) return false;
  if (getKnownAttribute(tree, node, ATTRIBUTE.itemprop) === 'author') return true;
  if (getAttribute(tree, node, 'rel') === 'author') return true;
  return AUTHOR_NAME.test(getKnownAttribute(tree, node, ATTRIBUTE.class) ?? '');
}
