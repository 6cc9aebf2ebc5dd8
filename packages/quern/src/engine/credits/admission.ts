import type { Tier } from '#access/page.ts';
import type { Plan } from '#engine/identity/plans.ts';
import type { Warning } from '#kernel/warnings.ts';

/** The time limit, tiers and credits of work, determined before it runs. */
export type Admission = {
  /** Time limit from the start of the call, ms. */
  readonly timeoutMs: number;
  /** Time limit of a job, from its first claim. Default: `timeoutMs`. */
  readonly jobTimeoutMs?: number;
  /** A warning that the requested time was reduced to the limit for jobs; absent if it was not. */
  readonly timeLimit?: Warning;
  /** The tiers that the plan and the options allow, cheapest first. */
  readonly tiers: readonly Tier[];
  /** The lowest cost that the call can have. */
  readonly cheapest: number;
  /** The part of `cheapest` that does not depend on the tier. Default: 0. */
  readonly besides?: number;
  /** The caller's ceiling for this call; null for none. */
  readonly maxCredits: number | null;
};

/** What admission depends on besides the input. */
export type AdmissionFacts = {
  readonly plan: Plan;
  /** Parses a URL of the caller and checks that it may be fetched. Throws `invalid_request` otherwise. */
  readonly readTarget: (url: string, member?: string) => URL;
  /** Whether the operator has exempted the host from rate limits, as one of their own sites. */
  readonly isOpened: (url: URL) => boolean;
  /** Whether the operator allows calls that accept any certificate. */
  readonly allowsInsecureTls: boolean;
  /** Whether a language model is configured. */
  readonly hasModel: boolean;
};
