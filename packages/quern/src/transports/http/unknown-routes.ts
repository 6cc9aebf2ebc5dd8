import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isJsonObject } from '#extract/values/json-object.ts';
import { ServiceError } from '#kernel/errors.ts';

declare module 'fastify' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- a module's own type can only be extended so
  interface FastifyContextConfig {
    /** The paths that a route with a wildcard serves; all others below it are unknown. */
    readonly paths?: ReadonlySet<string>;
  }
}

/** Maximum length of a path parameter. */
export const MAX_PART_LENGTH = 512;
export const LONG_PATH_MESSAGE = `a part of the path is longer than ${MAX_PART_LENGTH} characters`;

type RoutePattern = { readonly segments: readonly string[]; readonly methods: ReadonlySet<string> };

/** Answers requests without a route before their body is read: 405 with `Allow`, OPTIONS, or 404. Add it before the routes. */
export function addUnknownRoutes(server: FastifyInstance): void {
  const patterns = new Map<string, RoutePattern>();
  server.addHook('onRoute', ({ method, url, config }) => {
    if (url === '*') return;
    for (const path of config?.paths ?? [url]) {
      const methods = new Set([...(patterns.get(path)?.methods ?? []), ...[method].flat()]);
      patterns.set(path, { segments: path.split('/'), methods });
    }
  });
  server.addHook('onRequest', (request, reply, done) => {
    if (isServed(request)) {
      done();
      return;
    }
    const methods = findMethods([...patterns.values()], getRequestPath(request));
    // The path has a route, and came to the wildcard because of a part that is too long for it.
    if (!request.is404 && methods.includes(request.method)) {
      done(new ServiceError('invalid_request', LONG_PATH_MESSAGE));
      return;
    }
    if (methods.length > 0) reply.header('allow', [...methods, 'OPTIONS'].join(', '));
    if (methods.length > 0 && request.method === 'OPTIONS') reply.status(204).send();
    else done(methods.length === 0 ? createUnknownRouteError() : createWrongMethodError(methods));
  });
}

function isServed(request: FastifyRequest): boolean {
  const { paths } = request.routeOptions.config;
  return !request.is404 && (paths === undefined || paths.has(getServedPath(request)));
}

/** Returns the path of a request to a route with a wildcard, decoded. */
export function getServedPath({ params, routeOptions }: FastifyRequest): string {
  const rest = isJsonObject(params) ? params['*'] : undefined;
  return `${routeOptions.url?.slice(0, -1) ?? ''}${String(rest)}`;
}

function createWrongMethodError(methods: readonly string[]): ServiceError {
  return new ServiceError('method_not_allowed', `this path serves ${methods.join(', ')}`);
}

/** The error for an unknown path. */
export function createUnknownRouteError(): ServiceError {
  return new ServiceError('not_found', 'there is no route with this path; see /docs');
}

/** Returns the path of a request, percent-encoded and without query. */
export function getRequestPath(request: FastifyRequest): string {
  return request.url.split('?', 1)[0] ?? '';
}

function findMethods(patterns: readonly RoutePattern[], path: string): readonly string[] {
  const segments = path.split('/');
  const methods = patterns
    .filter((pattern) => matchesPattern(pattern.segments, segments))
    .flatMap((one) => [...one.methods]);
  return [...new Set(methods)].toSorted();
}

function matchesPattern(pattern: readonly string[], segments: readonly string[]): boolean {
  return (
    pattern.length === segments.length &&
    pattern.every((part, at) => (part.startsWith(':') ? segments[at] !== '' : part === segments[at]))
  );
}
