import { isBrokenSocket } from './exchange.ts';
import { judge } from './judge.ts';
import type { Page, PageRequest, Visit } from './page.ts';

/**
 * A visit by HTTP that is made once more, with the handshake of a browser, where the first one was turned away by what
 * it is: its connection was cut before an answer, or a bare 403 came. When the second one brings nothing better, the
 * first one is what came of it.
 */
export function withLikeness(visit: Visit, alike: Visit): Visit {
  return async function visitTwice(request, signal) {
    const first = await visit(request, signal).catch((error: unknown) => {
      if (request.url.protocol === 'https:' && isBrokenSocket(error)) return { error };
      throw error;
    });
    if (!('error' in first) && !isBare(first, request)) return first;
    const second = await alike(request, signal).catch(() => null);
    if (second !== null && !isBare(second, request)) return { ...second, wireBytes: bytesOf(first) + second.wireBytes };
    if ('error' in first) throw first.error;
    return first;
  };
}

/** A refusal that names nobody and has nothing for a browser to run. */
function isBare(page: Page, { url }: PageRequest): boolean {
  if (page.status !== 403 || url.protocol !== 'https:') return false;
  const { outcome, reason } = judge(page, { requested: url, rendered: false });
  return outcome === 'blocked' && reason === undefined;
}

function bytesOf(first: Page | { readonly error: unknown }): number {
  return 'error' in first ? 0 : first.wireBytes;
}
