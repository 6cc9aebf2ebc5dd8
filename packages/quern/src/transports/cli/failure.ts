import { inspect } from 'node:util';
import { OperatorError } from '#kernel/errors.ts';
import { StoreUnavailable } from '#store/db.ts';
import type { Terminal } from './parts.ts';
import { EXIT } from './exit.ts';

/** The sentence about a failure that the operator can mend; null for a bug. */
export function sentenceOf(error: unknown): string | null {
  const isMendable = error instanceof OperatorError || error instanceof StoreUnavailable || isOfSystem(error);
  return isMendable ? error.message : null;
}

/** Notes why a command failed, and answers its exit code. */
export function noteFailure(error: unknown, terminal: Pick<Terminal, 'note'>, version: string): number {
  const sentence = sentenceOf(error);
  if (sentence === null) return noteBug(error, terminal, version);
  terminal.note(`quern: ${sentence}`);
  return EXIT.failure;
}

/** Notes all that is known of a bug, for its report. */
export function noteBug(error: unknown, { note }: Pick<Terminal, 'note'>, version: string): number {
  note(inspect(error));
  note(`quern: this is a bug in Quern ${version} (Node ${process.versions.node}): please report it with these lines`);
  return EXIT.bug;
}

/** Whether the operating system refused something, as a full disk or a folder without rights. */
function isOfSystem(error: unknown): error is Error {
  return error instanceof Error && 'syscall' in error && 'errno' in error;
}
