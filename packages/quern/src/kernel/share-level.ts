/** The bytes that an owner uses, and the share of the space that the owner is entitled to. */
type UsedShare = { readonly bytes: number; readonly share: number };

/** Bytes per unit of share at which usage must be capped so that all owners fit into `room`; owners below it lose nothing. */
export function computeShareLevel(used: readonly UsedShare[], room: number): number {
  const parts = used.toSorted((a, b) => b.bytes / b.share - a.bytes / a.share);
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
