import type { ServiceError } from '#kernel/errors.ts';

/** Exit codes by class of failure, for scripts. */
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
  /** The exit code of curl with `--fail`. */
  errorPage: 22,
  /** `EX_SOFTWARE` of `sysexits.h`. */
  bug: 70,
  /** The exit code that shells give a command ended by SIGINT. */
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

/** An invalid command line without a valid command. Only the message is printed. */
export class UsageError extends Error {}

/** The user interrupted the command; the message says what happens to its job. */
export class InterruptedError extends Error {}

/** Returns the exit code of a failed call. */
export function getExitCode({ status }: ServiceError): number {
  if (status === 401 || status === 403) return EXIT.auth;
  if (status === 402) return EXIT.credits;
  if (status === 429) return EXIT.limit;
  if (status === 422 || status === 502) return EXIT.target;
  if (status === 503) return EXIT.backend;
  if (status === 504) return EXIT.timeout;
  return status < 500 ? EXIT.usage : EXIT.failure;
}
