import {
  AttemptFailure,
  findAttemptFailure,
  PROTOCOL_ERROR,
  TierUnsupported,
  buildUnreachable,
} from '#access/failure.ts';
import { isBrokenSocket } from '#access/http/exchange.ts';
import type { Http } from '#access/http/http.ts';
import { type ClassifiedPage, isSpent, type PageRequest, type TierVisit } from '#access/page.ts';
import { findProxyFault } from '#access/proxy/proxy-fault.ts';
import { PortRefused, type ProxyPool } from '#access/proxy/proxy-pool.ts';
import { getPort } from '#access/guard/ports.ts';
import { ServiceError } from '#kernel/errors.ts';
import { SERVICE_OWNER } from '#kernel/fair-queue.ts';

/** Maximum exits for one visit. */
const MAX_EXITS = 3;
/** If connections through two exits break, the target is the cause. */
const MAX_BREAKS = 2;

/** The cause of a failure: the proxy; target unreachable according to the proxy; a broken connection; the target. */
type ExitFailure = 'proxy' | 'unreached' | 'broken' | 'target';

/**
 * Creates the tier `proxy`: visits by HTTP through an exit of the pool, and through up to two others if an exit fails.
 * Throws what a visit throws, `invalid_request` for a port that proxies do not serve, `target_unreachable` if all exits
 * report it, and a `proxy_error` failure if no exit works.
 */
export function createProxyTier(http: Pick<Http, 'visitThrough'>, pool: ProxyPool): TierVisit {
  return async function visit(request: PageRequest, signal: AbortSignal): Promise<ClassifiedPage> {
    const { tenant } = request.party ?? SERVICE_OWNER;
    const tried: string[] = [];
    const failures: ExitFailure[] = [];
    let last: unknown = null;
    while (tried.length < MAX_EXITS) {
      const lease = pool.take(request.url.hostname, { tenant, country: request.country ?? null, excludedKeys: tried });
      if (lease === null) break;
      tried.push(lease.upstream.key);
      try {
        return await http.visitThrough(lease.upstream)(request, signal);
      } catch (error) {
        if (isCallerPort(error, request.url)) throw buildPortRefused(request.url, error);
        const failure = toExitFailure(error);
        if (failure === 'broken') lease.report('unclear');
        last = error;
        failures.push(failure);
        const breaks = failures.filter((one) => one === 'broken').length;
        if (failure === 'target' || breaks >= MAX_BREAKS || signal.aborted || isSpent(request)) throw error;
      } finally {
        lease.leave();
      }
    }
    throw failures.every((one) => one === 'unreached') ? buildUnreachable(last) : last;
  };
}

/** Whether the refused port is that of the caller's URL and not of a redirect. */
function isCallerPort(error: unknown, url: URL): boolean {
  const cause = findAttemptFailure(error)?.facts.cause;
  return cause instanceof PortRefused && cause.origin === url.origin;
}

function buildPortRefused(url: URL, cause: unknown): ServiceError {
  const message = `url: port ${getPort(url)} cannot be fetched through a proxy (only 80 and 443): set proxy to basic, or use a url with one of these ports`;
  const unable = new TierUnsupported(message, { cause });
  return new ServiceError('invalid_request', message, { cause: unable, retryable: false });
}

/** The cause of an error. */
function toExitFailure(error: unknown): ExitFailure {
  const fault = findProxyFault(error);
  if (fault !== null) return fault === 'exit_unreached' ? 'unreached' : 'proxy';
  return isBrokenSocket(error) || isCutConnection(error) ? 'broken' : 'target';
}

/** Whether a TLS handshake failed or a response was cut off, which the exit may have caused as well as the target. */
function isCutConnection(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : null;
  if (!(cause instanceof AttemptFailure)) return false;
  return cause.outcome === 'tls_error' || (cause.outcome === 'unusable' && cause.facts.reason === PROTOCOL_ERROR);
}
