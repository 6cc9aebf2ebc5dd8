import { at, list } from '#extract/values/raw.ts';
import { fromTree } from './api-item.ts';
import type { NewsItemInput, NewsComment } from './item-input.ts';

const MOST_VISITED = 50_000;

type Comments = {
  readonly comments: readonly NewsComment[];
  readonly isTruncated: boolean;
  /** All below the item that were not deleted. */
  readonly count: number;
};

/** The comments below an item of the index's tree, in the order of the page, as deep and as many as are wanted. */
export function commentsBelow(
  tree: unknown,
  { depth, comment_limit: most }: Pick<NewsItemInput, 'depth' | 'comment_limit'>,
): Comments {
  const waiting = list(at(tree, 'children'))
    .toReversed()
    .map((raw) => ({ raw, level: 1 }));
  const comments: NewsComment[] = [];
  let count = 0;
  let isTruncated = false;
  for (let visited = 0; visited < MOST_VISITED; visited++) {
    const next = waiting.pop();
    if (next === undefined) break;
    const { raw, level } = next;
    for (const child of list(at(raw, 'children')).toReversed()) waiting.push({ raw: child, level: level + 1 });
    const comment = fromTree(raw);
    if (comment === null) continue;
    if (comment.is_deleted !== true) count += 1;
    if (level > depth || comments.length >= most) isTruncated = true;
    else comments.push({ ...comment, depth: level });
  }
  return { comments, isTruncated: isTruncated || waiting.length > 0, count };
}
