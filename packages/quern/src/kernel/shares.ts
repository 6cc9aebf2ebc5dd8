/** What someone has of a room, and the part of it that is theirs. */
type UsedShare = { readonly bytes: number; readonly share: number };

/** The part of its share down to which those go that have the most of theirs, so that `room` is enough; the others lose nothing. */
export function findLevel(held: readonly UsedShare[], room: number): number {
  const parts = held.toSorted((a, b) => b.bytes / b.share - a.bytes / a.share);
  let over = parts.reduce((sum, { bytes }) => sum + bytes, 0) - room;
  let shares = 0;
  for (const [at, { bytes, share }] of parts.entries()) {
    over -= bytes;
    shares += share;
    const next = parts[at + 1];
    const level = -over / shares;
    if (next === undefined || level >= next.bytes / next.share) return Math.max(0, level);
  }
  return 0;
}
