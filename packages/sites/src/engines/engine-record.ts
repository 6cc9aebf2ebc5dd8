import { z } from 'zod';
import { readXml, type XmlElement } from '#extract/converters/xml.ts';
import { all, lineAt, lineOf, one } from '#extract/dom/elements.ts';
import type { ParsedPage } from '#extract/dom/parsed-page.ts';
import { attributeOf } from '#extract/html/tree.ts';
import { named } from '#extract/schema/names.ts';
import { toPlainUrl } from '#extract/values/web-urls.ts';
import type { EndpointSource } from '#sites/framework/endpoint.ts';
import { refuseParameter } from '#sites/framework/site.ts';
import { SAFE_LEVELS, TIME_RANGES } from './names.ts';

/** A result as the page of an engine shows it; its address may still be none that anybody may visit. */
export const EngineResult = z.object({
  title: z.string(),
  url: z.string(),
  /** The address as the engine shows it, empty where it shows none. */
  url_shown: z.string(),
  description: z.string(),
  is_paid: z.boolean(),
  /** When it was published, in the engine's words. */
  published: z.string().nullable(),
  image_url: z.string().nullable(),
});

export type EngineResult = z.output<typeof EngineResult>;

const Link = z.object({
  title: z.string(),
  url: z.string(),
  source: z.string().nullable().describe('Publisher or site'),
});

/** What an engine shows beside its results; null where its page does not say, or is not read for it. */
export const EngineFeatures = named(
  'EngineFeatures',
  z.object({
    people_also_ask: z.array(z.string()).readonly().nullable(),
    related_searches: z.array(z.string()).readonly().nullable(),
    knowledge_panel: z
      .object({ title: z.string(), subtitle: z.string().nullable(), description: z.string().nullable() })
      .nullable(),
    top_stories: z.array(Link).readonly().nullable(),
    videos: z.array(Link).readonly().nullable(),
    local_results: z
      .array(z.object({ title: z.string(), details: z.string().nullable() }))
      .readonly()
      .nullable(),
    ai_overview: z.object({ text: z.string(), sources: z.array(Link).readonly() }).nullable(),
  }),
);

export type EngineFeatures = z.output<typeof EngineFeatures>;

/** One page of results of an engine, in the order in which it shows them. */
export const EngineRecord = z.object({
  results: z.array(EngineResult).readonly(),
  /** Null of an engine that found nothing. */
  has_more: z.boolean().nullable(),
  features: EngineFeatures.nullable(),
});

export type EngineRecord = z.output<typeof EngineRecord>;

/** A result that is organic and of which the engine says no more than these. */
export function buildEngineResult({
  title,
  url,
  shown = null,
  description = null,
  ...rest
}: Pick<EngineResult, 'title' | 'url'> &
  Partial<Pick<EngineResult, 'is_paid' | 'published' | 'image_url'>> & {
    readonly shown?: string | null;
    readonly description?: string | null;
  }): EngineResult {
  return {
    title,
    url,
    url_shown: shown ?? '',
    description: description ?? '',
    is_paid: false,
    published: null,
    image_url: null,
    ...rest,
  };
}

export const EngineInput = z.object({
  search: z.string().min(1),
  country: z.string().optional().describe('ISO 3166-1 alpha-2'),
  language: z.string().optional().describe('BCP 47'),
  page: z.int().min(1).default(1),
  safe: z.enum(SAFE_LEVELS).optional(),
  time_range: z.enum(TIME_RANGES).optional(),
});

export type EngineInput = z.output<typeof EngineInput>;
export type EngineSource = EndpointSource<typeof EngineInput, typeof EngineRecord>;

/** The number of the first result of a page, from 0. */
export function computeOffset({ page }: EngineInput, size: number): number {
  return (page - 1) * size;
}

/** The language in two letters, null for none. */
export function getLanguageCode({ language }: EngineInput): string | null {
  return language?.split('-')[0]?.toLowerCase() ?? null;
}

/** The language that a page is asked for in. */
export function buildLanguageOption({ language }: EngineInput): { readonly language?: string } {
  return language === undefined ? {} : { language };
}

type TimeRange = NonNullable<EngineInput['time_range']>;

/** How an engine writes the time range, null for none. Throws `invalid_request` for one that it does not have. */
export function formatTimeRange(
  { time_range: range }: Pick<EngineInput, 'time_range'>,
  words: Readonly<Partial<Record<TimeRange, string>>>,
): string | null {
  if (range === undefined) return null;
  return words[range] ?? refuseParameter('time_range', `this engine has no results of a ${range}`);
}

/** Where a page of results holds what, by CSS selectors. */
export type ResultSelectors = {
  readonly box: string;
  /** Within a box, as all that follow. */
  readonly link: string;
  /** The link itself unless given. */
  readonly title?: string;
  readonly description: readonly string[];
  readonly shownUrl: string;
  readonly published?: string;
  /** Boxes that are no results. */
  readonly isOther?: (page: ParsedPage, box: number) => boolean;
  /** What a link leads to, where that is neither the link nor named by a redirector. */
  readonly resolveHref?: (href: string) => string;
  /** The same where the box says it. */
  readonly findTarget?: (box: number) => string | null;
};

/** The results of a page that has one box for each. */
export function readResultList(page: ParsedPage, shape: ResultSelectors): readonly EngineResult[] {
  return all(page, shape.box).flatMap((box) => {
    if (shape.isOther?.(page, box) === true) return [];
    const link = one(page, shape.link, box);
    const href = link === 0 ? null : attributeOf(page.tree, link, 'href');
    const title = shape.title === undefined ? lineOf(page, link) : lineAt(page, shape.title, box);
    if (href === null || title === null) return [];
    const target = shape.findTarget?.(box) ?? shape.resolveHref?.(href) ?? href;
    return [
      buildEngineResult({
        title,
        // An address that is none stays as it is, so that it is counted where it is dropped.
        url: toPlainUrl(target, page.url) ?? target,
        shown: lineAt(page, shape.shownUrl, box),
        description:
          shape.description.map((selector) => lineAt(page, selector, box)).find((text) => text !== null) ?? null,
        published: shape.published === undefined ? null : lineAt(page, shape.published, box),
      }),
    ];
  });
}

/** An item of a feed of results: its text by element, and its result. */
type FeedItem = { readonly result: EngineResult; readonly readText: (name: string) => string | null };

/** Whether a page is a whole feed; half of one says nothing of what it lacks. */
export function isCompleteFeed(source: string): boolean {
  return /<\/rss>\s*$/.test(source);
}

/** The items of a feed of results; none of what is no feed. */
export function readFeed(source: string, base: string): readonly FeedItem[] {
  const root = readXml(source);
  const channel = root?.name === 'rss' ? root.children.find(({ name }) => name === 'channel') : undefined;
  if (channel === undefined) return [];
  return channel.children.flatMap((item) => (item.name === 'item' ? (parseFeedItem(item, base) ?? []) : []));
}

function parseFeedItem(item: XmlElement, base: string): FeedItem | null {
  const textOf = (name: string): string | null =>
    item.children.find((child) => child.name === name)?.text.trim() || null;
  const title = textOf('title');
  const link = textOf('link');
  if (title === null || link === null) return null;
  const url = toPlainUrl(link, base) ?? link;
  const result = buildEngineResult({ title, url, description: textOf('description'), published: textOf('pubdate') });
  return { result, readText: textOf };
}
