import { isBrokenSocket } from './exchange-errors.ts';
import type { ClassifiedPage, PageRequest, TierVisit } from '#access/page.ts';

/**
 * Repeats a visit by HTTP once with the handshake of a browser where the first one was turned away for its own: the
 * connection was cut before an answer, or a bare 403 came. When the second one brings nothing better, the first one's
 * result stands.
 */
export function withImpersonation(visit: TierVisit, impersonated: TierVisit): TierVisit {
  return async function visitTwice(request, signal) {
    const first = await visit(request, signal).catch((error: unknown) => {
      if (request.url.protocol === 'https:' && isBrokenSocket(error)) return { error };
      throw error;
    });
    if (!('error' in first) && !isBareRefusal(first, request)) return first;
    const second = await impersonated(request, signal).catch(() => null);
    if (second !== null && !isBareRefusal(second, request)) {
      const wireBytes = bytesOf(first) + second.page.wireBytes;
      return { ...second, page: { ...second.page, wireBytes } };
    }
    if ('error' in first) throw first.error;
    return first;
  };
}

/** A refusal that names no vendor and has nothing for a browser to run. */
function isBareRefusal({ page, classification: { outcome, reason } }: ClassifiedPage, { url }: PageRequest): boolean {
  return page.status === 403 && url.protocol === 'https:' && outcome === 'blocked' && reason === undefined;
}

function bytesOf(first: ClassifiedPage | { readonly error: unknown }): number {
  return 'error' in first ? 0 : first.page.wireBytes;
}
