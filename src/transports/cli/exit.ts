import type { ServiceError } from '#kernel/errors.ts';

/** Exit codes by class of failure, so that scripts can tell what to do. */
export const EXIT = {
  ok: 0,
  failure: 1,
  usage: 2,
  auth: 3,
  credits: 4,
  limit: 5,
  target: 6,
  timeout: 7,
  backend: 8,
  /** As curl ends with `--fail`. */
  errorPage: 22,
  /** As `sysexits.h` names an internal software error. */
  bug: 70,
  /** As shells count a command that SIGINT ended. */
  interrupted: 130,
} as const;

/** The user interrupted the command; the message says what happens to its job. */
export class Interrupted extends Error {}

/** The exit code of a failed call. */
export function exitCodeOf({ status }: ServiceError): number {
  if (status === 401 || status === 403) return EXIT.auth;
  if (status === 402) return EXIT.credits;
  if (status === 429) return EXIT.limit;
  if (status === 422 || status === 502) return EXIT.target;
  if (status === 503) return EXIT.backend;
  if (status === 504) return EXIT.timeout;
  return status < 500 ? EXIT.usage : EXIT.failure;
}
