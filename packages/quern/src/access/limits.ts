const MIB = 1024 * 1024;
/** The longest delay of a timer. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Body bytes that are not counted in the memory budget of pages. */
export const MAX_UNCOUNTED_BYTES = MIB / 2;

/** The limits of one visit: times in ms, sizes in bytes. */
export type VisitLimits = {
  readonly connectMs: number;
  /** Applies only if another tier may follow. */
  readonly firstByteMs: number;
  readonly headerBytes: number;
  /** Number of interim (1xx) responses. */
  readonly interim: number;
  readonly redirects: number;
  readonly redirectBytes: number;
  readonly wireBytes: number;
  readonly decodedBytes: number;
  /** Maximum decompression ratio, checked above `ratioFromBytes`. */
  readonly ratio: number;
  readonly ratioFromBytes: number;
};

export const DEFAULT_LIMITS: VisitLimits = {
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

/** The limits without the limit for the first byte: only the time of the visit ends it. */
export function removeFirstByteLimit(limits: VisitLimits): VisitLimits {
  return { ...limits, firstByteMs: MAX_TIMER_MS };
}

/** Longer limits for visits through a proxy, which may exit through a slow connection. */
export const PROXY_LIMITS: VisitLimits = { ...DEFAULT_LIMITS, connectMs: 5_000, firstByteMs: 12_000 };
