import { z } from 'zod';
import {
  selectAll,
  readAttributeAt,
  readLineAt,
  readSingleLine,
  selectFirst,
  parseRichText,
} from '#extract/dom/elements.ts';
import type { ParsedPage } from '#extract/dom/parsed-page.ts';
import { getAttribute, isElement, getNextSibling } from '#extract/html/tree.ts';
import { parseJsonValue } from '#extract/values/json.ts';
import { getPath, toCount, toInteger, toLine, toArray, toTimestamp, toCleanUrl } from '#extract/values/raw.ts';
import { answerEmpty, buildPage, type SiteAnswer, type SiteRecord, unusable } from '#sites/framework/answers.ts';
import type { SiteRequest } from '#sites/framework/request.ts';
import { HOME } from './site.ts';

const Text = z.string().nullable();
const Count = z.int().min(0).nullable();

export const NewsItem = z.object({
  id: z.string(),
  type: z.enum(['story', 'comment', 'job', 'poll', 'pollopt']),
  title: Text,
  url: z.string().describe('Address of the item in the forum'),
  link_url: Text.describe('The link of a story'),
  domain: Text,
  text_html: Text,
  text: Text,
  author: Text,
  score: z.int().nullable(),
  comment_count: Count.describe('Number of all comments on a story'),
  created_at: Text,
  parent_id: Text,
  story_id: Text,
  story_title: Text,
  is_dead: z.boolean().nullable(),
  is_deleted: z.boolean().nullable(),
});

export type NewsItem = z.output<typeof NewsItem>;

type ItemType = NewsItem['type'];

const TYPES: readonly ItemType[] = ['story', 'comment', 'job', 'poll', 'pollopt'];

/** Parses the type of an item. Null if the type is unknown. */
function parseItemType(raw: unknown): ItemType | null {
  return TYPES.find((type) => type === raw) ?? null;
}

/** Parses the id of an item. Null if it is not a positive number. */
export function parseItemId(raw: unknown): string | null {
  const id = toLine(raw);
  return id !== null && /^[1-9]\d{0,11}$/.test(id) ? id : null;
}

/** Builds an item that has only its id and type. */
export function buildEmptyItem(id: string, type: ItemType): NewsItem {
  return {
    id,
    type,
    title: null,
    url: `${HOME}/item?id=${id}`,
    link_url: null,
    domain: null,
    text_html: null,
    text: null,
    author: null,
    score: null,
    comment_count: null,
    created_at: null,
    parent_id: null,
    story_id: null,
    story_title: null,
    is_dead: null,
    is_deleted: null,
  };
}

/** Parses the link of a story. Null if it leads to the story's own page. */
function parseLink(raw: unknown): Pick<NewsItem, 'link_url' | 'domain'> {
  const address = toCleanUrl(raw, `${HOME}/`);
  const host = address === null ? null : new URL(address).host;
  if (host === null || address?.startsWith(`${HOME}/item?`) === true) return { link_url: null, domain: null };
  return { link_url: address, domain: host.replace(/^www\./, '') };
}

/** Parses the text of an item, in which `<p>` separates paragraphs. */
export function parseItemText(raw: unknown): Pick<NewsItem, 'text_html' | 'text'> {
  const rich = typeof raw === 'string' ? parseRichText(raw, `${HOME}/`) : null;
  return { text_html: rich?.html ?? null, text: rich?.text ?? null };
}

/** Parses an item of the forum's API. Null if the value is not an item. */
export function parseApiItem(raw: unknown): NewsItem | null {
  const id = parseItemId(getPath(raw, 'id'));
  const type = parseItemType(getPath(raw, 'type'));
  if (id === null || type === null) return null;
  return {
    ...buildEmptyItem(id, type),
    ...parseLink(getPath(raw, 'url')),
    ...parseItemText(getPath(raw, 'text')),
    title: toLine(getPath(raw, 'title')),
    author: toLine(getPath(raw, 'by')),
    score: toInteger(getPath(raw, 'score')),
    comment_count: toCount(getPath(raw, 'descendants'), null)?.value ?? null,
    created_at: toTimestamp(getPath(raw, 'time')),
    parent_id: parseItemId(getPath(raw, 'parent')) ?? parseItemId(getPath(raw, 'poll')),
    is_dead: getPath(raw, 'dead') === true,
    is_deleted: getPath(raw, 'deleted') === true,
  };
}

/** Parses an item of the index's comment tree. Null if the value is not an item. */
export function parseTreeItem(raw: unknown): NewsItem | null {
  const id = parseItemId(getPath(raw, 'id'));
  const type = parseItemType(getPath(raw, 'type'));
  if (id === null || type === null) return null;
  const author = toLine(getPath(raw, 'author'));
  const words = parseItemText(getPath(raw, 'text'));
  return {
    ...buildEmptyItem(id, type),
    ...parseLink(getPath(raw, 'url')),
    ...words,
    title: toLine(getPath(raw, 'title')),
    author,
    score: toInteger(getPath(raw, 'points')),
    created_at: toTimestamp(getPath(raw, 'created_at_i')) ?? toTimestamp(getPath(raw, 'created_at')),
    parent_id: parseItemId(getPath(raw, 'parent_id')),
    story_id: parseItemId(getPath(raw, 'story_id')),
    is_deleted: type === 'comment' ? author === null && words.text === null : null,
  };
}

