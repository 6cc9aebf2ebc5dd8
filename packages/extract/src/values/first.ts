/** The first candidate that yields a value; one that throws counts as empty. */
export function first<T>(...candidates: readonly (() => T | null | undefined)[]): T | null {
  for (const candidate of candidates) {
    try {
      const value = candidate();
      if (value !== null && value !== undefined) return value;
    } catch {
      // A page can break one source of a fact without breaking the others.
      continue;
    }
  }
  return null;
}
