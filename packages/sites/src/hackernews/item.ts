import { z } from 'zod';
import {
  selectAll,
  readAttributeAt,
  readLineAt,
  readSingleLine,
  selectFirst,
  readRichText,
} from '#extract/dom/elements.ts';
import { type ParsedPage, parsePage } from '#extract/dom/parsed-page.ts';
import { getAttribute } from '#extract/html/tree.ts';
import { wholeNumber } from '#extract/schema/whole-number.ts';
import { parseJsonValue } from '#extract/values/json.ts';
import { getPath, toInteger, toArray } from '#extract/values/raw.ts';
import { requestMore, notFound, markPartial, unusable } from '#sites/framework/answers.ts';
import type { EndpointSource } from '#sites/framework/endpoint.ts';
import type { SiteContext, SourcePage } from '#sites/framework/request.ts';
import { refuseReference, refuseLink } from '#sites/framework/site.ts';
import {
  buildEmptyItem,
  NewsItem,
  parseAge,
  parseApiItem,
  parseItemId,
  parseTreeItem,
  parseStoryRow,
} from './shared.ts';
import { hackerNews, PATH_KINDS } from './site.ts';

const ItemInput = z.object({
  id: z.string().min(1).max(50).optional().describe('The number of a story, comment, job or poll'),
  url: z.url().max(2000).optional().describe('Address of the item'),
  depth: wholeNumber(0, 100).default(100).describe('Maximum depth of replies; 0 for no comments'),
  comment_limit: wholeNumber(1, 2000).default(200).describe('Maximum number of comments'),
});

type ItemInput = z.output<typeof ItemInput>;

const NewsComment = NewsItem.extend({ depth: z.int().min(1).describe('1 for a reply to the item itself') });

type NewsComment = z.output<typeof NewsComment>;

const ItemAnswer = z.object({
  item: NewsItem,
  comments: z
    .array(NewsComment)
    .readonly()
    .nullable()
    .describe('In the order of the page; replies follow the comment to which they reply'),
  comments_truncated: z.boolean().nullable(),
});

type ItemSource = EndpointSource<typeof ItemInput, typeof ItemAnswer>;

/** The API has single items. The forum's index has all comments below an item in one answer. */
const apiSource: ItemSource = {
  name: 'api',
  request: (input, site) => ({ origin: 'api', path: `/v0/item/${readItemId(input, site)}.json` }),
  parse: parseApiAnswer,
};

const indexSource: ItemSource = {
  name: 'index',
  request: (input, site) => buildTreeRequest(readItemId(input, site)),
  parse: parseIndexAnswer,
};

const pageSource: ItemSource = {
  name: 'page',
  request: (input, site) => ({ origin: 'web', path: '/item', query: { id: readItemId(input, site) } }),
  parse: (source, input, site) => parseItemPage(source, readItemId(input, site), input),
};

export const hackerNewsItem = hackerNews({
  path: '/item',
  summary: 'A story, comment, job or poll with the comments below it',
  input: ItemInput,
  anyOf: ['id', 'url'],
  record: ItemAnswer,
  sources: [apiSource, indexSource, pageSource],
  expected: ['item.author', 'item.created_at'],
  canary: { id: '8863' },
});

function parseApiAnswer(
  { body, carry }: SourcePage,
  input: ItemInput,
  site: SiteContext,
): ReturnType<ItemSource['parse']> {
  const id = readItemId(input, site);
  const raw = parseJsonValue(body);
  if (carry !== undefined) return addComments(NewsItem.parse(carry), raw, input);
  if (raw === null) return notFound('there is no such item');
  const item = parseApiItem(raw);
  if (item?.id !== id) return unusable('the requested item is missing');
  if (input.depth === 0) return { item, ...NO_COMMENTS };
  if (toArray(getPath(raw, 'kids')).length === 0) return { item, comments: [], comments_truncated: false };
  return requestMore(buildTreeRequest(id), item, markPartial({ item, ...NO_COMMENTS }, 'the comments'));
}

function parseIndexAnswer({ body }: SourcePage, input: ItemInput, site: SiteContext): ReturnType<ItemSource['parse']> {
  const tree = parseJsonValue(body);
  const item = parseTreeItem(tree);
  if (item?.id !== readItemId(input, site)) return unusable('the requested item is missing');
  const { comments, isTruncated, count } = listComments(tree, input);
  const counted = item.type === 'story' ? { ...item, comment_count: count } : item;
  return input.depth === 0
    ? { item: counted, ...NO_COMMENTS }
    : { item: counted, comments, comments_truncated: isTruncated };
}

/** Reads the item's id from the input. Throws `not_found`, or `invalid_request` for another address. */
function readItemId({ id, url }: ItemInput, site: SiteContext): string {
  if (id !== undefined) return parseItemId(id) ?? refuseReference('id', 'is not an item of this forum');
  const place = site.locate(url ?? '');
  const query = place?.origin === 'web' && place.path.startsWith('/item?') ? place.path.slice('/item?'.length) : '';
  const number = parseItemId(new URLSearchParams(query).get('id'));
  return number ?? refuseLink({ parameter: 'url', place, kinds: PATH_KINDS, wanted: 'an item' });
}

