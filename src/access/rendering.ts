import { MEAGRE } from './defeat.ts';
import { judge } from './judge.ts';
import type { Page, PageRequest, Visit } from './page.ts';

/**
 * A visit by HTTP that becomes one by a browser where the page lacks what its scripts would bring: the browser starts
 * from the answer that came. Throws what the visit by HTTP throws; where the browser fails, what HTTP brought is the page.
 */
export function withScripts(byHttp: Visit, byBrowser: Visit): Visit {
  return async function visit(request: PageRequest, signal: AbortSignal): Promise<Page> {
    const arrived = await byHttp(request, signal);
    const { outcome, mayGrow } = judge(arrived, { requested: request.url, rendered: false });
    if (!MEAGRE.has(outcome) || !mayGrow) return arrived;
    return byBrowser({ ...request, arrived }, signal).then(
      (page) => ({ ...page, rendered: true, wireBytes: arrived.wireBytes + page.wireBytes }),
      () => arrived,
    );
  };
}
