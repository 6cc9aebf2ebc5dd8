import { ServiceError } from '#kernel/errors.ts';
import type { CallRequest } from './ask.ts';
import type { Operation } from './operation.ts';

/** Whether a suspended tenant may call an operation: only reading, and operations of operators. */
export function isAllowedWhenSuspended({
  audience,
  kind,
  route,
}: Pick<Operation, 'audience' | 'kind' | 'route'>): boolean {
  return audience === 'operator' || (kind === 'control' && route?.startsWith('GET ') === true);
}

/** Throws `tenant_suspended` if the tenant of the caller is suspended and the operation is not allowed then. */
export function assertNotSuspended(
  operation: Pick<Operation, 'audience' | 'kind' | 'route'>,
  { caller: { suspendedAt } }: CallRequest,
): void {
  if (suspendedAt === undefined || isAllowedWhenSuspended(operation)) return;
  throw new ServiceError(
    'tenant_suspended',
    `the operator suspended this tenant at ${suspendedAt}; it can only read its data until it is resumed`,
  );
}