/** Parses a search result of the index. Null if the value is not an item. */
function parseHit(raw: unknown): NewsItem | null {
  const id = parseItemId(getPath(raw, 'objectID'));
  const tags: unknown = getPath(raw, '_tags');
  const type = (Array.isArray(tags) ? tags.map(parseItemType) : []).find((found) => found !== null) ?? null;
  if (id === null || type === null) return null;
  return {
    ...buildEmptyItem(id, type),
    ...parseLink(getPath(raw, 'url')),
    ...parseItemText(getPath(raw, 'comment_text') ?? getPath(raw, 'story_text') ?? getPath(raw, 'job_text')),
    title: toLine(getPath(raw, 'title')),
    author: toLine(getPath(raw, 'author')),
    score: toInteger(getPath(raw, 'points')),
    comment_count: toCount(getPath(raw, 'num_comments'), null)?.value ?? null,
    created_at: toTimestamp(getPath(raw, 'created_at_i')) ?? toTimestamp(getPath(raw, 'created_at')),
    parent_id: parseItemId(getPath(raw, 'parent_id')),
    story_id: parseItemId(getPath(raw, 'story_id')),
    story_title: toLine(getPath(raw, 'story_title')),
  };
}

/**
 * A page of the index, counted from 1, and its size. The size is included because a caller may change `limit` between
 * pages.
 */
type PageToken = { readonly page: number; readonly size: number };

/** Parses a cursor. Null if there is none. */
export function parsePageToken(cursor: string | null): PageToken | null {
  const [, page, size] = /^(\d{1,4})x(\d{1,3})$/.exec(cursor ?? '') ?? [];
  return page === undefined || size === undefined ? null : { page: Number(page), size: Number(size) };
}

type IndexQuery = { readonly tags: string | null; readonly byDate: boolean; readonly query: string | null };

export function buildIndexRequest({ tags, byDate, query }: IndexQuery, { page, size }: PageToken): SiteRequest {
  return {
    origin: 'search',
    path: byDate ? '/api/v1/search_by_date' : '/api/v1/search',
    query: { query, tags, page: page - 1, hitsPerPage: size },
  };
}

type HitList = {
  /** Builds a page of a list, or `empty()` if the index found nothing. */
  readonly toPage: <T extends object>(
    toRecord: (items: readonly NewsItem[], total: number | null) => T,
  ) => SiteRecord<T> | SiteAnswer;
};

/** Parses an answer of the index. `query` is the expected search text, or null if there was none. */
export function parseHits(body: string, query: string | null): HitList | { readonly refusal: SiteAnswer } {
  const raw = parseJsonValue(body);
  const hits = getPath(raw, 'hits');
  if (!Array.isArray(hits)) return { refusal: unusable('the results of the search index are missing') };
  if (query !== null && (toLine(getPath(raw, 'query')) ?? query) !== query) {
    return { refusal: unusable('results of another search') };
  }
  const items = toArray(hits).flatMap((hit) => parseHit(hit) ?? []);
  if (items.length === 0 && hits.length > 0) return { refusal: unusable('no readable items') };
  const count = (name: string): number | null => toCount(getPath(raw, name), null)?.value ?? null;
  const [page, pages, size] = [count('page') ?? 0, count('nbPages') ?? 0, count('hitsPerPage') ?? items.length];
  const total = count('nbHits');
  return {
    toPage: (toRecord) =>
      items.length === 0
        ? answerEmpty()
        : buildPage(toRecord(items, total), page + 1 < pages ? `${page + 2}x${size}` : null),
  };
}

/** Parses the row of a story and the row below it. Null if the row is not a story. */
export function parseStoryRow(page: ParsedPage, row: number): NewsItem | null {
  const id = parseItemId(getAttribute(page.tree, row, 'id'));
  const heading = selectFirst(page, '.titleline', row);
  // Pages of earlier years mark the link itself.
  const link =
    heading === 0
      ? selectFirst(page, '.titlelink', row) || selectFirst(page, '.storylink', row)
      : selectFirst(page, 'a', heading);
  const title = readSingleLine(page, link);
  if (id === null || title === null) return null;
  const below = findNextRow(page, row);
  const links = selectAll(page, 'a', below)
    .filter((node) => getAttribute(page.tree, node, 'href') === `item?id=${id}`)
    .flatMap((node) => readSingleLine(page, node) ?? []);
  const author = readLineAt(page, '.hnuser', below);
  // Jobs have neither an author nor points.
  const type = author === null && selectFirst(page, '.score', below) === 0 ? 'job' : 'story';
  return {
    ...buildEmptyItem(id, type),
    ...parseLink(getAttribute(page.tree, link, 'href')),
    title,
    author,
    score: toInteger(/^-?\d+/.exec(readLineAt(page, '.score', below) ?? '')?.[0]),
    comment_count: type === 'job' ? null : parseCommentCount(links),
    created_at: parseAge(page, below),
  };
}

function findNextRow({ tree }: ParsedPage, row: number): number {
  let next = getNextSibling(tree, row);
  while (next !== 0 && !isElement(tree, next)) next = getNextSibling(tree, next);
  return next;
}

/** The link reads `discuss` if there are no comments. */
function parseCommentCount(links: readonly string[]): number | null {
  if (links.includes('discuss')) return 0;
  const counted = links.find((text) => /^\d+\s+comments?$/.test(text));
  return counted === undefined ? null : (toCount(counted.split(' ')[0], null)?.value ?? null);
}

/** Parses the time of an item: a Unix time in newer pages, else a time in UTC without its zone. */
export function parseAge(page: ParsedPage, scope: number): string | null {
  const title = toLine(readAttributeAt(page, '.age', 'title', scope));
  const [stamp, seconds] = title?.split(' ') ?? [];
  return toTimestamp(seconds) ?? (stamp === undefined ? null : toTimestamp(stamp.endsWith('Z') ? stamp : `${stamp}Z`));
}
