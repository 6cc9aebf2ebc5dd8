/** The state that a hash by {@link hashNext} starts with. */
export const FNV_START = 0x811c9dc5;
export const FNV_PRIME = 0x01000193;

/** One step of the 32-bit hash FNV-1a (http://www.isthe.com/chongo/tech/comp/fnv/). `code` is a UTF-16 unit. */
export function hashNext(state: number, code: number): number {
  return Math.imul(state ^ code, FNV_PRIME);
}
