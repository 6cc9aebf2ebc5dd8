const MIB = 1024 * 1024;
/** The longest time of a timer. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Bytes of a body that count for nothing in the memory of all pages in hand. */
export const SMALL_BYTES = MIB / 2;

/** The bounds of one visit: times in ms, sizes in bytes. */
export type VisitLimits = {
  readonly connectMs: number;
  /** Where another tier may come after this one. */
  readonly firstByteMs: number;
  readonly headerBytes: number;
  /** Interim (1xx) answers before the real one. */
  readonly interim: number;
  readonly redirects: number;
  readonly redirectBytes: number;
  readonly wireBytes: number;
  readonly decodedBytes: number;
  /** Decoded over compressed bytes, looked at beyond `ratioFromBytes`. */
  readonly ratio: number;
  readonly ratioFromBytes: number;
};

export const LIMITS: VisitLimits = {
  connectMs: 4_000,
  firstByteMs: 8_000,
  headerBytes: 262_144,
  interim: 16,
  redirects: 10,
  redirectBytes: 65_536,
  wireBytes: 25 * MIB,
  decodedBytes: 50 * MIB,
  ratio: 200,
  ratioFromBytes: MIB,
};

/** The bounds of a visit that only its own time ends before the first byte. */
export function removeFirstByteLimit(limits: VisitLimits): VisitLimits {
  return { ...limits, firstByteMs: MAX_TIMER_MS };
}

/** Through a proxy the way is longer, and the exit may be anyone's line. */
export const PROXY_LIMITS: VisitLimits = { ...LIMITS, connectMs: 5_000, firstByteMs: 12_000 };
