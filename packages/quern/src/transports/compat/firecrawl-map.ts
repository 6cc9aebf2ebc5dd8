import { z } from 'zod';
import { buildInputChecker } from '#engine/call/validation.ts';
import type { JsonObject } from '#extract/values/json-object.ts';
import { listIgnored } from './firecrawl-options.ts';
import { type CompatReply, type CompatRequest, replyJson } from './interface.ts';
import { runToEnd } from './run-to-end.ts';

const MapBody = z.looseObject({
  url: z.string().min(1).max(8192),
  search: z.string().nullish(),
  limit: z.number().int().min(1).nullish(),
  sitemap: z.enum(['include', 'skip', 'only']).nullish(),
  ignoreSitemap: z.boolean().nullish(),
  sitemapOnly: z.boolean().nullish(),
  includeSubdomains: z.boolean().nullish(),
  ignoreQueryParameters: z.boolean().nullish(),
  timeout: z.number().int().min(1).nullish(),
});

const checkMap = buildInputChecker({ input: MapBody });

type MapBody = z.output<typeof MapBody>;

/** The links of a map without a limit of its own, as Firecrawl documents it. */
const DEFAULT_LIMIT = 5000;

const Mapped = z.looseObject({ urls: z.array(z.looseObject({ url: z.string(), title: z.string().optional() })) });

/** `POST /map`: the links of a site. In v1 a link is a text, in v2 an object. */
export async function mapSite(request: CompatRequest, version: 1 | 2): Promise<CompatReply> {
  const { input: body } = checkMap(request.body);
  const { urls } = Mapped.parse((await runToEnd(request, 'map', toMapInput(body, request))).body);
  const ignored = listIgnored(body, Object.keys(MapBody.shape));
  return replyJson({
    success: true,
    links:
      version === 1 ? urls.map(({ url }) => url) : urls.map(({ url, title }) => ({ url, ...(title ? { title } : {}) })),
    ...(ignored.length === 0 ? {} : { warning: ignored.join('; ') }),
  });
}

function toMapInput(body: MapBody, { caller }: CompatRequest): JsonObject {
  const most = caller.plan.map_urls ?? DEFAULT_LIMIT;
  return {
    url: body.url,
    max_urls: body.limit ?? Math.min(DEFAULT_LIMIT, most),
    ...(body.search ? { search: body.search } : {}),
    ...chooseSources(body),
    scope: body.includeSubdomains === false ? 'host' : 'subdomains',
    include_metadata: true,
    ...(body.ignoreQueryParameters === false ? {} : { ignore_query: true }),
    ...(body.timeout ? { timeout_ms: body.timeout } : {}),
  };
}

function chooseSources({ sitemap, ignoreSitemap, sitemapOnly }: MapBody): JsonObject {
  if (sitemap === 'only' || sitemapOnly === true) return { sources: ['robots', 'sitemap'] };
  return sitemap === 'skip' || ignoreSitemap === true ? { sources: ['feeds', 'links'] } : {};
}
