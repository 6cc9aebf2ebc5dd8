import { ServiceError } from '#kernel/errors.ts';
import type { Ask } from './ask.ts';
import type { Operation } from './operation.ts';

/** Whether an operation serves a suspended tenant: what only reads its records does, and so does the work of operators. */
export function servesSuspended({ audience, kind, route }: Pick<Operation, 'audience' | 'kind' | 'route'>): boolean {
  return audience === 'operator' || (kind === 'control' && route?.startsWith('GET ') === true);
}

/** Throws `tenant_suspended` where the operator has suspended the tenant of the caller. */
export function assertNotSuspended(
  operation: Pick<Operation, 'audience' | 'kind' | 'route'>,
  { caller: { suspendedAt } }: Ask,
): void {
  if (suspendedAt === undefined || servesSuspended(operation)) return;
  throw new ServiceError(
    'tenant_suspended',
    `the operator of this service has suspended this tenant at ${suspendedAt}: its lists and results can be read, and nothing else until it is resumed`,
  );
}
