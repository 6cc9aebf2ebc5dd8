import { z } from 'zod';
import { ServiceError } from '#kernel/errors.ts';

/** Why something went before its time: its tenant has more than its plan keeps, or the disk was full. */
export const EvictedFor = z.enum(['plan', 'disk']);

export type EvictedFor = z.output<typeof EvictedFor>;

const MEMBERS = { result: 'kept_result_bytes', file: 'kept_file_bytes' } as const;

/** The error of a result of a job, or of a file, that is not there any more; `why` is null where its time was over. */
export function refuseExpired(what: keyof typeof MEMBERS, id: string, why: EvictedFor | null): ServiceError {
  const name = what === 'result' ? `the result of ${id}` : `artifact ${id}`;
  return new ServiceError('result_expired', `${name} is not kept any more${reason()}`);

  function reason(): string {
    if (why === null) return '';
    return why === 'plan'
      ? `: it was among your oldest, and your ${what}s took more bytes than your plan keeps (${MEMBERS[what]})`
      : ': the disk of the service was full (QUERN_MAX_DISK), and it was among the oldest of the tenant furthest above its share';
  }
}
