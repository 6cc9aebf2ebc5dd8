import { inspect } from 'node:util';
import { OperatorError } from '#kernel/errors.ts';
import { StoreUnavailable } from '#store/db.ts';
import type { Terminal } from './context.ts';
import { EXIT } from './exit.ts';

/** Returns the message of an error that the operator can fix; null for a bug. */
export function describeOperatorError(error: unknown): string | null {
  const isMendable = error instanceof OperatorError || error instanceof StoreUnavailable || isSystemError(error);
  return isMendable ? error.message : null;
}

/** Prints why a command failed, and returns its exit code. */
export function reportFailure(error: unknown, terminal: Pick<Terminal, 'note'>, version: string): number {
  const sentence = describeOperatorError(error);
  if (sentence === null) return reportBug(error, terminal, version);
  terminal.note(`quern: ${sentence}`);
  return EXIT.failure;
}

/** Prints all details of a bug for a report, and returns the exit code. */
export function reportBug(error: unknown, { note }: Pick<Terminal, 'note'>, version: string): number {
  note(inspect(error));
  note(`quern: this is a bug in Quern ${version} (Node ${process.versions.node}): please report it with these lines`);
  return EXIT.bug;
}

/** Whether an error comes from the operating system, such as a full disk or missing permissions. */
function isSystemError(error: unknown): error is Error {
  return error instanceof Error && 'syscall' in error && 'errno' in error;
}
