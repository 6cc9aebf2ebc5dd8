import { z } from 'zod';
import { readRich } from '#extract/dom/elements.ts';
import { line, url } from '#extract/values/raw.ts';
import { TECHNEWS_HOME } from './site.ts';

const Text = z.string().nullable();
const Count = z.int().min(0).nullable();

export const NewsItem = z.object({
  id: z.string(),
  type: z.enum(['story', 'comment', 'job', 'poll', 'pollopt']),
  title: Text,
  url: z.string().describe('Its page in the forum'),
  link_url: Text.describe('Where a story leads'),
  domain: Text,
  text_html: Text,
  text: Text,
  author: Text,
  score: z.int().nullable(),
  comment_count: Count.describe('All comments below a story'),
  created_at: Text,
  parent_id: Text,
  story_id: Text,
  story_title: Text,
  is_dead: z.boolean().nullable(),
  is_deleted: z.boolean().nullable(),
});

export type NewsItem = z.output<typeof NewsItem>;

export type NewsType = NewsItem['type'];

const TYPES: readonly NewsType[] = ['story', 'comment', 'job', 'poll', 'pollopt'];

/** The kind of an item by the forum's word for it, null for any other. */
export function newsTypeOf(raw: unknown): NewsType | null {
  return TYPES.find((type) => type === raw) ?? null;
}

/** The number of an item; null for what is none. */
export function newsIdOf(raw: unknown): string | null {
  const id = line(raw);
  return id !== null && /^[1-9]\d{0,11}$/.test(id) ? id : null;
}

/** An item of which no more is known than its number and kind. */
export function bareItem(id: string, type: NewsType): NewsItem {
  return {
    id,
    type,
    title: null,
    url: `${TECHNEWS_HOME}/item?id=${id}`,
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

/** Where a story leads; nowhere where that is its own page. */
export function outwardLink(raw: unknown): Pick<NewsItem, 'link_url' | 'domain'> {
  const address = url(raw, `${TECHNEWS_HOME}/`);
  const host = address === null ? null : new URL(address).host;
  if (host === null || address?.startsWith(`${TECHNEWS_HOME}/item?`) === true) return { link_url: null, domain: null };
  return { link_url: address, domain: host.replace(/^www\./, '') };
}

/** The text of an item, whose paragraphs are parted by a tag. */
export function wordsOfItem(raw: unknown): Pick<NewsItem, 'text_html' | 'text'> {
  const rich = typeof raw === 'string' ? readRich(raw, `${TECHNEWS_HOME}/`) : null;
  return { text_html: rich?.html ?? null, text: rich?.text ?? null };
}
