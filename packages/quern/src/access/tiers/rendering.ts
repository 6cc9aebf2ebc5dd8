import { THIN_OUTCOMES } from './ladder-failure.ts';
import type { ClassifiedPage, PageRequest, TierVisit } from '#access/page.ts';

/**
 * Hands a page of HTTP that lacks the content of its scripts to a browser, which starts from that answer. Throws what the
 * visit by HTTP throws; where the browser fails, the page of HTTP is served.
 */
export function withScripts(byHttp: TierVisit, byBrowser: TierVisit): TierVisit {
  return async function visit(request: PageRequest, signal: AbortSignal): Promise<ClassifiedPage> {
    const first = await byHttp(request, signal);
    const { page: arrived, classification } = first;
    if (!THIN_OUTCOMES.has(classification.outcome) || !classification.mayGrow) return first;
    return byBrowser({ ...request, arrived }, signal).then(
      (shown) => ({
        ...shown,
        page: { ...shown.page, rendered: true, wireBytes: arrived.wireBytes + shown.page.wireBytes },
      }),
      () => first,
    );
  };
}
