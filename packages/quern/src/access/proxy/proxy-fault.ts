import type { ServiceError } from '#kernel/errors.ts';
import { AttemptFailure, buildFailure } from '#access/failure.ts';

/**
 * The faults of a proxy: unreachable; wrong user or password; destination not allowed; invalid response; closed before the
 * response; timeout; other failure. `exit_unreached` means that the proxy could not reach the target, which is not its fault.
 */
export type ProxyFault =
  | 'proxy_unreachable'
  | 'proxy_auth'
  | 'proxy_refused'
  | 'proxy_malformed'
  | 'proxy_closed'
  | 'proxy_timeout'
  | 'proxy_failed'
  | 'exit_unreached';

const FAULTS: readonly ProxyFault[] = [
  'proxy_unreachable',
  'proxy_auth',
  'proxy_refused',
  'proxy_malformed',
  'proxy_closed',
  'proxy_timeout',
  'proxy_failed',
  'exit_unreached',
];

/** The error for a connection that a proxy did not establish. */
export function buildProxyFailure(fault: ProxyFault, cause?: unknown): ServiceError {
  return buildFailure('proxy_error', 'the proxy did not connect', { reason: fault, cause });
}

/** The proxy fault that caused an error; null if there is none. */
export function findProxyFault(error: unknown): ProxyFault | null {
  const cause = error instanceof Error ? error.cause : null;
  if (!(cause instanceof AttemptFailure) || cause.outcome !== 'proxy_error') return null;
  return FAULTS.find((fault) => fault === cause.facts.reason) ?? 'proxy_failed';
}

/** Faults that a target can cause too, because proxies also report them for targets that they cannot or may not reach. */
const AMBIGUOUS_FAULTS: ReadonlySet<ProxyFault> = new Set([
  'proxy_refused',
  'proxy_closed',
  'proxy_timeout',
  'proxy_failed',
]);

/** Whether the target may have caused the fault, so that it does not count for other tenants. */
export function isAmbiguousFault(fault: ProxyFault): boolean {
  return AMBIGUOUS_FAULTS.has(fault);
}
