import { z } from 'zod';
import { all, attributeAt, lineAt, lineOf, one, readRich } from '#extract/dom/elements.ts';
import type { ParsedPage } from '#extract/dom/parsed-page.ts';
import { attributeOf, isElement, nextOf } from '#extract/html/tree.ts';
import { tryParse } from '#extract/values/json.ts';
import { at, countOf, integer, line, list, moment, url } from '#extract/values/raw.ts';
import { empty, pageOf, type SiteAnswer, type SiteRecord, unusable } from '#sites/framework/answers.ts';
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
  const id = line(raw);
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
  const address = url(raw, `${HOME}/`);
  const host = address === null ? null : new URL(address).host;
  if (host === null || address?.startsWith(`${HOME}/item?`) === true) return { link_url: null, domain: null };
  return { link_url: address, domain: host.replace(/^www\./, '') };
}

/** Parses the text of an item, in which `<p>` separates paragraphs. */
export function parseItemText(raw: unknown): Pick<NewsItem, 'text_html' | 'text'> {
  const rich = typeof raw === 'string' ? readRich(raw, `${HOME}/`) : null;
  return { text_html: rich?.html ?? null, text: rich?.text ?? null };
}

/** Parses an item of the forum's API. Null if the value is not an item. */
export function parseApiItem(raw: unknown): NewsItem | null {
  const id = parseItemId(at(raw, 'id'));
  const type = parseItemType(at(raw, 'type'));
  if (id === null || type === null) return null;
  return {
    ...buildEmptyItem(id, type),
    ...parseLink(at(raw, 'url')),
    ...parseItemText(at(raw, 'text')),
    title: line(at(raw, 'title')),
    author: line(at(raw, 'by')),
    score: integer(at(raw, 'score')),
    comment_count: countOf(at(raw, 'descendants'), null)?.value ?? null,
    created_at: moment(at(raw, 'time')),
    parent_id: parseItemId(at(raw, 'parent')) ?? parseItemId(at(raw, 'poll')),
    is_dead: at(raw, 'dead') === true,
    is_deleted: at(raw, 'deleted') === true,
  };
}

/** Parses an item of the index's comment tree. Null if the value is not an item. */
export function parseTreeItem(raw: unknown): NewsItem | null {
  const id = parseItemId(at(raw, 'id'));
  const type = parseItemType(at(raw, 'type'));
  if (id === null || type === null) return null;
  const author = line(at(raw, 'author'));
  const words = parseItemText(at(raw, 'text'));
  return {
    ...buildEmptyItem(id, type),
    ...parseLink(at(raw, 'url')),
    ...words,
    title: line(at(raw, 'title')),
    author,
    score: integer(at(raw, 'points')),
    created_at: moment(at(raw, 'created_at_i')) ?? moment(at(raw, 'created_at')),
    parent_id: parseItemId(at(raw, 'parent_id')),
    story_id: parseItemId(at(raw, 'story_id')),
    is_deleted: type === 'comment' ? author === null && words.text === null : null,
  };
}

/** Parses a search result of the index. Null if the value is not an item. */
function parseHit(raw: unknown): NewsItem | null {
  const id = parseItemId(at(raw, 'objectID'));
  const tags: unknown = at(raw, '_tags');
  const type = (Array.isArray(tags) ? tags.map(parseItemType) : []).find((found) => found !== null) ?? null;
  if (id === null || type === null) return null;
  return {
    ...buildEmptyItem(id, type),
    ...parseLink(at(raw, 'url')),
    ...parseItemText(at(raw, 'comment_text') ?? at(raw, 'story_text') ?? at(raw, 'job_text')),
    title: line(at(raw, 'title')),
    author: line(at(raw, 'author')),
    score: integer(at(raw, 'points')),
    comment_count: countOf(at(raw, 'num_comments'), null)?.value ?? null,
    created_at: moment(at(raw, 'created_at_i')) ?? moment(at(raw, 'created_at')),
    parent_id: parseItemId(at(raw, 'parent_id')),
    story_id: parseItemId(at(raw, 'story_id')),
    story_title: line(at(raw, 'story_title')),
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
  const raw = tryParse(body);
  const hits = at(raw, 'hits');
  if (!Array.isArray(hits)) return { refusal: unusable('the results of the search index') };
  if (query !== null && (line(at(raw, 'query')) ?? query) !== query) {
    return { refusal: unusable('the results of another search') };
  }
  const items = list(hits).flatMap((hit) => parseHit(hit) ?? []);
  if (items.length === 0 && hits.length > 0) return { refusal: unusable('items that can be read') };
  const count = (name: string): number | null => countOf(at(raw, name), null)?.value ?? null;
  const [page, pages, size] = [count('page') ?? 0, count('nbPages') ?? 0, count('hitsPerPage') ?? items.length];
  const total = count('nbHits');
  return {
    toPage: (toRecord) =>
      items.length === 0 ? empty() : pageOf(toRecord(items, total), page + 1 < pages ? `${page + 2}x${size}` : null),
  };
}

/** Parses the row of a story and the row below it. Null if the row is not a story. */
export function parseStoryRow(page: ParsedPage, row: number): NewsItem | null {
  const id = parseItemId(attributeOf(page.tree, row, 'id'));
  const heading = one(page, '.titleline', row);
  // Pages of earlier years mark the link itself.
  const link = heading === 0 ? one(page, '.titlelink', row) || one(page, '.storylink', row) : one(page, 'a', heading);
  const title = lineOf(page, link);
  if (id === null || title === null) return null;
  const below = findNextRow(page, row);
  const links = all(page, 'a', below)
    .filter((node) => attributeOf(page.tree, node, 'href') === `item?id=${id}`)
    .flatMap((node) => lineOf(page, node) ?? []);
  const author = lineAt(page, '.hnuser', below);
  // Jobs have neither an author nor points.
  const type = author === null && one(page, '.score', below) === 0 ? 'job' : 'story';
  return {
    ...buildEmptyItem(id, type),
    ...parseLink(attributeOf(page.tree, link, 'href')),
    title,
    author,
    score: integer(/^-?\d+/.exec(lineAt(page, '.score', below) ?? '')?.[0]),
    comment_count: type === 'job' ? null : parseCommentCount(links),
    created_at: parseAge(page, below),
  };
}

function findNextRow({ tree }: ParsedPage, row: number): number {
  let next = nextOf(tree, row);
  while (next !== 0 && !isElement(tree, next)) next = nextOf(tree, next);
  return next;
}

/** The link reads `discuss` if there are no comments. */
function parseCommentCount(links: readonly string[]): number | null {
  if (links.includes('discuss')) return 0;
  const counted = links.find((text) => /^\d+\s+comments?$/.test(text));
  return counted === undefined ? null : (countOf(counted.split(' ')[0], null)?.value ?? null);
}

/** Parses the time of an item: a Unix time in newer pages, else a time in UTC without its zone. */
export function parseAge(page: ParsedPage, scope: number): string | null {
  const title = line(attributeAt(page, '.age', 'title', scope));
  const [stamp, seconds] = title?.split(' ') ?? [];
  return moment(seconds) ?? (stamp === undefined ? null : moment(stamp.endsWith('Z') ? stamp : `${stamp}Z`));
}
