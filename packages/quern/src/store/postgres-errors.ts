import { DatabaseError } from 'pg';
import { ConnectionLost, StoreUnavailable } from './db.ts';

/** The server gave this transaction up because it collided with another; it may succeed when it is repeated. */
export class Conflict extends StoreUnavailable {}

/** The connection had been cut before it was used: nothing was done on it. */
export class Stale extends ConnectionLost {}

/** Nothing at all was heard from the server in time. */
export class Silence extends ConnectionLost {}

/** The connection does not know a prepared statement, or knows it with other columns; nothing was done. */
export class Forgotten extends StoreUnavailable {}

/*
 * Codes and classes of PostgreSQL's appendix A. Conflicts: serialization failure and deadlock. Lost: the connection is no
 * more, whatever severity that came with. Unavailable: no resources, operator intervention (a statement that took too
 * long among them), a lock not available, a read-only server, and failures of its disk.
 */
const CONFLICT = /^(?:40001|40P01)$/;
const LOST = /^(?:08...|57P0[1-5]|25P0[34])$/;
const UNAVAILABLE = /^(?:53...|55P03|57...|58...|25006|XX00[12])$/;

/** An unknown or taken name of a prepared statement, and a plan whose columns a migration has changed. */
const FORGOTTEN = /^(?:26000|42P05)$/;
const CHANGED = 'cached plan must not change result type';

/** The driver's message for an answer that did not come in time. */
const SILENCE = 'Query read timeout';

/** The error of a statement as one of the port; a mistake in the statement or its values is left unchanged. */
export function toStoreError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof RangeError || error instanceof TypeError) return error;
  const { message } = error;
  if (message === SILENCE) return new Silence('PostgreSQL does not answer', { cause: error });
  // An error without a code of the server is the end of the connection.
  if (!(error instanceof DatabaseError)) return new ConnectionLost(message, { cause: error });
  const code = error.code ?? '';
  if (FORGOTTEN.test(code) || message === CHANGED) return new Forgotten(message, { cause: error });
  if (CONFLICT.test(code)) return new Conflict(message, { cause: error });
  if (LOST.test(code) || error.severity === 'FATAL') return new ConnectionLost(message, { cause: error });
  return UNAVAILABLE.test(code) ? new StoreUnavailable(message, { cause: error }) : error;
}
