import type { Tier } from '#access/page.ts';
import type { Plan } from '#engine/identity/plans.ts';
import type { Warning } from '#kernel/warnings.ts';

/** The time, tiers and credits of a piece of work, decided before it runs. */
export type Admission = {
  /** Wall clock from receipt, ms. */
  readonly timeoutMs: number;
  /** The same for a job, from its first claim; `timeoutMs` unless given. */
  readonly jobTimeoutMs?: number;
  /** Says that the caller's time was cut to the longest that a job may take; absent where it was not. */
  readonly timeLimit?: Warning;
  /** The access tiers that the plan and the options allow, cheapest first. */
  readonly tiers: readonly Tier[];
  /** Credits of the cheapest outcome that the request can have. */
  readonly cheapest: number;
  /** The part of it that is due for any tier; none unless given. */
  readonly besides?: number;
  /** The caller's ceiling for this call, null for none. */
  readonly maxCredits: number | null;
};

/** The facts that the option gate decides by. */
export type AdmissionFacts = {
  readonly plan: Plan;
  /** Parses a URL of the caller by the egress guard; throws a 400 with the reason. */
  readonly readTarget: (url: string, member?: string) => URL;
  /** Whether the operator opened the host, as one of their own sites. */
  readonly isOpened: (url: URL) => boolean;
  /** Whether the operator configured a model. */
  readonly hasModel: boolean;
};
