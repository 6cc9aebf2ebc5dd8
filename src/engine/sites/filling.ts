import { isJsonObject, memberOf } from '#extract/values/json.ts';

type Body = Readonly<Record<string, unknown>>;

/** Whether one of the dotted paths leads to nothing. */
export function hasGaps(record: Body, paths: readonly string[]): boolean {
  return paths.some((path) => valueAt(record, path) === null);
}

/** The value at a dotted path, null where there is none; a list counts as a whole. */
export function valueAt(record: Body, path: string): unknown {
  let at: unknown = record;
  for (const name of path.split('.')) at = memberOf(at, name);
  return at ?? null;
}

/** One record with another's values in the place of its nulls, member by member; lists are taken whole. */
export function fillNulls(record: Body, other: Body): Body {
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => {
      const more = memberOf(other, name);
      if (value === null) return [name, more ?? null];
      return [name, isJsonObject(value) && isJsonObject(more) ? fillNulls(value, more) : value];
    }),
  );
}
