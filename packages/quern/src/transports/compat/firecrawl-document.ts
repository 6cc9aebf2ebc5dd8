import { z } from 'zod';
import { toChangeTracking } from './firecrawl-changes.ts';
import { isJsonObject, type JsonObject } from '#extract/values/json-object.ts';

/** The members of a page of Quern, from a fetch or a crawl, that a document is made of. */
const PageBody = z.looseObject({
  url: z.string(),
  final_url: z.string().optional(),
  status_code: z.number(),
  content_type: z.string().optional(),
  metadata: z.record(z.string(), z.unknown()).default({}),
  links: z.array(z.object({ url: z.string() })).optional(),
  images: z.array(z.object({ url: z.string() })).optional(),
  attributes: z
    .array(z.object({ selector: z.string(), attribute: z.string(), values: z.array(z.string()) }))
    .optional(),
  structured_data: z.looseObject({ opengraph: z.record(z.string(), z.unknown()) }).optional(),
  warnings: z.array(z.object({ code: z.string(), message: z.string() })).default([]),
  cache: z.object({ hit: z.boolean() }).optional(),
  passages: z.array(z.string()).optional(),
  answer: z.string().nullish(),
  tier: z.string().optional(),
  credits: z.number().optional(),
});

type PageBody = z.output<typeof PageBody>;

/** What the caller asked for, and facts that are not part of a page. */
export type DocumentFacts = {
  /** The formats that the caller asked for, as outputs of Quern. */
  readonly requested: readonly string[];
  readonly creditsUsed: number;
  readonly tier: string | null;
  /** Sentences about what was not honoured. */
  readonly warnings: readonly string[];
  /** Builds an address of a file that needs no key. */
  readonly toFileUrl: (artifactId: string) => string;
};

/** Names of Quern's outputs in a document, where they differ. */
const NAMES: Readonly<Record<string, string>> = {
  markdown: 'markdown',
  html: 'html',
  raw_html: 'rawHtml',
  summary: 'summary',
  json: 'json',
};

/** Converts a page of Quern to a document of Firecrawl. */
export function toDocument(body: JsonObject, facts: DocumentFacts): JsonObject {
  const page = PageBody.parse(body);
  const has = (name: string): boolean => facts.requested.includes(name);
  const texts = Object.entries(NAMES).filter(([name]) => has(name) && body[name] !== undefined);
  const shot = body['screenshot'];
  const warnings = [...page.warnings.map(({ message }) => message), ...facts.warnings];
  return {
    ...Object.fromEntries(texts.map(([name, theirs]) => [theirs, body[name]])),
    ...(has('links') ? { links: listUrls(page.links) } : {}),
    ...(has('images') ? { images: listUrls(page.images) } : {}),
    ...(has('attributes') ? { attributes: page.attributes?.filter((one) => !isOwnAttribute(one)) ?? [] } : {}),
    ...(isJsonObject(shot) && typeof shot['id'] === 'string' ? { screenshot: facts.toFileUrl(shot['id']) } : {}),
    ...(has('passages') ? toQuotes(page) : {}),
    ...(has('changes') ? toChangeTracking(body['changes']) : {}),
    metadata: toMetadata(page, facts),
    ...(warnings.length === 0 ? {} : { warning: warnings.join('; ') }),
  };
}

/** The passages as text. They are also the answer if no model has answered. */
function toQuotes({ passages = [], answer }: PageBody): JsonObject {
  const highlights = passages.join('\n');
  return { answer: answer ?? highlights, highlights };
}

function listUrls(links: readonly { readonly url: string }[] = []): readonly string[] {
  return [...new Set(links.map(({ url }) => url))];
}

type Attribute = { readonly selector: string; readonly attribute: string };

/** Whether an attribute was only read for the metadata. */
function isOwnAttribute({ selector }: Attribute): boolean {
  return /^meta\[name="(?:keywords|robots)" i\]$/.test(selector);
}

function toMetadata(page: PageBody, { creditsUsed, tier }: DocumentFacts): JsonObject {
  const { metadata } = page;
  const served = page.tier ?? tier;
  const facts = {
    ...toOpenGraph(page.structured_data?.opengraph ?? {}),
    title: metadata['title'],
    description: metadata['description'],
    language: metadata['language'],
    keywords: readMeta(page, 'keywords'),
    robots: readMeta(page, 'robots'),
    publishedTime: metadata['published_at'] ?? metadata['published_date'],
    modifiedTime: metadata['modified_at'],
    numPages: metadata['page_count'],
    sourceURL: page.url,
    url: page.final_url ?? page.url,
    statusCode: page.status_code,
    contentType: page.content_type,
    proxyUsed: served === 'proxy' || served === 'proxy_browser' ? 'stealth' : 'basic',
    cacheState: page.cache?.hit === true ? 'hit' : 'miss',
    creditsUsed: page.credits ?? creditsUsed,
    error: page.status_code >= 400 ? `the site answered with status ${page.status_code}` : undefined,
  };
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== null && value !== undefined));
}

function readMeta({ attributes = [] }: PageBody, name: string): string | undefined {
  return attributes.find(({ selector }) => selector === `meta[name="${name}" i]`)?.values[0];
}

/** Names the properties of Open Graph as documents do: `og:site_name` becomes `ogSiteName`. */
function toOpenGraph(properties: Readonly<Record<string, unknown>>): JsonObject {
  const named = Object.entries(properties).filter(
    ([name, value]) => /^(?:og:)?[\w:]+$/.test(name) && typeof value === 'string',
  );
  return Object.fromEntries(
    named.map(([name, value]) => [
      `og${name.replace(/^og:/, '').replaceAll(/(?:^|[:_])(\w)/g, (_whole, letter: string) => letter.toUpperCase())}`,
      value,
    ]),
  );
}
