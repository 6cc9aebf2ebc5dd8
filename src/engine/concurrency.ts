import { ServiceError } from '#kernel/errors.ts';
import type { Caller } from './caller.ts';

/** Counts the work of each tenant that runs now, against its plan. */
export function buildConcurrency() {
  const running = new Map<string, number>();
  return {
    /** Takes a place and gives the function that frees it; throws `concurrency_limit_exceeded`. */
    enter({ tenant, plan }: Caller): () => void {
      const now = running.get(tenant) ?? 0;
      const most = plan.concurrent_requests;
      if (most !== null && now >= most) {
        throw new ServiceError(
          'concurrency_limit_exceeded',
          `plan ${plan.name} allows ${most} requests at the same time: wait for one to end, or take a higher plan`,
          { retryAfterSeconds: 1 },
        );
      }
      running.set(tenant, now + 1);
      return () => {
        const left = (running.get(tenant) ?? 1) - 1;
        if (left === 0) running.delete(tenant);
        else running.set(tenant, left);
      };
    },
  };
}
