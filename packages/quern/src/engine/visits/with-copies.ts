import type { PageCache } from './page-cache.ts';
import type { VisitCall, VisitWrapper } from './visit.ts';

export type CopyParts = {
  readonly pageCache: Pick<PageCache, 'isCacheable' | 'store'>;
  readonly tenant: string;
  /** Receives the error of a page that could not be stored. The visit continues. */
  readonly report: (error: unknown) => void;
};

/** Caches a copy of each fetched page before its bytes are freed. */
export function withCopies<C extends VisitCall>({ pageCache, tenant, report }: CopyParts): VisitWrapper<C> {
  return (next) => async (request, call) => {
    const visited = await next(request, call);
    if (pageCache.isCacheable(request)) await pageCache.store(tenant, request, visited.page).catch(report);
    return visited;
  };
}
