import { z } from 'zod';
import { buildInputChecker } from '#engine/call/validation.ts';
import type { JsonObject } from '#extract/values/json-object.ts';
import { map } from '#features/map/operation.ts';
import { optional } from './body.ts';
import { listIgnored } from './firecrawl-options.ts';
import { type CompatReply, type CompatRequest, replyJson } from './interface.ts';
import { runToEnd } from './run-to-end.ts';

const MapBody = z.looseObject({
  url: z.string().min(1).max(8192),
  search: optional(z.string()),
  limit: optional(z.number().int().min(1)),
  sitemap: optional(z.enum(['include', 'skip', 'only'])),
  ignoreSitemap: optional(z.boolean()),
  sitemapOnly: optional(z.boolean()),
  includeSubdomains: optional(z.boolean()),
  ignoreQueryParameters: optional(z.boolean()),
  timeout: optional(z.number().int().min(1)),
});

const checkMap = buildInputChecker({ input: MapBody });

type MapBody = z.output<typeof MapBody>;

/** The links of a map without a limit of its own, as Firecrawl documents it. */
const DEFAULT_LIMIT = 5000;

/** `POST /map`: the links of a site. In v1 a link is a text, in v2 an object. */
export async function mapSite(request: CompatRequest, version: 1 | 2): Promise<CompatReply> {
  const { input: body } = checkMap(request.body);
  const { urls } = map.output.parse((await runToEnd(request, 'map', toMapInput(body, request))).body);
  const ignored = listIgnored(body, Object.keys(MapBody.shape));
  return replyJson({
    success: true,
    links: urls.map(({ url, title }) => (version === 1 ? url : { url, title })),
    warning: ignored.join('; ') || undefined,
  });
}

function toMapInput(body: MapBody, { caller }: CompatRequest): JsonObject {
  const most = caller.plan.map_urls ?? DEFAULT_LIMIT;
  return {
    url: body.url,
    max_urls: body.limit ?? Math.min(DEFAULT_LIMIT, most),
    search: body.search || undefined,
    sources: chooseSources(body),
    scope: body.includeSubdomains === false ? 'host' : 'subdomains',
    include_metadata: true,
    ignore_query: body.ignoreQueryParameters !== false,
    timeout_ms: body.timeout,
  };
}

function chooseSources({ sitemap, ignoreSitemap, sitemapOnly }: MapBody): readonly string[] | undefined {
  if (sitemap === 'only' || sitemapOnly === true) return ['robots', 'sitemap'];
  return sitemap === 'skip' || ignoreSitemap === true ? ['feeds', 'links'] : undefined;
}
