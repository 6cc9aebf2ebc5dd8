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

/** What each exit code means, for help and the docs. */
export const EXIT_MEANINGS: Readonly<Record<keyof typeof EXIT, string>> = {
  ok: 'done',
  failure: 'a setting, folder or port to fix; a check or a session that failed',
  usage: 'bad input',
  auth: 'key',
  credits: 'credits or plan',
  limit: 'a limit',
  target: 'the target',
  timeout: 'timeout',
  backend: 'a part is missing or down',
  errorPage: 'an error page, with --fail',
  bug: 'a bug',
  interrupted: 'Ctrl-C',
};

/** A line that names no command; the message is all that is said. */
export class UsageError extends Error {}

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