const NO_COMMENTS = { comments: null, comments_truncated: null };

function buildTreeRequest(id: string) {
  return { origin: 'search', path: `/api/v1/items/${id}` };
}

function addComments(item: NewsItem, tree: unknown, input: ItemInput): ReturnType<ItemSource['parse']> {
  const top = parseTreeItem(tree);
  if (top?.id !== item.id) return unusable('the comments of the item are missing');
  const { comments, isTruncated } = listComments(tree, input);
  const { story_id: story } = top;
  return { item: { ...item, story_id: story }, comments, comments_truncated: isTruncated };
}

/** Width of one level of indentation. */
const MARGIN_PX = 40;

/** Parses the page of a story or a comment, with the comments below it. */
function parseItemPage(source: SourcePage, id: string, { depth, comment_limit: maxComments }: ItemInput) {
  if (/^\s*No such item\.?\s*$/.test(source.body)) return notFound('there is no such item');
  const page = parsePage(source.body, source.url);
  const head = selectFirst(page, '.fatitem');
  const row = head === 0 ? 0 : selectFirst(page, 'tr.athing', head);
  const item = row === 0 ? null : (parseStory(page, head, row) ?? parseComment(page, row));
  if (item?.id !== id) return unusable('the requested item is missing');
  const rows = selectAll(page, 'tr.comtr').flatMap((node) => {
    const comment = node === row ? null : parseComment(page, node);
    return comment === null ? [] : [{ ...comment, depth: parseLevel(page, node) + 1 } satisfies NewsComment];
  });
  const comments = rows.filter((comment) => comment.depth <= depth).slice(0, maxComments);
  const isMore = selectFirst(page, 'a.morelink') !== 0 || comments.length < rows.length;
  return { item, comments: depth === 0 ? null : comments, comments_truncated: depth === 0 ? null : isMore };
}

/** Parses the depth of a comment. Older pages have only the width of its indentation. */
function parseLevel(page: ParsedPage, row: number): number {
  const width = toInteger(readAttributeAt(page, 'td.ind img', 'width', row));
  return toInteger(readAttributeAt(page, 'td.ind', 'indent', row)) ?? Math.floor((width ?? 0) / MARGIN_PX);
}

function parseStory(page: ParsedPage, head: number, row: number): NewsItem | null {
  const story = parseStoryRow(page, row);
  const rich = readRichText(page, selectFirst(page, '.toptext', head));
  return story === null ? null : { ...story, text_html: rich?.html ?? null, text: rich?.text ?? null };
}

function parseComment(page: ParsedPage, row: number): NewsItem | null {
  const id = parseItemId(getAttribute(page.tree, row, 'id'));
  if (id === null || selectFirst(page, '.comhead', row) === 0) return null;
  const rich = readRichText(page, selectFirst(page, '.commtext', row));
  const parent = selectAll(page, 'a', row).find((node) => readSingleLine(page, node) === 'parent');
  const above = /[?&#](?:id=)?(\d+)$/.exec(
    parent === undefined ? '' : (getAttribute(page.tree, parent, 'href') ?? ''),
  )?.[1];
  return {
    ...buildEmptyItem(id, 'comment'),
    text_html: rich?.html ?? null,
    text: rich?.text ?? null,
    author: readLineAt(page, '.hnuser', row),
    created_at: parseAge(page, row),
    parent_id: parseItemId(above),
    story_title: readLineAt(page, '.onstory a', row),
    is_deleted: rich === null,
  };
}

const MAX_VISITED = 50_000;

type CommentList = {
  readonly comments: readonly NewsComment[];
  readonly isTruncated: boolean;
  /** All comments below the item that are not deleted. */
  readonly count: number;
};

/** Lists the comments below an item of the index's tree in the order of the page, up to the given depth and number. */
function listComments(
  tree: unknown,
  { depth, comment_limit: maxComments }: Pick<ItemInput, 'depth' | 'comment_limit'>,
): CommentList {
  const waiting = toArray(getPath(tree, 'children'))
    .toReversed()
    .map((raw) => ({ raw, level: 1 }));
  const comments: NewsComment[] = [];
  let count = 0;
  let isTruncated = false;
  for (let visited = 0; visited < MAX_VISITED; visited++) {
    const next = waiting.pop();
    if (next === undefined) break;
    const { raw, level } = next;
    for (const child of toArray(getPath(raw, 'children')).toReversed()) waiting.push({ raw: child, level: level + 1 });
    const comment = parseTreeItem(raw);
    if (comment === null) continue;
    if (comment.is_deleted !== true) count += 1;
    if (level > depth || comments.length >= maxComments) isTruncated = true;
    else comments.push({ ...comment, depth: level });
  }
  return { comments, isTruncated: isTruncated || waiting.length > 0, count };
}
