import { InvariantError } from '#extract/invariant-error.ts';
import type { Operation } from '#engine/call/operation.ts';

/** The route of an operation, parsed. */
export type RouteParts = {
  readonly method: string;
  /** The path, with `{name}` for each path parameter. */
  readonly path: string;
  /** Whether the other parameters are in the body; else they are in the query. */
  readonly hasBody: boolean;
  /** The names of the path parameters. */
  readonly inPath: readonly string[];
};

/** Parses the route of an operation. */
export function readRoute({ id, route }: Operation): RouteParts {
  if (route === null) throw new InvariantError(`${id} has no route`);
  const space = route.indexOf(' ');
  const path = route.slice(space + 1);
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
  const method = route.slice(0, space);
  return { method, path, hasBody: method === 'POST' || method === 'PATCH', inPath };
}
