import type { PageCache } from './page-cache.ts';
import type { VisitCall, VisitWrapper } from './visit.ts';

export type CopyKeeping = {
  readonly pageCache: Pick<PageCache, 'isCacheable' | 'keep'>;
  readonly tenant: string;
  /** Receives the error of a page that could not be kept; the visit continues. */
  readonly report: (error: unknown) => void;
};

/** Keeps a copy of each page that comes, before whoever asked for it frees its bytes. */
export function withCopies<C extends VisitCall>({ pageCache, tenant, report }: CopyKeeping): VisitWrapper<C> {
  return (next) => async (request, call) => {
    const visited = await next(request, call);
    if (pageCache.isCacheable(request)) await pageCache.keep(tenant, request, visited.page).catch(report);
    return visited;
  };
}
