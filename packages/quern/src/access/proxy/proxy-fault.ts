import type { ServiceError } from '#kernel/errors.ts';
import { AttemptFailure, failed } from '#access/failure.ts';

/**
 * The faults of a proxy: no connection to it; its user or password; it may not go there; an answer that is
 * none; it closed before its answer; no answer in time; another failure of its own. `exit_unreached` means that it
 * reports no answer of the target, which is no fault of its own.
 */
export type Fault =
  | 'proxy_unreachable'
  | 'proxy_auth'
  | 'proxy_refused'
  | 'proxy_malformed'
  | 'proxy_closed'
  | 'proxy_timeout'
  | 'proxy_failed'
  | 'exit_unreached';

const FAULTS: readonly Fault[] = [
  'proxy_unreachable',
  'proxy_auth',
  'proxy_refused',
  'proxy_malformed',
  'proxy_closed',
  'proxy_timeout',
  'proxy_failed',
  'exit_unreached',
];

/** The error of a connection that a proxy did not make. */
export function buildProxyFailure(fault: Fault, cause?: unknown): ServiceError {
  return failed('proxy_error', 'the proxy did not connect', { reason: fault, cause });
}

/** The fault of a proxy, or null for an error that is not its own. */
export function findProxyFault(error: unknown): Fault | null {
  const cause = error instanceof Error ? error.cause : null;
  if (!(cause instanceof AttemptFailure) || cause.outcome !== 'proxy_error') return null;
  return FAULTS.find((fault) => fault === cause.facts.reason) ?? 'proxy_failed';
}

/** The faults that a target brings about too: what a proxy answers when it may not go there, does not get there or is kept waiting. */
const AMBIGUOUS_FAULTS: ReadonlySet<Fault> = new Set([
  'proxy_refused',
  'proxy_closed',
  'proxy_timeout',
  'proxy_failed',
]);

/** Whether a fault may be that of the target, so that others have no use of it. */
export function isAmbiguousFault(fault: Fault): boolean {
  return AMBIGUOUS_FAULTS.has(fault);
}
