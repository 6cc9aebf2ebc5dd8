import { z } from 'zod';
import { parseXml, type XmlElement } from '#extract/converters/xml.ts';
import { readLineAt, readSingleLine, selectAll, selectFirst } from '#extract/dom/elements.ts';
import type { ParsedPage } from '#extract/dom/parsed-page.ts';
import { getAttribute } from '#extract/html/tree.ts';
import { nameSchema } from '#extract/schema/names.ts';
import { toDirectUrl } from '#extract/values/web-urls.ts';
import type { EndpointSource } from '#sites/framework/endpoint.ts';
import { refuseParameter } from '#sites/framework/site.ts';

/** Levels of the filter for adult content. */
export const SAFE_LEVELS = ['off', 'moderate', 'strict'] as const;

/** Maximum ages of results. */
export const TIME_RANGES = ['day', 'week', 'month', 'year'] as const;

/** The engines whose result pages are parsed by default. */
export const ENGINES = ['duckduckgo', 'bing', 'brave', 'mojeek', 'google-news', 'bing-news'] as const;

export type EngineName = (typeof ENGINES)[number];

/** Engines whose result pages are parsed only if the caller names them. */
const OPTIONAL_ENGINES = ['yandex', 'baidu', 'ecosia'] as const;

export type OptionalEngine = (typeof OPTIONAL_ENGINES)[number];

/** The kind of results and the maximum number of pages of each engine. */
export const ENGINE_FACTS: Readonly<
  Record<EngineName, { readonly kind: 'organic' | 'news'; readonly mostPages: number }>
> = {
  duckduckgo: { kind: 'organic', mostPages: 10 },
  bing: { kind: 'organic', mostPages: 10 },
  brave: { kind: 'organic', mostPages: 10 },
  mojeek: { kind: 'organic', mostPages: 10 },
  'google-news': { kind: 'news', mostPages: 1 },
  'bing-news': { kind: 'news', mostPages: 1 },
};

/** A result on the page of an engine. Its URL is not validated yet: it may be one that must not be fetched. */
export const EngineResult = z.object({
  title: z.string(),
  url: z.string(),
  /** The address as the engine displays it; empty if it displays none. */
  url_shown: z.string(),
  description: z.string(),
  is_paid: z.boolean(),
  /** The publication time as the engine displays it, such as `3 days ago`. */
  published: z.string().nullable(),
  image_url: z.string().nullable(),
});

export type EngineResult = z.output<typeof EngineResult>;

const Link = z.object({
  title: z.string(),
  url: z.string(),
  source: z.string().nullable().describe('Publisher or site'),
});

/** The elements of a page besides its results. A field is null if the page has none, or is not parsed for it. */
export const EngineFeatures = nameSchema(
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

/** One page of results, in the order of the engine. */
export const EngineRecord = z.object({
  results: z.array(EngineResult).readonly(),
  /** Whether there is a further page; null if there are no results. */
  has_more: z.boolean().nullable(),
  features: EngineFeatures.nullable(),
});

export type EngineRecord = z.output<typeof EngineRecord>;

/** Builds a result. It is organic unless `is_paid` is set, and missing fields are empty or null. */
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

/** Computes the offset of the first result of a page, counted from 0. */
export function computeOffset({ page }: EngineInput, size: number): number {
  return (page - 1) * size;
}

/** Returns the language code without a region, such as `de` for `de-AT`; null if no language is set. */
export function getLanguageCode({ language }: EngineInput): string | null {
  return language?.split('-')[0]?.toLowerCase() ?? null;
}

/** Builds the `language` member of a request; an empty object if no language is set. */
export function buildLanguageOption({ language }: EngineInput): { readonly language?: string } {
  return language === undefined ? {} : { language };
}

type TimeRange = NonNullable<EngineInput['time_range']>;

/** Formats the time range for an engine; null if none is set. Throws `invalid_request` if the engine does not support it. */
export function formatTimeRange(
  { time_range: range }: Pick<EngineInput, 'time_range'>,
  words: Readonly<Partial<Record<TimeRange, string>>>,
): string | null {
  if (range === undefined) return null;
  return words[range] ?? refuseParameter('time_range', `this engine has no results of a ${range}`);
}

/** The CSS selectors of a page of results. All but `box` apply within one box. */
export type ResultSelectors = {
  /** The element of one result. */
  readonly box: string;
  readonly link: string;
  /** By default the link. */
  readonly title?: string;
  readonly description: readonly string[];
  readonly shownUrl: string;
  readonly published?: string;
  /** Whether a box is not a result, but for example an ad. */
  readonly isOther?: (page: ParsedPage, box: number) => boolean;
  /** Resolves the target of a link through the engine's own redirects. By default the link itself. */
  readonly resolveHref?: (href: string) => string;
  /** Finds the target in the box. It takes precedence over the link; null if the box has none. */
  readonly findTarget?: (box: number) => string | null;
};

/** Reads the results of a page on which each result has its own element. */
export function readResultList(page: ParsedPage, shape: ResultSelectors): readonly EngineResult[] {
  return selectAll(page, shape.box).flatMap((box) => {
    if (shape.isOther?.(page, box) === true) return [];
    const link = selectFirst(page, shape.link, box);
    const href = link === 0 ? null : getAttribute(page.tree, link, 'href');
    const title = shape.title === undefined ? readSingleLine(page, link) : readLineAt(page, shape.title, box);
    if (href === null || title === null) return [];
    const target = shape.findTarget?.(box) ?? shape.resolveHref?.(href) ?? href;
    return [
      buildEngineResult({
        title,
        // An invalid URL is kept, so that the caller counts it when it drops the result.
        url: toDirectUrl(target, page.url) ?? target,
        shown: readLineAt(page, shape.shownUrl, box),
        description:
          shape.description.map((selector) => readLineAt(page, selector, box)).find((text) => text !== null) ?? null,
        published: shape.published === undefined ? null : readLineAt(page, shape.published, box),
      }),
    ];
  });
}

/** An item of a feed of results. `readText` returns the text of a child element; null if there is none. */
type FeedItem = { readonly result: EngineResult; readonly readText: (name: string) => string | null };

/** Whether the text of a feed is complete. A truncated feed without items does not mean that there are no results. */
export function isCompleteFeed(source: string): boolean {
  return /<\/rss>\s*$/.test(source);
}

/** Reads the items of an RSS feed; none if the text is not RSS. */
export function readFeed(source: string, base: string): readonly FeedItem[] {
  const root = parseXml(source);
  const channel = root?.name === 'rss' ? root.children.find(({ name }) => name === 'channel') : undefined;
  if (channel === undefined) return [];
  return channel.children.flatMap((item) => (item.name === 'item' ? (parseFeedItem(item, base) ?? []) : []));
}

function parseFeedItem(item: XmlElement, base: string): FeedItem | null {
  const readChildText = (name: string): string | null =>
    item.children.find((child) => child.name === name)?.text.trim() || null;
  const title = readChildText('title');
  const link = readChildText('link');
  if (title === null || link === null) return null;
  const url = toDirectUrl(link, base) ?? link;
  const result = buildEngineResult({
    title,
    url,
    description: readChildText('description'),
    published: readChildText('pubdate'),
  });
  return { result, readText: readChildText };
}
