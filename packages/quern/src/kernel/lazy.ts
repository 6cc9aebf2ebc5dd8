/** A function that computes a value on its first call and returns the same value afterwards. */
export function createLazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => (made ??= { value: make() }).value;
}
