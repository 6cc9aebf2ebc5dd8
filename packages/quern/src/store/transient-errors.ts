import { isDiskError } from './sqlite.ts';

/** System error codes of temporary failures of a server, a network or a disk. */
const SYSTEM_CODES =
  /^(?:ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN|ENOTFOUND|EAI_AGAIN|ENOSPC|EDQUOT)$/;
/** PostgreSQL codes: no connection, no resources, starting or stopping, disk failure, read-only. */
const SERVER_CODES = /^(?:08...|53...|57P0[1-5]|57014|58...|25006)$/;
/** Driver messages without a code for a server that does not respond or is gone. */
const DRIVER_MESSAGES =
  /^(?:Connection terminated|Query read timeout|timeout exceeded when trying to connect|timeout expired|PostgreSQL does not answer)/;
/** PostgreSQL codes that waiting does not fix: wrong password, database or user. */
const PERMANENT_CODES = /^(?:28...|3D...|3F...|42...)$/;

/** Whether a store failure may go away by itself, such as a server that is still starting or a full disk. */
export function isTransientStoreError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  if (PERMANENT_CODES.test(code)) return false;
  if (SYSTEM_CODES.test(code) || SERVER_CODES.test(code) || isDiskError(error)) return true;
  if (error.cause !== undefined) return isTransientStoreError(error.cause);
  return code === '' && DRIVER_MESSAGES.test(error.message);
}
