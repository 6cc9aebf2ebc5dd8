import { AttemptFailure, PROTOCOL, unreachable } from './failure.ts';
import { isBrokenSocket } from './exchange.ts';
import type { Http } from './http.ts';
import type { Page, PageRequest, Visit } from './page.ts';
import { faultOf } from './proxy-fault.ts';
import type { ProxyPool } from './proxy-pool.ts';

/** An exit that fails is changed so many times at most. */
const MOST_EXITS = 3;
/** What breaks through two exits is the target's doing. */
const MOST_BREAKS = 2;

/** The proxy failed; it says that the target does not answer; the connection through it broke; the target's own. */
type End = 'proxy' | 'unreached' | 'broken' | 'target';

/**
 * The tier `proxy`: a visit by HTTP through an exit of the pool, and through up to two others when an exit fails.
 * Throws what a visit throws, `target_unreachable` when all exits say so, and with the outcome `proxy_error` when none
 * served.
 */
export function openProxied(http: Pick<Http, 'through'>, pool: ProxyPool): Visit {
  return async function visit(request: PageRequest, signal: AbortSignal): Promise<Page> {
    const tried: string[] = [];
    const ends: End[] = [];
    let last: unknown = null;
    while (tried.length < MOST_EXITS) {
      const lease = pool.take(request.url.hostname, { country: request.country ?? null, not: tried });
      if (lease === null) break;
      tried.push(lease.upstream.key);
      try {
        return await http.through(lease.upstream)(request, signal);
      } catch (error) {
        const end = endOf(error);
        if (end === 'broken') lease.report('unclear');
        last = error;
        ends.push(end);
        const breaks = ends.filter((one) => one === 'broken').length;
        if (end === 'target' || breaks >= MOST_BREAKS || signal.aborted) throw error;
      }
    }
    throw ends.every((end) => end === 'unreached') ? unreachable(last) : last;
  };
}

/** Whose doing an error is. */
function endOf(error: unknown): End {
  const fault = faultOf(error);
  if (fault !== null) return fault === 'exit_unreached' ? 'unreached' : 'proxy';
  return isBrokenSocket(error) || isCut(error) ? 'broken' : 'target';
}

/** A handshake that was meddled with, or an answer that ended in the middle: the exit's doing as likely as the target's. */
function isCut(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : null;
  if (!(cause instanceof AttemptFailure)) return false;
  return cause.outcome === 'tls_error' || (cause.outcome === 'unusable' && cause.facts.reason === PROTOCOL);
}
