/**
 * Parts of `node:http`. An `import` of the module evaluates all its getters, and one of them loads the HTTP client of `fetch`,
 * which takes 5 % of the start time of a process.
 */
export const { Agent, createServer, request, STATUS_CODES } = process.getBuiltinModule('node:http');
