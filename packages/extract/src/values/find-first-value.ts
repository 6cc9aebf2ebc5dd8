/** The value of the first candidate that returns one. A candidate that throws counts as having none. */
export function findFirstValue<T>(...candidates: readonly (() => T | null | undefined)[]): T | null {
  for (const candidate of candidates) {
    try {
      const value = candidate();
      if (value !== null && value !== undefined) return value;
    } catch {
      // One broken source of a fact must not hide the others.
      continue;
    }
  }
  return null;
}
