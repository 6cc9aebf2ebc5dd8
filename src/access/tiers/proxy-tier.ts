import { AttemptFailure, PROTOCOL, unreachable } from '#access/failure.ts';
import { isBrokenSocket } from '#access/http/exchange-errors.ts';
import type { Http } from '#access/http/http.ts';
import type { ClassifiedPage, PageRequest, TierVisit } from '#access/page.ts';
import { faultOf } from '#access/proxy/proxy-fault.ts';
import type { ProxyPool } from '#access/proxy/proxy-pool.ts';

/** The most exits of one visit. */
const MOST_EXITS = 3;
/** A connection that breaks through two exits is broken by the target. */
const MOST_BREAKS = 2;

/** The cause of a failure: the proxy; no answer of the target, by the proxy; a broken connection; the target. */
type ExitFailure = 'proxy' | 'unreached' | 'broken' | 'target';

/**
 * The tier `proxy`: a visit by HTTP through an exit of the pool, and through up to two others when an exit fails.
 * Throws what a visit throws, `target_unreachable` when all exits say so, and with the outcome `proxy_error` when none
 * served.
 */
export function openProxied(http: Pick<Http, 'through'>, pool: ProxyPool): TierVisit {
  return async function visit(request: PageRequest, signal: AbortSignal): Promise<ClassifiedPage> {
    const tried: string[] = [];
    const failures: ExitFailure[] = [];
    let last: unknown = null;
    while (tried.length < MOST_EXITS) {
      const lease = pool.take(request.url.hostname, { country: request.country ?? null, not: tried });
      if (lease === null) break;
      tried.push(lease.upstream.key);
      try {
        return await http.through(lease.upstream)(request, signal);
      } catch (error) {
        const failure = failureOf(error);
        if (failure === 'broken') lease.report('unclear');
        last = error;
        failures.push(failure);
        const breaks = failures.filter((one) => one === 'broken').length;
        if (failure === 'target' || breaks >= MOST_BREAKS || signal.aborted) throw error;
      }
    }
    throw failures.every((one) => one === 'unreached') ? unreachable(last) : last;
  };
}

/** The cause of an error. */
function failureOf(error: unknown): ExitFailure {
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
