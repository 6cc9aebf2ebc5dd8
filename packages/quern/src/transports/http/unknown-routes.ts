import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ServiceError } from '#kernel/errors.ts';

type RoutePattern = { readonly segments: readonly string[]; readonly methods: ReadonlySet<string> };

/** Answers requests without a route before their body is read: 405 with `Allow`, OPTIONS, or 404. Add it before the routes. */
export function addUnknownRoutes(server: FastifyInstance): void {
  const patterns = new Map<string, RoutePattern>();
  server.addHook('onRoute', ({ method, url }) => {
    const methods = new Set([...(patterns.get(url)?.methods ?? []), ...[method].flat()]);
    if (url !== '*') patterns.set(url, { segments: url.split('/'), methods });
  });
  server.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) {
      done();
      return;
    }
    const methods = findMethods([...patterns.values()], getRequestPath(request));
    if (methods.length > 0) reply.header('allow', [...methods, 'OPTIONS'].join(', '));
    if (methods.length > 0 && request.method === 'OPTIONS') reply.status(204).send();
    else done(methods.length === 0 ? createUnknownRouteError() : createWrongMethodError(methods));
  });
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
