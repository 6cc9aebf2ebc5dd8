import { collapsedText } from '#extract/html/element-text.ts';
import { ATTRIBUTE, TAG } from '#extract/html/tag-names.ts';
import { attributeOf, isText, knownAttribute, parentOf, subtreeEndOf, tagOf, type Tree } from '#extract/html/tree.ts';
import type { Block } from '#extract/content/features/blocks.ts';
import { CONSENT, LANDMARK, RELATED } from '#extract/content/features/name-evidence.ts';
import { hasThread } from '#extract/view/row-levels.ts';
import { isDateLine } from './repeated-items.ts';
import { type BlockVerdict, isForum, type ScoredPage } from './scored-page.ts';

/** Verdicts that this rule may change. */
const CHANGEABLE_VERDICTS: ReadonlySet<BlockVerdict> = new Set(['low_score', 'comment', 'island']);
const OUTSIDE_TEXT = LANDMARK | CONSENT | RELATED;
/** Words of a line that only says who wrote a post, and when. */
const MAX_BYLINE_WORDS = 16;
/** Lines between that line and the post. */
const MAX_LINES_BETWEEN = 2;
/** Nodes of such a line. */
const MAX_BYLINE_NODES = 60;
const MAX_TEXT_LENGTH = 200;
/** What forums say of a speaker beside each post. */
const MEMBERSHIP =
  /\b(?:join(?:ed)?|registered|member since|posts|mitglied|registriert|inscrit|registrado|iscritto)\b/i;
const AUTHOR_NAME = /(?:^|[\s_-])(?:author|creator|user-?(?:name)?|hnuser|nick(?:name)?|poster|byline)(?:$|[\s_-])/i;

/**
 * Keeps the lines that say who wrote a kept post, or when, in a discussion that a table lays out. They stand before the post,
 * and a line of the same shape stands before another post. What a post says is of little use without its speaker.
 */
export function keepBylines(judged: ScoredPage, verdicts: BlockVerdict[]): void {
  const { tree, blocks, kinds, order, surroundings } = judged;
  if (!isForum(kinds) || !hasThread(tree)) return;
  keepTopic(judged, verdicts);
  const isBefore = markBeforePosts(judged, verdicts);
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
 * Keeps the line that has most of the words of the page's title, where no heading does, and what it says below who began
 * the discussion.
 */
function keepTopic(judged: ScoredPage, verdicts: BlockVerdict[]): void {
  const { tree, blocks, surroundings, headline } = judged;
  const first = blocks.findIndex(
    ({ at, text, linked }) =>
      verdicts[at] === 'kept' && text.words > MAX_BYLINE_WORDS && linked < 0.5 * text.characters,
  );
  if (headline >= 0 || first <= 0) return;
  let topic = -1;
  let most = 1;
  for (const { at, node, text } of blocks.slice(0, first)) {
    const isApart = ((surroundings.allEvidence[node] ?? 0) & OUTSIDE_TEXT) !== 0 || surroundings.hidden[node] !== 0;
    if (isApart || text.titleWords <= most || 2 * text.titleWords < text.words) continue;
    topic = at;
    most = text.titleWords;
  }
  if (topic < 0) return;
  for (let at = topic; at <= topic + 1; at++) {
    const block = blocks[at];
    if (block === undefined || (at > topic && !isByline(tree, block))) return;
    if (CHANGEABLE_VERDICTS.has(verdicts[at] ?? 'kept')) verdicts[at] = 'kept';
  }
}

/** 1 for each block of which the next kept one is near, and in an element with it that is no whole page. */
function markBeforePosts({ tree, blocks }: ScoredPage, verdicts: readonly BlockVerdict[]): Uint8Array {
  const isBefore = new Uint8Array(blocks.length);
  let next = -1;
  for (let at = blocks.length - 1; at >= 0; at--) {
    if (verdicts[at] === 'kept') next = at;
    else if (next >= 0 && next - at <= MAX_LINES_BETWEEN + 1) {
      let around = parentOf(tree, blocks[at]?.node ?? 0);
      const post = blocks[next]?.node ?? 0;
      while (around !== 0 && subtreeEndOf(tree, around) <= post) around = parentOf(tree, around);
      if (tagOf(tree, around) !== TAG.body && around !== 0) isBefore[at] = 1;
    }
  }
  return isBefore;
}

/** Whether a short line has a date, or is or holds what a page calls an author. */
function isByline(tree: Tree, block: Block): boolean {
  const { node, to, text } = block;
  if (text.words > MAX_BYLINE_WORDS || MEMBERSHIP.test(collapsedText(tree, node, MAX_TEXT_LENGTH))) return false;
  if (isDateLine(block) || (text.dated && text.words <= MAX_BYLINE_WORDS)) return true;
  for (let at = node; at < Math.min(to, node + MAX_BYLINE_NODES); at++) if (isAuthor(tree, at)) return true;
  return false;
}

function isAuthor(tree: Tree, node: number): boolean {
  if (isText(tree, node) || tree.attributeCount[node] === 0) return false;
  if (knownAttribute(tree, node, ATTRIBUTE.itemprop) === 'author') return true;
  if (attributeOf(tree, node, 'rel') === 'author') return true;
  return AUTHOR_NAME.test(knownAttribute(tree, node, ATTRIBUTE.class) ?? '');
}
