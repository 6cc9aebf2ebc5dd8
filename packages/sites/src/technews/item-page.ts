import { notFound, unusable } from '#sites/framework/answers.ts';
import type { SourcePage } from '#sites/framework/request.ts';
import { attributeOf } from '#extract/html/tree.ts';
import { all, attributeAt, lineAt, lineOf, one, richOf } from '#extract/dom/elements.ts';
import { parsePage } from '#extract/dom/parsed-page.ts';
import type { ParsedPage } from '#extract/dom/parsed-page.ts';
import { integer } from '#extract/values/raw.ts';
import type { NewsItemInput, NewsComment } from './item-input.ts';
import { bareItem, newsIdOf } from './item-record.ts';
import type { NewsItem } from './item-record.ts';
import { ageOf, readStoryRow } from './rows.ts';

/** The width of one step of a margin. */
const MARGIN = 40;

/** The page of an item: a story or a comment, with the comments below it. */
export function readNewsPage(source: SourcePage, id: string, { depth, comment_limit: most }: NewsItemInput) {
  if (/^\s*No such item\.?\s*$/.test(source.body)) return notFound('there is no such item');
  const page = parsePage(source.body, source.url);
  const head = one(page, '.fatitem');
  const row = head === 0 ? 0 : one(page, 'tr.athing', head);
  const item = row === 0 ? null : (storyIn(page, head, row) ?? commentIn(page, row));
  if (item?.id !== id) return unusable('the item asked for');
  const rows = all(page, 'tr.comtr').flatMap((node) => {
    const comment = node === row ? null : commentIn(page, node);
    return comment === null ? [] : [{ ...comment, depth: levelOf(page, node) + 1 } satisfies NewsComment];
  });
  const comments = rows.filter((comment) => comment.depth <= depth).slice(0, most);
  const isMore = one(page, 'a.morelink') !== 0 || comments.length < rows.length;
  return { item, comments: depth === 0 ? null : comments, comments_truncated: depth === 0 ? null : isMore };
}

/** How deep a comment stands: by its number, or by the width of its margin on pages of earlier years. */
function levelOf(page: ParsedPage, row: number): number {
  const width = integer(attributeAt(page, 'td.ind img', 'width', row));
  return integer(attributeAt(page, 'td.ind', 'indent', row)) ?? Math.floor((width ?? 0) / MARGIN);
}

function storyIn(page: ParsedPage, head: number, row: number): NewsItem | null {
  const story = readStoryRow(page, row);
  const rich = richOf(page, one(page, '.toptext', head));
  return story === null ? null : { ...story, text_html: rich?.html ?? null, text: rich?.text ?? null };
}

function commentIn(page: ParsedPage, row: number): NewsItem | null {
  const id = newsIdOf(attributeOf(page.tree, row, 'id'));
  if (id === null || one(page, '.comhead', row) === 0) return null;
  const rich = richOf(page, one(page, '.commtext', row));
  const parent = all(page, 'a', row).find((node) => lineOf(page, node) === 'parent');
  const above = /[?&#](?:id=)?(\d+)$/.exec(
    parent === undefined ? '' : (attributeOf(page.tree, parent, 'href') ?? ''),
  )?.[1];
  return {
    ...bareItem(id, 'comment'),
    text_html: rich?.html ?? null,
    text: rich?.text ?? null,
    author: lineAt(page, '.hnuser', row),
    created_at: ageOf(page, row),
    parent_id: newsIdOf(above),
    story_title: lineAt(page, '.onstory a', row),
    is_deleted: rich === null,
  };
}
