import type { Operation } from '#engine/operation.ts';

/** An operation's route in its parts. */
export type RouteParts = {
  readonly method: string;
  /** With `{name}` for each path parameter. */
  readonly path: string;
  /** The names of the path parameters. */
  readonly inPath: readonly string[];
};

/** Reads the route of an operation. */
export function readRoute({ id, route }: Operation): RouteParts {
  if (route === null) throw new Error(`${id} has no route`);
  const space = route.indexOf(' ');
  const path = route.slice(space + 1);
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
  return { method: route.slice(0, space), path, inPath };
}
