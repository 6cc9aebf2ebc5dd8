import { THIN_OUTCOMES } from './ladder-failure.ts';
import type { ClassifiedPage, PageRequest, TierVisit } from '#access/page.ts';

/**
 * Renders a page that was fetched by HTTP in a browser if it lacks content from its scripts. Throws what the visit by HTTP
 * throws; if the browser fails, returns the page as fetched by HTTP.
 */
export function addBrowserRendering(byHttp: TierVisit, byBrowser: TierVisit): TierVisit {
  return async function visit(request: PageRequest, signal: AbortSignal): Promise<ClassifiedPage> {
    const first = await byHttp(request, signal);
    const { page: arrived, classification } = first;
    // A browser would request the page with GET.
    const isAnswer = request.submission !== undefined;
    if (isAnswer || !THIN_OUTCOMES.has(classification.outcome) || !classification.mayImprove) return first;
    return byBrowser({ ...request, arrived }, signal).then(
      (shown) => ({
        ...shown,
        page: { ...shown.page, rendered: true, wireBytes: arrived.wireBytes + shown.page.wireBytes },
      }),
      () => first,
    );
  };
}
