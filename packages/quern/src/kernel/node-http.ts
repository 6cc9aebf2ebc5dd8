/**
 * Parts of `node:http`. Importing one name of it evaluates them all, and one is a getter that loads the HTTP client behind
 * `fetch`: a twentieth of the start of a process.
 */
export const { Agent, createServer, request, STATUS_CODES } = process.getBuiltinModule('node:http');
