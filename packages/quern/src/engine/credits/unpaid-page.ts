import { ServiceError } from '#kernel/errors.ts';
import type { CreditShortage } from './tenant-credits.ts';

const ERRORS = {
  credits_exhausted: ['credits_exhausted', 'too few credits for a single page; ask for a top-up, or upgrade'],
  daily_cap: ['daily_credit_cap_exceeded', 'the daily cap does not allow another page; the count resets at 00:00 UTC'],
  max_credits: ['credits_exhausted', 'max_credits: is less than the price of one page'],
} as const satisfies Readonly<Record<CreditShortage, readonly [ServiceError['code'], string]>>;

/** Builds the error of a crawl that could not pay for its first page. */
export function createUnpaidPageError(shortage: CreditShortage): ServiceError {
  const [code, message] = ERRORS[shortage];
  return new ServiceError(code, message);
}
