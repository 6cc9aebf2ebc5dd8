import { isDiskError } from './sqlite.ts';

/** Errors of the system that a server, a network or a disk may have for a while. */
const SYSTEM_CODES =
  /^(?:ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN|ENOTFOUND|EAI_AGAIN|ENOSPC|EDQUOT)$/;
/** PostgreSQL: no connection, no resources, a server that starts or stops, a disk, a server that only reads. */
const SERVER_CODES = /^(?:08...|53...|57P0[1-5]|57014|58...|25006)$/;
/** What the driver says without a code of a server that is silent or gone; other messages may hold such words too. */
const DRIVER_MESSAGES =
  /^(?:Connection terminated|Query read timeout|timeout exceeded when trying to connect|timeout expired|PostgreSQL does not answer)/;
/** Of these it is known that time does not help: another password, database or user is needed. */
const PERMANENT_CODES = /^(?:28...|3D...|3F...|42...)$/;

/** Whether a failure of the store may pass by itself, such as a server that is not up yet or a disk that is full. */
export function mayPass(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  if (PERMANENT_CODES.test(code)) return false;
  if (SYSTEM_CODES.test(code) || SERVER_CODES.test(code) || isDiskError(error)) return true;
  if (error.cause !== undefined) return mayPass(error.cause);
  return code === '' && DRIVER_MESSAGES.test(error.message);
}
