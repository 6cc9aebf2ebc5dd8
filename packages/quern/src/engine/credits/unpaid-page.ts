import { ServiceError } from '#kernel/errors.ts';
import type { Shortage } from './tenant-credits.ts';

const ERRORS = {
  credits_exhausted: ['credits_exhausted', 'not one page can be paid for: a top-up or a higher plan lifts this'],
  daily_cap: [
    'daily_credit_cap_exceeded',
    'not one page more fits into the daily cap: the count starts again at 00:00 UTC',
  ],
  max_credits: ['credits_exhausted', 'max_credits: less than one page costs'],
} as const satisfies Readonly<Record<Shortage, readonly [ServiceError['code'], string]>>;

/** The error of work of many pages that could not pay for its first. */
export function toUnpaidPage(shortage: Shortage): ServiceError {
  const [code, message] = ERRORS[shortage];
  return new ServiceError(code, message);
}
