/** A member by its dotted path; undefined if there is none. */
export function at(value: unknown, path: string): unknown {
  let here = value;
  for (const name of path.split('.')) {
    if (typeof here !== 'object' || here === null) return undefined;
    here = new Map<string, unknown>(Object.entries(here)).get(name);
  }
  return here;
}

/** A text member; fails for other types. */
export function textAt(value: unknown, path: string): string {
  const found = at(value, path);
  if (typeof found !== 'string') throw new Error(`${path} is no text in ${JSON.stringify(value)?.slice(0, 500)}`);
  return found;
}

/** A list member; fails for other types. */
export function listAt(value: unknown, path: string): readonly unknown[] {
  const found: unknown = at(value, path);
  if (!Array.isArray(found)) throw new Error(`${path} is no list in ${JSON.stringify(value)?.slice(0, 500)}`);
  return found;
}
