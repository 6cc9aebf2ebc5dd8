import { classify } from '#access/classify/classifier.ts';
import type { Page, PageRequest } from '#access/page.ts';
import type { ObserveEvent } from '#kernel/events.ts';
import type { PageCache } from './page-cache.ts';
import type { FetchOptions, SiteVisit, VisitCall, VisitWrapper } from './visit.ts';

export type CacheCall = VisitCall & Pick<FetchOptions, 'maxAgeMs' | 'site'>;

export type CacheParts = {
  readonly pageCache: Pick<PageCache, 'isCacheable' | 'find' | 'store'>;
  readonly tenant: string;
  readonly observe: ObserveEvent;
  /** Receives the promise of a cache write, which the visit does not wait for. */
  readonly onWrite: (writing: Promise<void>) => void;
};

/** Serves a page from the tenant's cache if it is recent enough, otherwise caches the fetched page. */
export function withCache<C extends CacheCall>({ pageCache, tenant, observe, onWrite }: CacheParts): VisitWrapper<C> {
  return (next) => async (request, call) => {
    if (!pageCache.isCacheable(request)) return next(request, call);
    const { maxAgeMs, site, attempts } = call;
    const cached = maxAgeMs > 0 ? await pageCache.find(tenant, request, maxAgeMs) : null;
    const isHit = cached !== null && (await isAccepted(cached.page, request, site));
    if (maxAgeMs > 0) observe({ type: 'cache', result: isHit ? 'hit' : 'miss' });
    if (isHit) return { page: cached.page, tier: 'cache', ageMs: cached.ageMs, attempts };
    const visited = await next(request, call);
    if (site?.isCacheable(visited.page) ?? true) onWrite(pageCache.store(tenant, request, visited.page));
    return visited;
  };
}

/** Whether a cached page is usable; a site endpoint may reject it. */
async function isAccepted(page: Page, { url }: PageRequest, site: SiteVisit | undefined): Promise<boolean> {
  if (site === undefined) return true;
  const { outcome } = await site.classify(page, classify(page, { requested: url, rendered: false }));
  return outcome === 'ok' || outcome === 'not_found';
}
